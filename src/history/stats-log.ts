/** `stats.ndjson`: what the service's own statistics of a screener type said, over all outcomes of 30 days. */
import { join } from 'node:path';
import * as v from 'valibot';
import { SignalStats } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { STATS_WINDOW } from '../outcomes/service-medians.ts';
import { appendLine, storing } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import { HOUR } from '../runtime/units.ts';
import { STATS_FILE } from './layout.ts';
import { readValues, timestamp } from './lines.ts';

/** A daily run does not begin at the same second every day: so much of two windows may be the same. */
const SAME = HOUR;

const Line = v.object({
  /** When it was asked for: its window are the 30 days before. */
  asked_at: timestamp,
  /** The API's screener_type. */
  type: v.string(),
  stats: SignalStats,
});

/** One answer of `/signal-stats?screener_type=TYPE`; `at`: when it was asked for, epoch milliseconds UTC. */
const Answer = v.pipe(
  Line,
  v.transform(({ asked_at, ...answer }) => ({ at: asked_at, ...answer })),
);

export type StatsAnswer = v.InferOutput<typeof Answer>;

/** All answers that were kept, oldest first. @throws ScreenerError storage */
export async function readStatsLog(directory: string): Promise<StatsAnswer[]> {
  return (await readValues(join(directory, STATS_FILE), Answer)).sort((a, b) => a.at - b.at);
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
