/** `stats.ndjson`: the service's own statistics of screener types, over 30 days each. */
import { join } from 'node:path';
import * as v from 'valibot';
import { SignalStats } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { STATS_FILE } from './layout.ts';
import { readValues, timestamp } from './lines.ts';

const Line = v.object({
  asked_at: timestamp,
  type: v.string(),
  stats: SignalStats,
  /** Ids of cards whose outcome was settled in the history then, and that no earlier line names. */
  bought: v.optional(v.array(v.number())),
});

/** @returns oldest first @throws ScreenerError storage */
export async function readStatsLog(directory: string): Promise<ServiceAnswer[]> {
  const lines = (await readValues(join(directory, STATS_FILE), Line)).sort((a, b) => a.asked_at - b.asked_at);
  const namedAt = new Map<number, number>();
  for (const { asked_at, bought = [] } of lines) {
    for (const id of bought) if (!namedAt.has(id)) namedAt.set(id, asked_at);
  }
  const first = lines.find(({ bought }) => bought !== undefined)?.asked_at ?? Number.POSITIVE_INFINITY;
  return lines.map(({ asked_at: at, type, stats }) => ({
    at,
    type,
    stats,
    knew: at < first ? undefined : (id) => (namedAt.get(id) ?? Number.POSITIVE_INFINITY) <= at,
  }));
}

/** Needs no lock: a line is one write, and readers pass over one that was cut off. @throws ScreenerError storage */
export async function appendStats(
  directory: string,
  { at, type, stats }: Pick<ServiceAnswer, 'at' | 'type' | 'stats'>,
  bought?: readonly number[],
): Promise<void> {
  const path = join(directory, STATS_FILE);
  const line = jsonText({ asked_at: formatApiTime(at), type, stats, bought });
  await appendLine(path, line);
}
