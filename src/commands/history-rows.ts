import type { Filter } from '../history/filter.ts';
import { newestDatedCards, openHistory } from '../history/history.ts';
import { type Row, rowOf } from '../outcomes/row.ts';
import type { Invocation } from './invocation.ts';

/**
 * What the figures need of a history's cards that match, newest first.
 * @throws ScreenerError usage where the directory holds no history; storage
 */
export async function readRows({ context, notes }: Invocation, directory: string, filter: Filter): Promise<Row[]> {
  const history = await openHistory(directory, notes);
  const progress = notes.progress('Reading the history');
  const rows: Row[] = [];
  try {
    for await (const cards of newestDatedCards(history, filter, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const { card, at } of cards) rows.push(rowOf(card, at));
    }
  } finally {
    progress.stop();
  }
  return rows;
}
