import { usageError } from '../../errors.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import type { Reading } from './reading.ts';

export interface TodayChoice {
  readonly history: Exclude<HistoryChoice, undefined>;
  /** Bring the history up to date first. */
  readonly refresh: boolean;
}

/**
 * The options of `today`.
 * @throws ScreenerError usage
 */
export function readToday(
  raw: RawHistory & { refresh?: true },
  _words: readonly string[],
  { env }: Reading,
): TodayChoice {
  if (raw.refresh && raw.from !== undefined) {
    throw usageError('--refresh brings the default history up to date, not another one.', 'Leave out --from.');
  }
  return { history: readHistoryChoice(raw, env) ?? 'default', refresh: raw.refresh === true };
}
