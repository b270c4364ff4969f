import { usageError } from '../../errors.ts';
import { momentFlag } from './moment.ts';
import { symbolFlag, textFlag } from './values.ts';

/** The options that say which cards are meant, as commander reads them. */
export interface RawFilters {
  since?: string;
  until?: string;
  symbol?: string;
  type?: string;
}

/** Which cards are meant; what is undefined leaves nothing out. */
export interface Filters {
  /** Epoch milliseconds UTC. */
  readonly since: number | undefined;
  /** Epoch milliseconds UTC. */
  readonly until: number | undefined;
  readonly symbol: string | undefined;
  /** The API's screener_type. */
  readonly type: string | undefined;
}

/**
 * @param now epoch milliseconds UTC
 * @throws ScreenerError usage; also where `--since` lies in the future, where no card can be, or after `--until`
 */
export function readFilters({ since, until, symbol, type }: RawFilters, now: number): Filters {
  const from = since === undefined ? undefined : momentFlag('--since', since, now);
  if (from !== undefined && from > now) {
    throw usageError(`--since ${since} lies in the future.`, 'A duration goes back from now: --since 24h.');
  }
  const to = until === undefined ? undefined : momentFlag('--until', until, now);
  if (from !== undefined && to !== undefined && from > to) {
    throw usageError('--since is after --until.', 'Exchange the two.');
  }
  return {
    since: from,
    until: to,
    symbol: symbol === undefined ? undefined : symbolFlag(symbol),
    type: type === undefined ? undefined : textFlag('--type', type),
  };
}
