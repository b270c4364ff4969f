import type { SignalPage } from '../api/contract/resources.ts';
import { formatApiTime, parseApiTime } from '../api/time.ts';
import { DAY, dayNumber, HOUR } from '../runtime/units.ts';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import { hash } from './market/noise.ts';
import { InvalidArgument, type SignalsParams } from './params.ts';
import type { Switches } from './switches.ts';
import { type CardKey, cardOf, type World } from './world.ts';

const UNTIL_STEP = { exact: 1, hour: HOUR, day: DAY };

/**
 * One page of the owner's cards. What the document leaves open (what "newest first" goes by, how far back a list goes,
 * how long a cursor holds, which windows are allowed) is chosen by switches; `until` defaults to now.
 * @throws InvalidArgument for a cursor of another query or an expired one, and for a window that is not allowed
 */
export function signalPage(world: World, params: SignalsParams, switches: Switches, now: number): SignalPage {
  const position =
    params.cursor === undefined ? start(params, switches, now) : goOn(params.cursor, params, switches, now);
  const { since, until, page } = position;
  const matching = position.empty > 0 ? [] : matches(world, params, position, switches, now);
  const shown = matching.slice(0, params.limit);
  const last = shown.at(-1);

  const next = (changes: Partial<Position>): string =>
    encodeCursor({ ...position, page: page + 1, issuedAt: now, ...changes }, params);
  const nextCursor = (): string | null => {
    if (position.empty > 0) return next({ empty: position.empty - 1, page });
    if (page >= switches.repeatPage) return next({});
    if (last === undefined || matching.length <= params.limit) return null;
    return next({ rank: last.rank, id: last.id, empty: switches.emptyPages });
  };
  const step = UNTIL_STEP[switches.reportUntil];
  return {
    scope: 'own_recorded_notifications',
    items: shown.flatMap(({ id }) => world.detail(id, now) ?? []).map(cardOf),
    next_cursor: nextCursor(),
    since: formatApiTime(since),
    until: formatApiTime(Math.ceil(until / step) * step),
  };
}

/** @throws InvalidArgument */
function start(params: SignalsParams, switches: Switches, now: number): Position {
  const { defaultWindow, maxWindow, maxAge } = switches;
  const until = params.until ?? Math.max(now, params.since ?? now);
  const since = params.since ?? until - Math.min(defaultWindow, maxWindow.length);
  if (params.since !== undefined && since < now - maxAge) {
    throw new InvalidArgument(`since must be within the last ${inDays(maxAge)}`);
  }
  if (until - since > maxWindow.length && !maxWindow.clamp) {
    throw new InvalidArgument(`since and until may be at most ${inDays(maxWindow.length)} apart`);
  }
  return {
    since: Math.max(since, until - maxWindow.length),
    until,
    rank: Number.MAX_SAFE_INTEGER,
    id: Number.MAX_SAFE_INTEGER,
    page: 1,
    empty: switches.emptyPages,
    issuedAt: now,
  };
}

const inDays = (length: number): string => `${length / DAY} days`;

/** @throws InvalidArgument */
function goOn(cursor: string, params: SignalsParams, { cursorExpiry }: Switches, now: number): Position {
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
  { order, windowBy, bounds }: Switches,
  now: number,
): Ranked[] {
  const seenAt = ({ id, createdAt }: CardKey): number =>
    parseApiTime(world.detail(id, now)?.last_seen_at ?? '') ?? createdAt;
  const rankOf = (key: CardKey): number => {
    if (order === 'id') return 0;
    if (order === 'shuffled') return dayNumber(key.createdAt) * 2 ** 32 + hash(key.id, 0);
    return order === 'seen' ? seenAt(key) : key.createdAt;
  };
  const edge = bounds === 'inclusive' ? 0 : 1;
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
