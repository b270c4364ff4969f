import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { DAY } from '../runtime/units.ts';
import type { Behaviour } from './behaviour.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import { hash } from './market/noise.ts';
import { InvalidArgument, type SignalsParams } from './params.ts';
import type { CardKey, World } from './world.ts';

/**
 * One page of the owner's cards. What the document leaves open (what "newest first" goes by, how far back a list goes,
 * how long a cursor holds, which windows are allowed) is chosen by switches; `until` defaults to now.
 * @throws InvalidArgument for a cursor of another query or an expired one, and for a window that is not allowed
 */
export function signalPage(world: World, params: SignalsParams, behaviour: Behaviour, now: number): SignalPage {
  const position =
    params.cursor === undefined ? start(params, behaviour, now) : goOn(params.cursor, params, behaviour, now);
  const { since, until, page } = position;
  const matching = position.empty > 0 ? [] : matches(world, params, position, behaviour, now);
  const shown = matching.slice(0, params.limit);
  const last = shown.at(-1);

  const next = (changes: Partial<Position>): string =>
    encodeCursor({ ...position, page: page + 1, issuedAt: now, ...changes }, params);
  const nextCursor = (): string | null => {
    if (position.empty > 0) return next({ empty: position.empty - 1, page });
    if (page >= behaviour.repeatPage) return next({});
    if (last === undefined || matching.length <= params.limit) return null;
    return next({ rank: last.rank, id: last.id, empty: behaviour.emptyPages });
  };
  return {
    scope: 'own_recorded_notifications',
    items: shown.map(({ id }) => world.card(id, now)).filter((card): card is SignalCard => card !== undefined),
    next_cursor: nextCursor(),
    since: formatApiTime(since),
    until: formatApiTime(Math.ceil(until / behaviour.untilStep) * behaviour.untilStep),
  };
}

/** @throws InvalidArgument */
function start(params: SignalsParams, behaviour: Behaviour, now: number): Position {
  const { defaultWindow, maxWindow, maxAge } = behaviour;
  const until = params.until ?? Math.max(now, params.since ?? now);
  const longest = maxWindow?.length ?? Number.POSITIVE_INFINITY;
  const since = params.since ?? until - Math.min(defaultWindow, longest);
  if (maxAge !== undefined && params.since !== undefined && since < now - maxAge) {
    throw new InvalidArgument(`since must be within the last ${inDays(maxAge)}`);
  }
  if (until - since > longest && maxWindow?.clamp === false) {
    throw new InvalidArgument(`since and until may be at most ${inDays(longest)} apart`);
  }
  return {
    since: Math.max(since, until - longest),
    until,
    rank: Number.MAX_SAFE_INTEGER,
    id: Number.MAX_SAFE_INTEGER,
    page: 1,
    empty: behaviour.emptyPages,
    issuedAt: now,
  };
}

const inDays = (length: number): string => `${length / DAY} days`;

/** @throws InvalidArgument */
function goOn(cursor: string, params: SignalsParams, { cursorExpiry }: Behaviour, now: number): Position {
  const position = decodeCursor(cursor, params);
  if (position.page > cursorExpiry.pages || now - position.issuedAt > cursorExpiry.age) {
    throw new InvalidArgument('cursor has expired');
  }
  return position;
}

interface Ranked {
  readonly rank: number;
  readonly id: number;
}

/** The cards after `position`, in the order of the list. */
function matches(
  world: World,
  params: SignalsParams,
  position: Position,
  { order, windowBy, inclusive }: Behaviour,
  now: number,
): Ranked[] {
  const seenAt = ({ id, createdAt }: CardKey): number =>
    parseApiTime(world.card(id, now)?.last_seen_at ?? '') ?? createdAt;
  const rankOf = (key: CardKey): number => {
    switch (order) {
      case 'created':
        return key.createdAt;
      case 'seen':
        return seenAt(key);
      case 'id':
        return 0;
      case 'shuffled':
        return Math.floor(key.createdAt / DAY) * 2 ** 32 + hash(key.id, Math.floor(key.id / 2 ** 32));
    }
  };
  const edge = inclusive ? 0 : 1;
  const found: Ranked[] = [];
  for (const key of world.index(now)) {
    if (params.symbol !== undefined && key.symbol !== params.symbol) continue;
    if (params.type !== undefined && key.type !== params.type) continue;
    const at = windowBy === 'seen' ? seenAt(key) : key.createdAt;
    if (at < position.since + edge || at > position.until - edge) continue;
    const ranked = { rank: rankOf(key), id: key.id };
    if (newestFirst(ranked, position) > 0) found.push(ranked);
  }
  return found.sort(newestFirst);
}

const newestFirst = (a: Ranked, b: Ranked): number => b.rank - a.rank || b.id - a.id;
