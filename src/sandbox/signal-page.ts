import type { SignalPage } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { InvalidArgument, type SignalsParams } from './params.ts';
import { cardOf, type World } from './world.ts';

const DEFAULT_WINDOW = 30 * DAY;

/** Where a page begins, and the window that the first page has fixed; times in epoch milliseconds UTC. */
interface Position {
  readonly since: number;
  readonly until: number;
  readonly createdAt: number;
  readonly id: number;
}

/**
 * One page of the owner's cards. The document is silent on the rest: "newest first" and the window go by `created_at`,
 * both ends inside; `until` defaults to now, `since` to 30 days before it; a cursor names a card and never expires.
 * @throws InvalidArgument for a cursor that is none of the sandbox's
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const position = params.cursor === undefined ? start(params, now) : decodeCursor(params.cursor);
  const { since, until } = position;
  const matching = world
    .index(now)
    .filter(
      ({ id, createdAt, symbol, type }) =>
        createdAt >= since &&
        (createdAt < position.createdAt || (createdAt === position.createdAt && id < position.id)) &&
        symbol === (params.symbol ?? symbol) &&
        type === (params.screener_type ?? type),
    );
  const shown = matching.slice(0, params.limit);
  const last = matching.length > shown.length ? shown.at(-1) : undefined;
  return {
    scope: 'own_recorded_notifications',
    items: shown.flatMap(({ id }) => world.detail(id, now) ?? []).map(cardOf),
    next_cursor: last === undefined ? null : encodeCursor({ since, until, createdAt: last.createdAt, id: last.id }),
    since: formatApiTime(since),
    until: formatApiTime(until),
  };
}

function start({ since, until }: SignalsParams, now: number): Position {
  const end = until ?? Math.max(now, since ?? now);
  return { since: since ?? end - DEFAULT_WINDOW, until: end, createdAt: end, id: Number.MAX_SAFE_INTEGER };
}

function encodeCursor({ since, until, createdAt, id }: Position): string {
  return Buffer.from([since, until, createdAt, id].join('.')).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split('.').map(Number);
  const [since = Number.NaN, until = Number.NaN, createdAt = Number.NaN, id = Number.NaN] = parts;
  if (Number.isFinite(since + until + createdAt + id)) return { since, until, createdAt, id };
  throw new InvalidArgument('cursor is not one of this server');
}
