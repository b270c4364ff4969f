/** Services that the document allows and that nobody would wish for, each behaviour with the sentence that allows it. */
import type { SignalPage } from '../../src/api/contract/resources.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import { invalidArguments, type SignalsParams } from '../../src/sandbox/answers.ts';
import type { ApiOptions } from '../../src/sandbox/api.ts';
import { Refusal } from '../../src/sandbox/response.ts';
import { cardOf, type World } from '../../src/sandbox/world.ts';

type Card = ReturnType<typeof cardOf>;

const timeOf = (card: Card): number => Date.parse(card.created_at);

/** "Newest first" (part 4, rule 1): it does not say by which time. Each: what is greatest in the first card. */
export const ORDERS = {
  created_at: timeOf,
  last_seen_at: (card: Card) => Date.parse(card.last_seen_at ?? card.created_at),
  id: ({ id }: Card) => id,
  recorded: (card: Card) => timeOf(card) + ((card.id * 7919) % 97) * MINUTE,
} as const;

const OPAQUE = 'Opaque; taken from next_cursor (part 4): how long it is good is not said';
export const CURSORS = {
  key: OPAQUE,
  offset: OPAQUE,
  refused: OPAQUE,
  'refused as not found': OPAQUE,
  'refused now and then': OPAQUE,
  'good for one use': OPAQUE,
  'empty pages':
    'A null next_cursor means there is no further page (part 4, rule 1): nothing else does',
} as const;

interface Window {
  since: number;
  until: number;
}

/** "Defaults of since and until when omitted: not shown" (part 4). "422: Invalid arguments" (part 7): which is not said. */
export const WINDOWS = {
  any: () => {},
  'at most 30 days': ({ since, until }: Window) => refuseIf(until - since > 30 * DAY + 2000),
  'at most 7 days': ({ since, until }: Window) => refuseIf(until - since > 7 * DAY + 2000),
  'only the last 30 days': ({ since }: Window, now: number) => refuseIf(since < now - 30 * DAY),
  'only the last 7 days': ({ since }: Window, now: number) => refuseIf(since < now - 7 * DAY),
  'cut to the last 30 days': (window: Window, now: number) => {
    window.since = Math.max(window.since, now - 30 * DAY);
  },
  'cut to the last 7 days': (window: Window, now: number) => {
    window.since = Math.max(window.since, now - 7 * DAY);
  },
  'at most a day, and a day by default': ({ since, until }: Window) =>
    refuseIf(until - since > DAY + 2000),
  'cut to 30 days': (window: Window) => {
    window.since = Math.max(window.since, window.until - 30 * DAY);
  },
  'no future, clock behind': ({ since, until }: Window, now: number) =>
    refuseIf(Math.max(since, until) > now - 15 * MINUTE),
  // Whether they are inclusive, and how exact, is not said.
  'rounded inwards to the minute': (window: Window) => {
    window.until -= window.until % MINUTE;
    window.since = Math.ceil(window.since / MINUTE) * MINUTE;
  },
  'without its ends': (window: Window) => {
    window.until -= 1;
    window.since += 1;
  },
} as const;

/** "limit 1..25, at most 25 items" (parts 2 and 4): a page may hold fewer. Each: how many cards it holds. */
export const PAGES = {
  'as asked': (limit: number) => limit,
  'of 19 cards': (limit: number) => Math.min(limit, 19),
  'of 25, whatever is asked': () => 25,
  'of 10 or 25, else refused': (limit: number) => {
    refuseIf(limit !== 10 && limit !== 25);
    return limit;
  },
  // Cards may move between pages.
  'with cards of the page before': (limit: number) => Math.min(limit, 19),
} as const;

export interface Awkward {
  readonly order?: keyof typeof ORDERS;
  readonly cursors?: keyof typeof CURSORS;
  readonly windows?: keyof typeof WINDOWS;
  readonly pages?: keyof typeof PAGES;
}

