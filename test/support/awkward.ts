/**
 * Services that the document allows and that nobody would wish for, each behaviour with the sentence of the document
 * that allows it. They share nothing with the program but what the stand-in asks of a list.
 */
import type { SignalPage } from '../../src/api/contract/resources.ts';
import type { ApiOptions } from '../../src/sandbox/api.ts';
import { InvalidArgument, type SignalsParams } from '../../src/sandbox/params.ts';
import { cardOf, type World } from '../../src/sandbox/world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const NEWEST_FIRST = 'newest first (part 4, rule 1): it does not say by which time';
export const ORDERS = {
  created_at: NEWEST_FIRST,
  last_seen_at: NEWEST_FIRST,
  id: NEWEST_FIRST,
  recorded: NEWEST_FIRST,
} as const;

const OPAQUE = 'Opaque; taken from next_cursor (part 4): how long it is good is not said';
const TO_THE_NULL = 'A null next_cursor means there is no further page (part 4, rule 1): nothing else does';
export const CURSORS = {
  key: OPAQUE,
  offset: OPAQUE,
  refused: OPAQUE,
  'refused now and then': OPAQUE,
  'good for one use': OPAQUE,
  'empty pages': TO_THE_NULL,
} as const;

const DEFAULTS = 'Defaults of since and until when omitted: not shown (part 4)';
const BOUNDS = 'since and until, date-time (part 4): whether they are inclusive, and how exact, is not said';
const INVALID = '422: Invalid arguments (part 7): which windows are too long is not said';
export const WINDOWS = {
  any: DEFAULTS,
  'at most 30 days': INVALID,
  'at most a day, and a day by default': INVALID,
  'cut to 30 days': DEFAULTS,
  'no future, clock behind': INVALID,
  'rounded inwards to the minute': BOUNDS,
  'until raised to the day': BOUNDS,
  'without its ends': BOUNDS,
  'by last_seen_at': BOUNDS,
} as const;

const AT_MOST = 'limit 1..25, at most 25 items (parts 2 and 4): a page may hold fewer';
export const PAGES = {
  'as asked': AT_MOST,
  'of 19 cards': AT_MOST,
  'of 25, whatever is asked': AT_MOST,
  'of 10 or 25, else refused': '422: Invalid arguments (part 7)',
  'with cards of the page before':
    'newest first, with cursor pagination (part 4, rule 1): cards may move between pages',
} as const;

export interface Awkward {
  readonly order?: keyof typeof ORDERS;
  readonly cursors?: keyof typeof CURSORS;
  readonly windows?: keyof typeof WINDOWS;
  readonly pages?: keyof typeof PAGES;
}

type Card = ReturnType<typeof cardOf>;
type Window = readonly [since: number, until: number];

export function awkwardList(given: Awkward): NonNullable<ApiOptions['list']> {
  const behaviour = { order: 'created_at', cursors: 'key', windows: 'any', pages: 'as asked', ...given } as const;
  const used = new Set<string>();
  let asked = 0;
  return (world, params, now): SignalPage => {
    asked += 1;
    const window = windowOf(params, behaviour.windows, now);
    const limit = limitOf(params.limit, behaviour.pages);
    const shown = cardsOf(world, params, now)
      .filter((card) => isInside(card, window, behaviour.windows))
      .sort((a, b) => keyOf(b, behaviour.order) - keyOf(a, behaviour.order) || b.id - a.id);
    const from = startOf(params.cursor, shown, behaviour, asked, used);
    const isGap = behaviour.cursors === 'empty pages' && params.cursor !== undefined && !params.cursor.startsWith('e');
    const items = isGap ? [] : shown.slice(from, from + limit);
    const last = isGap ? shown[from - 1] : items.at(-1);
    const more = isGap || from + limit < shown.length;
    const again = behaviour.pages === 'with cards of the page before' ? shown.slice(Math.max(0, from - 5), from) : [];
    return {
      scope: 'own_recorded_notifications',
      items: [...again, ...items],
      next_cursor: more && last !== undefined ? cursorOf(last, from + items.length, behaviour, isGap) : null,
      since: new Date(window[0]).toISOString(),
      until: new Date(window[1]).toISOString(),
    };
  };
}

/** @throws InvalidArgument */
function limitOf(limit: number, pages: Awkward['pages']): number {
  if (pages === 'of 10 or 25, else refused' && limit !== 10 && limit !== 25) throw new InvalidArgument('limit');
  if (pages === 'of 25, whatever is asked') return 25;
  return pages === 'of 19 cards' || pages === 'with cards of the page before' ? Math.min(limit, 19) : limit;
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
  used: Set<string>,
): number {
  if (cursor === undefined) return 0;
  const isRefused = cursors === 'refused' || (cursors === 'refused now and then' && asked % 4 === 0);
  if (isRefused || (cursors === 'good for one use' && used.has(cursor))) throw new InvalidArgument('cursor');
  used.add(cursor);
  if (cursor.startsWith('o')) return Number(cursor.slice(1));
  const [key = 0, id = 0] = cursor.slice(1).split('_').map(Number);
  const next = shown.findIndex((card) => keyOf(card, order) < key || (keyOf(card, order) === key && card.id < id));
  return next === -1 ? shown.length : next;
}
