/**
 * Statistics of a local history, in constant memory: 0 credits, no network.
 */
import { stat } from 'node:fs/promises';
import { type Filter, matchesRow } from '../history/filter.ts';
import { type History, mergeOf, monthsWithin, warnOfDamage } from '../history/history.ts';
import { monthPath } from '../history/layout.ts';
import { errnoOf, storing } from '../history/storage.ts';
import { type Question, tallyRanges } from './pool.ts';
import type { Range } from './range.ts';
import { type DrawnGroup, reportGroup } from './report.ts';
import { rowOf } from './row.ts';
import { Spill } from './spill.ts';
import { type GroupBy, Tally } from './tally.ts';

/** Large enough that handing one over costs nothing, small enough that all threads end together. */
const RANGE_BYTES = 8 << 20;

/**
 * Groups in the order of their keys: days oldest first. One group with a null key where nothing is grouped.
 * @throws ScreenerError storage; the signal's reason when interrupted
 */
export async function computeStats(
  history: History,
  filter: Filter,
  by: GroupBy | undefined,
  signal?: AbortSignal,
): Promise<DrawnGroup[]> {
  const spill = new Spill();
  try {
    return await reportAll(history, { filter, by, signal }, new Tally(by, spill));
  } finally {
    spill.close();
  }
}

async function reportAll(
  history: History,
  { filter, by, signal }: Question & { readonly signal: AbortSignal | undefined },
  tally: Tally,
): Promise<DrawnGroup[]> {
  const ranges: Range[] = [];
  for (const month of monthsWithin(history, filter)) {
    const path = monthPath(history.directory, month);
    const merge = await storing(`read ${path}`, () => mergeOf(history, month));
    for (const card of merge.updates) {
      const row = rowOf(card);
      if (matchesRow(row, filter)) tally.add(row);
    }
    ranges.push(...rangesOf(path, await sizeOf(path), [...merge.ids]));
  }
  const damaged = await tallyRanges(ranges, { filter, by, signal }, tally);
  for (const [path, lines] of damaged) warnOfDamage(history, path, lines);
  const groups = [...tally.groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, group]) => reportGroup(by === undefined ? null : key, group));
}

function rangesOf(path: string, size: number, without: readonly number[]): Range[] {
  const count = Math.ceil(size / RANGE_BYTES);
  return Array.from({ length: count }, (_, i) => ({
    path,
    start: i * RANGE_BYTES,
    end: (i + 1) * RANGE_BYTES,
    without,
  }));
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return 0;
    return storing(`read ${path}`, () => Promise.reject(cause));
  }
}