/** @throws Refusal */
function refuseIf(isWrong: boolean): void {
  if (isWrong) throw invalidArguments('not allowed here');
}

export function awkwardList({
  order = 'created_at',
  cursors = 'key',
  windows = 'any',
  pages = 'as asked',
}: Awkward): NonNullable<ApiOptions['list']> {
  const used = new Set<string>();
  let requests = 0;
  const keyOf = ORDERS[order];

  /** Where a page begins. @throws Refusal where the cursor is refused */
  function startOf(cursor: string | undefined, shown: readonly Card[]): number {
    if (cursor === undefined) return 0;
    refuseIf(cursors === 'refused' || (cursors === 'refused now and then' && requests % 4 === 0));
    if (cursors === 'refused as not found') throw new Refusal(404, 'Not found.');
    refuseIf(cursors === 'good for one use' && used.has(cursor));
    used.add(cursor);
    if (cursors === 'offset') return Number(cursor);
    const [key = 0, id = 0] = cursor.slice(1).split('_').map(Number);
    const next = shown.findIndex(
      (card) => keyOf(card) < key || (keyOf(card) === key && card.id < id),
    );
    return next === -1 ? shown.length : next;
  }

  return (world, params, now): SignalPage => {
    requests += 1;
    const window = windowOf(params, windows, now);
    const limit = PAGES[pages](params.limit);
    const shown = cardsOf(world, params, now)
      .filter((card) => timeOf(card) >= window.since && timeOf(card) <= window.until)
      .sort((a, b) => keyOf(b) - keyOf(a) || b.id - a.id);
    const from = startOf(params.cursor, shown);
    const isGap = cursors === 'empty pages' && params.cursor?.startsWith('k') === true;
    const items = isGap ? [] : shown.slice(from, from + limit);
    const last = isGap ? shown[from - 1] : items.at(-1);
    const again =
      pages === 'with cards of the page before' ? shown.slice(Math.max(0, from - 5), from) : [];
    const position =
      last && (cursors === 'offset' ? `${from + items.length}` : `${keyOf(last)}_${last.id}`);
    const cursor = cursors === 'offset' ? position : `${isGap ? 'e' : 'k'}${position}`;
    return {
      scope: 'own_recorded_notifications',
      items: [...again, ...items],
      next_cursor:
        last !== undefined && (isGap || from + limit < shown.length) ? (cursor ?? null) : null,
      since: new Date(window.since).toISOString(),
      until: new Date(window.until).toISOString(),
    };
  };
}

/** @throws Refusal */
function windowOf(params: SignalsParams, kind: keyof typeof WINDOWS, now: number): Window {
  const { until = kind === 'no future, clock behind' ? now - 15 * MINUTE : now } = params;
  const { since = until - (kind === 'at most a day, and a day by default' ? 1 : 30) * DAY } =
    params;
  const window = { since, until };
  WINDOWS[kind](window, now);
  return window;
}

function cardsOf(
  world: World,
  { symbol, screener_type: type }: SignalsParams,
  now: number,
): Card[] {
  return world
    .index(now)
    .filter((key) => (symbol ?? key.symbol) === key.symbol && (type ?? key.type) === key.type)
    .flatMap(({ id }) => world.detail(id, now) ?? [])
    .map(cardOf);
}

/** The same cards, every third of them recorded, and listed, so many milliseconds after its created_at. */
export function recordedLate(world: World, late: number): World {
  const isThere = (id: number, createdAt: number, now: number) =>
    id % 3 > 0 || now >= createdAt + late;
  return {
    ...world,
    index: (now) => world.index(now).filter(({ id, createdAt }) => isThere(id, createdAt, now)),
    detail(id, now) {
      const detail = world.detail(id, now);
      return detail !== undefined && isThere(id, Date.parse(detail.created_at), now)
        ? detail
        : undefined;
    },
  };
}
