import { usageError } from '../../errors.ts';
import type { Reading } from '../invocation.ts';
import { type Filters, type RawFilters, readFilters } from './filters.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import { cursorFlag, textFlag, wholeNumberFlag } from './values.ts';

interface RawList extends RawFilters, RawHistory {
  cursor?: string;
  next?: true;
  limit?: string;
  all?: true;
  outcomes?: true;
  sort?: string;
}

/** What the service gives where nothing is said; a history gives all. */
const DEFAULT_CARDS = 25;

/** What only goes with the service. */
const ONLINE = ['cursor', 'next'] as const;
/** What `--next` brings along from the list before. */
const FROM_LAST_LIST = ['since', 'until', 'symbol', 'type', 'cursor'] as const;

/** What `signals ls` was asked for. */
export interface ListOptions extends Filters {
  readonly cursor: string | undefined;
  /** Go on where the last list of this account stopped, with its filters. */
  readonly next: boolean;
  /** Cards in all; Infinity for --all. */
  readonly cards: number;
  readonly outcomes: boolean;
  readonly history: HistoryChoice;
  /** A dotted field, largest first; smallest first where `-` stands before it. Only with a history. */
  readonly sort: string | undefined;
}

/**
 * The options of `signals ls`.
 * @throws ScreenerError usage
 */
export function readList(raw: RawList, _words: readonly string[], { now, env }: Reading): ListOptions {
  if (raw.all && raw.limit !== undefined)
    throw usageError('--all and --limit exclude each other.', 'Leave one of them out.');
  const history = readHistoryChoice(raw, env);
  const given = raw.from === undefined ? '--local' : '--from';
  for (const name of ONLINE) {
    if (history === undefined || raw[name] === undefined) continue;
    throw usageError(`--${name} is for the service, not for a local history.`, `Leave out --${name}, or ${given}.`);
  }
  if (history === undefined && raw.sort !== undefined) {
    throw usageError('--sort needs a local history: the service lists newest first.', 'Add --local, or --from DIR.');
  }
  const twice = raw.next ? FROM_LAST_LIST.find((name) => raw[name] !== undefined) : undefined;
  if (twice !== undefined) {
    throw usageError(`--next goes on with the last list and its filters: --${twice} cannot be changed.`);
  }
  const all = raw.all || (history !== undefined && raw.limit === undefined);
  const limit = raw.limit === undefined ? DEFAULT_CARDS : wholeNumberFlag('--limit', raw.limit, 1);
  return {
    ...readFilters(raw, now),
    cursor: raw.cursor === undefined ? undefined : cursorFlag(raw.cursor),
    next: raw.next === true,
    cards: all ? Number.POSITIVE_INFINITY : limit,
    outcomes: raw.outcomes === true,
    history,
    sort: raw.sort === undefined ? undefined : textFlag('--sort', raw.sort),
  };
}
