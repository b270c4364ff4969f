import { usageError } from '../../errors.ts';
import type { ListOptions } from '../list-options.ts';
import { type RawFilters, readFilters, readFrom } from './filters.ts';
import { cursorFlag, wholeNumberFlag } from './values.ts';

interface RawList extends RawFilters {
  cursor?: string;
  limit?: string;
  all?: true;
  outcomes?: true;
  from?: string;
}

const DEFAULT_CARDS = 25;

/**
 * The options of `signals ls`.
 * @throws ScreenerError usage
 */
export function readList(
  raw: RawList,
  _words: readonly string[],
  now: number,
): ListOptions & { from: string | undefined } {
  if (raw.all && raw.limit !== undefined)
    throw usageError('--all and --limit exclude each other.', 'Leave one of them out.');
  if (raw.from !== undefined && raw.cursor !== undefined) {
    throw usageError('--cursor is for the service, not for a local history.', 'Leave out --cursor, or --from.');
  }
  const limit = raw.limit === undefined ? DEFAULT_CARDS : wholeNumberFlag('--limit', raw.limit, 1);
  return {
    ...readFilters(raw, now),
    cursor: raw.cursor === undefined ? undefined : cursorFlag(raw.cursor),
    cards: raw.all ? Number.POSITIVE_INFINITY : limit,
    outcomes: raw.outcomes === true,
    from: readFrom(raw),
  };
}
