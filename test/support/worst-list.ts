/**
 * Lists as the document allows them, and as nobody would wish them: in any order, with any cursor, over any window. Of
 * the program it shares nothing but what the stand-in asks of it.
 */
import type { SignalPage } from '../../src/api/contract/resources.ts';
import type { ApiOptions } from '../../src/sandbox/api.ts';
import { InvalidArgument, type SignalsParams } from '../../src/sandbox/params.ts';
import { cardOf, type World } from '../../src/sandbox/world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export const ORDERS = ['created_at', 'last_seen_at', 'id', 'recorded'] as const;
export const CURSORS = ['key', 'offset', 'refused', 'refused now and then', 'empty pages'] as const;
export const WINDOWS = [
  'any',
  'at most 30 days',
  'at most a day, and a day by default',
  'cut to 30 days',
  'no future, clock behind',
  'rounded inwards to the minute',
  'until raised to the day',
  'without its ends',
  'by last_seen_at',
] as const;

export interface Awkward {
  readonly order?: (typeof ORDERS)[number];
  readonly cursors?: (typeof CURSORS)[number];
  readonly windows?: (typeof WINDOWS)[number];
}

type Card = ReturnType<typeof cardOf>;
type Window = readonly [since: number, until: number];

export function worstList(given: Awkward): NonNullable<ApiOptions['list']> {
  const behaviour = { order: 'created_at', cursors: 'key', windows: 'any', ...given } as const;
  let asked = 0;
  return (world, params, now): SignalPage => {
    asked += 1;
    const window = windowOf(params, behaviour.windows, now);
    const shown = cardsOf(world, params, now)
      .filter((card) => isInside(card, window, behaviour.windows))
      .sort((a, b) => keyOf(b, behaviour.order) - keyOf(a, behaviour.order) || b.id - a.id);
    const from = startOf(params.cursor, shown, behaviour, asked);
    const isGap = behaviour.cursors === 'empty pages' && params.cursor !== undefined && !params.cursor.startsWith('e');
    const items = isGap ? [] : shown.slice(from, from + params.limit);
    const last = isGap ? shown[from - 1] : items.at(-1);
    const more = isGap || from + params.limit < shown.length;
    return {
      scope: 'own_recorded_notifications',
      items,
      next_cursor: more && last !== undefined ? cursorOf(last, from + items.length, behaviour, isGap) : null,
      since: new Date(window[0]).toISOString(),
      until: new Date(window[1]).toISOString(),
    };
  };
}

/** The same cards, every third of them recorded, and listed, so many milliseconds after its created_at. */
export function recordedLate(world: World, late: number): World {
  const isThere = (id: number, createdAt: number, now: number) => id % 3 > 0 || now >= createdAt + late;
  return {
    ...world,
    index: (now) => world.index(now).filter(({ id, createdAt }) => isThere(id, createdAt, now)),
    detail(id, now) {
      const detail = world.detail(id, now);
      return detail !== undefined && isThere(id, Date.parse(detail.created_at), now) ? detail : undefined;
    },
  };
}

function cardsOf(world: World, { symbol, type }: SignalsParams, now: number): Card[] {
  return world
    .index(now)
    .filter((key) => (symbol ?? key.symbol) === key.symbol && (type ?? key.type) === key.type)
    .flatMap(({ id }) => world.detail(id, now) ?? [])
    .map(cardOf);
}

/** @throws InvalidArgument */
function windowOf(params: SignalsParams, kind: Awkward['windows'], now: number): Window {
  const serverNow = kind === 'no future, clock behind' ? now - 15 * MINUTE : now;
  let { until = serverNow } = params;
  const days = kind === 'at most a day, and a day by default' ? 1 : 30;
  let { since = until - days * DAY } = params;
  if (kind?.startsWith('at most') && until - since > days * DAY + 2000) throw new InvalidArgument('window');
  if (kind === 'cut to 30 days') since = Math.max(since, until - 30 * DAY);
  if (kind === 'no future, clock behind' && (until > serverNow || since > serverNow))
    throw new InvalidArgument('until');
  if (kind === 'rounded inwards to the minute') {
    until -= until % MINUTE;
    since = Math.ceil(since / MINUTE) * MINUTE;
  }
  if (kind === 'until raised to the day') until = Math.ceil(until / DAY) * DAY - 1;
  return [since, until];
}

function isInside(card: Card, [since, until]: Window, kind: Awkward['windows']): boolean {
  const at = keyOf(card, kind === 'by last_seen_at' ? 'last_seen_at' : 'created_at');
  return kind === 'without its ends' ? at > since && at < until : at >= since && at <= until;
}

function keyOf(card: Card, order: Awkward['order']): number {
  if (order === 'id') return card.id;
  if (order === 'recorded') return Date.parse(card.created_at) + ((card.id * 7919) % 97) * MINUTE;
  const time = order === 'last_seen_at' ? (card.last_seen_at ?? card.created_at) : card.created_at;
  return Date.parse(time);
}

function cursorOf(last: Card, offset: number, { order, cursors }: Awkward, isGap: boolean): string {
  if (cursors === 'offset') return `o${offset}`;
  return `${isGap ? 'e' : 'k'}${keyOf(last, order)}_${last.id}`;
}

/** Where a page begins. @throws InvalidArgument where the cursor is refused */
function startOf(
  cursor: string | undefined,
  shown: readonly Card[],
  { order, cursors }: Awkward,
  asked: number,
): number {
  if (cursor === undefined) return 0;
  if (cursors === 'refused' || (cursors === 'refused now and then' && asked % 4 === 0)) {
    throw new InvalidArgument('cursor');
  }
  if (cursor.startsWith('o')) return Number(cursor.slice(1));
  const [key = 0, id = 0] = cursor.slice(1).split('_').map(Number);
  const next = shown.findIndex((card) => keyOf(card, order) < key || (keyOf(card, order) === key && card.id < id));
  return next === -1 ? shown.length : next;
}
