/**
 * Statistics of a local history, in constant memory: 0 credits, no network.
 */
import { type Filter, type History, matches, mergeOf, monthsWithin, warnOfDamage } from '../history.ts';
import { monthPath } from '../layout.ts';
import { cardOf, monthLines } from '../month.ts';
import { storing } from '../storage.ts';
import { type DrawnGroup, reportGroup } from './report.ts';
import { rowOf } from './row.ts';
import { type GroupBy, Tally } from './tally.ts';

/** Groups by their key; days oldest first. One group with a null key where nothing is grouped. */
export async function computeStats(
  history: History,
  filter: Filter,
  by: GroupBy | undefined,
  signal?: AbortSignal,
): Promise<DrawnGroup[]> {
  const tally = new Tally(by);
  for (const month of monthsWithin(history, filter)) {
    const path = monthPath(history.directory, month);
    let damaged = 0;
    await storing(`read ${path}`, async () => {
      for await (const lines of monthLines(path, await mergeOf(history, month))) {
        signal?.throwIfAborted();
        for (const line of lines) {
          const card = cardOf(line);
          if (card === undefined) damaged += 1;
          else if (matches(card, filter)) tally.add(rowOf(card));
        }
      }
    });
    warnOfDamage(history, path, damaged);
  }
  const groups = [...tally.groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, group]) => reportGroup(by === undefined ? null : key, group));
}
