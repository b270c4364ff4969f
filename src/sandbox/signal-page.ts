import type { SignalPage } from '../api/contract/resources.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import { invalid, type SignalsParams } from './params.ts';
import { cardOf, type World } from './world.ts';

/** The window that the first page has fixed, and the last card so far; times in epoch milliseconds UTC. */
type CursorPlace = readonly [since: number, until: number, createdAt: number, id: number];

/**
 * One page of the owner's cards. The document is silent on the rest: "newest first" and the window go by `created_at`,
 * both ends inside; `until` defaults to now, `since` to 30 days before it; a cursor names a card and never expires.
 * @throws Refusal for a cursor that is none of the sandbox's
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const { until: end = Math.max(now, params.since ?? now), since: begin = end - 30 * DAY, cursor } = params;
  const first: CursorPlace = [begin, end, end, Number.MAX_SAFE_INTEGER];
  const [since, until, lastAt, lastId] = cursor === undefined ? first : decodeCursor(cursor);
  const matching = world
    .index(now)
    .filter(
      ({ id, createdAt, symbol, type }) =>
        createdAt >= since &&
        (createdAt < lastAt || (createdAt === lastAt && id < lastId)) &&
        symbol === (params.symbol ?? symbol) &&
        type === (params.screener_type ?? type),
    );
  const shown = matching.slice(0, params.limit);
  const last = matching.length > shown.length ? shown.at(-1) : undefined;
  const position = last && [since, until, last.createdAt, last.id].join('.');
  return {
    scope: 'own_recorded_notifications',
    items: shown.flatMap(({ id }) => world.detail(id, now) ?? []).map(cardOf),
    next_cursor: position === undefined ? null : Buffer.from(position).toString('base64url'),
    since: formatApiTime(since),
    until: formatApiTime(until),
  };
}

function decodeCursor(cursor: string): CursorPlace {
  const position = Buffer.from(cursor, 'base64url').toString('latin1').split('.').map(Number);
  if (position.length !== 4 || !position.every(Number.isFinite)) throw invalid('cursor is not one of this server');
  return position as [number, number, number, number];
}
