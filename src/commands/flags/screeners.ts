import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import type { Reading } from './reading.ts';

/**
 * The options of `screeners`.
 * @throws ScreenerError usage
 */
export function readScreeners(
  raw: RawHistory,
  _words: readonly string[],
  { env }: Reading,
): { history: HistoryChoice } {
  return { history: readHistoryChoice(raw, env) };
}
