import type { SignalPage } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import type { SignalsParams } from './params.ts';
import { type CardKey, cardOf, type World } from './world.ts';

/** How far back a list without `since` goes. */
const DEFAULT_WINDOW = 30 * DAY;

/**
 * One page of the owner's cards. The sandbox's own choices, where the document is silent: "newest first" and the window
 * go by `created_at`, both ends are inside; `until` defaults to now, `since` to 30 days before it; a cursor never expires.
 * @throws InvalidArgument for a cursor of another query
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const position = params.cursor === undefined ? start(params, now) : decodeCursor(params.cursor, params);
  const matching = world.index(now).filter((key) => isAfter(key, position) && isAskedFor(key, params));
  const shown = matching.slice(0, params.limit);
  const last = shown.at(-1);
  return {
    scope: 'own_recorded_notifications',
    items: shown.flatMap(({ id }) => world.detail(id, now) ?? []).map(cardOf),
    next_cursor:
      last === undefined || matching.length === shown.length
        ? null
        : encodeCursor({ ...position, createdAt: last.createdAt, id: last.id }, params),
    since: formatApiTime(position.since),
    until: formatApiTime(position.until),
  };
}

function start({ since, until }: SignalsParams, now: number): Position {
  const end = until ?? Math.max(now, since ?? now);
  return { since: since ?? end - DEFAULT_WINDOW, until: end, createdAt: end, id: Number.MAX_SAFE_INTEGER };
}

const isAfter = ({ id, createdAt }: CardKey, position: Position): boolean =>
  createdAt >= position.since &&
  (createdAt < position.createdAt || (createdAt === position.createdAt && id < position.id));

const isAskedFor = (key: CardKey, { symbol, type }: SignalsParams): boolean =>
  key.symbol === (symbol ?? key.symbol) && key.type === (type ?? key.type);
