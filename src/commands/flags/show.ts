import { usageError } from '../../errors.ts';
import type { Reading } from '../invocation.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';

interface RawShow extends RawHistory {
  fresh?: true;
}

export interface ShowOptions {
  /** As given; `-` for standard input. */
  readonly ids: readonly string[];
  readonly history: HistoryChoice;
  /** Ask the service also for what is settled in the default history. */
  readonly fresh: boolean;
}

/**
 * The options of `signals show`.
 * @throws ScreenerError usage
 */
export function readShow(raw: RawShow, ids: readonly string[], { env }: Reading): ShowOptions {
  const history = readHistoryChoice(raw, env);
  if (raw.fresh && history !== undefined) {
    throw usageError('--fresh asks the service: it does not go with a local history.', 'Leave one of them out.');
  }
  return { ids, history, fresh: raw.fresh === true };
}
