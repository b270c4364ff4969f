import type { Reading } from '../invocation.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';

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
