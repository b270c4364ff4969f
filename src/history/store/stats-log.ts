/** `stats.ndjson`: the service's own statistics of screener types, over 30 days each. */
import { join } from 'node:path';
import * as v from 'valibot';
import { SignalStats } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { appendLine, storing } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { STATS_FILE } from './layout.ts';
import { readValues, timestamp } from './lines.ts';

const Line = v.pipe(
  v.object({ asked_at: timestamp, type: v.string(), stats: SignalStats }),
  v.transform(({ asked_at, ...answer }): ServiceAnswer => ({ at: asked_at, ...answer })),
);

/** @returns oldest first @throws ScreenerError storage */
export async function readStatsLog(directory: string): Promise<ServiceAnswer[]> {
  return (await readValues(join(directory, STATS_FILE), Line)).sort((a, b) => a.at - b.at);
}

/**
 * Needs no lock: a line is one write, and readers pass over one that was cut off.
 * @param at when it was asked for, epoch milliseconds UTC
 * @throws ScreenerError storage
 */
export async function appendStats(directory: string, { at, type, stats }: ServiceAnswer): Promise<void> {
  const path = join(directory, STATS_FILE);
  await storing(`write ${path}`, () => appendLine(path, jsonText({ asked_at: formatApiTime(at), type, stats })));
}
