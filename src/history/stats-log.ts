/**
 * `stats.ndjson`: what the service's own statistics of a screener type said, over all outcomes of 30 days.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { time } from '../api/contract/primitives.ts';
import { SignalStats } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { appendLine, storing } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import { STATS_FILE } from './layout.ts';
import { parseJson, readLines } from './lines.ts';

/** The window of `/signal-stats` (part 8 of the API document), milliseconds. */
export const STATS_WINDOW = 30 * DAY;

/** A daily run does not begin at the same second every day: so much of two windows may be the same. */
const SAME = HOUR;

/** One answer of `/signal-stats?screener_type=TYPE`. */
export interface StatsAnswer {
  /** When it was asked for, epoch milliseconds UTC: its window are the 30 days before. */
  readonly at: number;
  /** The API's screener_type. */
  readonly type: string;
  readonly stats: SignalStats;
}

const Line = v.object({ asked_at: time, type: v.string(), stats: SignalStats });

/** All answers that were kept, oldest first; lines that are none are left out. @throws ScreenerError storage */
export async function readStatsLog(directory: string): Promise<StatsAnswer[]> {
  const answers = (await readLines(join(directory, STATS_FILE))).flatMap((line) => {
    const { success, output } = v.safeParse(Line, parseJson(line));
    const at = success ? parseApiTime(output.asked_at) : undefined;
    return success && at !== undefined ? [{ at, type: output.type, stats: output.stats }] : [];
  });
  return answers.sort((a, b) => a.at - b.at);
}

/**
 * The answers of each type whose windows follow each other without overlap: as many as there can be, and the same ones
 * whatever is asked for later. Pure.
 * @param answers oldest first
 * @returns by type, oldest first
 */
export function inSuccession(answers: readonly StatsAnswer[]): ReadonlyMap<string, readonly StatsAnswer[]> {
  const byType = new Map<string, StatsAnswer[]>();
  for (const answer of answers) {
    const chosen = byType.get(answer.type) ?? [];
    byType.set(answer.type, chosen);
    const last = chosen.at(-1);
    if (last === undefined || followsOn(last.at, answer.at)) chosen.push(answer);
  }
  return byType;
}

/** Whether the window of an answer of `now` begins where the one before has ended; epoch milliseconds UTC. */
export function followsOn(before: number, now: number): boolean {
  return now - before >= STATS_WINDOW - SAME;
}

/**
 * Adds an answer. Needs no lock: a line is appended in one write, and whoever reads passes over one that was cut off.
 * @param at when it was asked for, epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function appendStats(directory: string, { at, type, stats }: StatsAnswer): Promise<void> {
  const path = join(directory, STATS_FILE);
  await storing(`write ${path}`, () => appendLine(path, jsonText({ asked_at: formatApiTime(at), type, stats })));
}
