/**
 * Lists as the document allows them, and as nobody would wish them: in any order, with any cursor, over any window. Of
 * the program it shares nothing but what the test service takes.
 */
import type { SignalDetail } from '../../src/api/contract/resources.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const ORDERS = ['created_at', 'last_seen_at', 'id', 'recorded'] as const;
export const CURSORS = ['key', 'offset', 'refused', 'refused now and then', 'empty pages', 'moving'] as const;
export const WINDOWS = [
  'any',
  'at most 30 days',
  'at most 7 days, and 7 by default',
  'at most a day, and a day by default',
  'cut to 30 days',
  'no future, clock behind',
  'until floored to the hour',
  'until raised to the day',
  'since raised to the hour',
] as const;

export interface Behaviour {
  readonly order: (typeof ORDERS)[number];
  readonly cursors: (typeof CURSORS)[number];
  readonly windows: (typeof WINDOWS)[number];
}

/** A page, or 422. */
export function worstList(cards: () => readonly SignalDetail[], behaviour: Behaviour, now: () => number) {
  let asked = 0;
  const moved = new Map<number, number>();
  return (params: Record<string, unknown>): unknown => {
    asked += 1;
    const window = windowOf(params, behaviour.windows, now());
    if (window === undefined) return 422;
    const [since, until] = window;
    const shown = cards()
      .filter(({ created_at }) => Date.parse(created_at) >= since && Date.parse(created_at) <= until)
      .map((card) => ({ ...card, last_seen_at: iso(moved.get(card.id)) ?? card.last_seen_at }))
      .sort((a, b) => keyOf(b, behaviour.order) - keyOf(a, behaviour.order) || b.id - a.id);
    const from = startOf(params.cursor, shown, behaviour, asked);
    if (from === undefined) return 422;
    const isGap =
      behaviour.cursors === 'empty pages' && params.cursor !== undefined && !String(params.cursor).startsWith('e');
    const items = isGap ? [] : shown.slice(from, from + 25);
    const last = isGap ? shown[from - 1] : items.at(-1);
    const more = isGap || from + 25 < shown.length;
    // One card of the far end is seen again, and moves up past the pages that were read.
    if (behaviour.cursors === 'moving' && shown.length > 60) {
      const far = shown[shown.length - 1 - asked];
      if (far !== undefined && asked % 2 === 1) moved.set(far.id, now() + asked * 1000);
    }
    return {
      scope: 'own_recorded_notifications',
      items: items.map(({ outcome: _o, entry_context: _e, context_scope: _c, ...card }) => card),
      next_cursor: more && last !== undefined ? cursorOf(last, from + items.length, behaviour, isGap) : null,
      since: iso(since),
      until: iso(until),
    };
  };
}

function windowOf(
  params: Record<string, unknown>,
  kind: Behaviour['windows'],
  now: number,
): [number, number] | undefined {
  const serverNow = kind === 'no future, clock behind' ? now - 15 * 60_000 : now;
  let until = params.until === undefined ? serverNow : Date.parse(String(params.until));
  const days =
    { 'at most 7 days, and 7 by default': 7, 'at most a day, and a day by default': 1 }[kind as string] ?? 30;
  let since = params.since === undefined ? until - days * DAY : Date.parse(String(params.since));
  if (kind.startsWith('at most') && until - since > days * DAY + 2000) return undefined;
  if (kind === 'cut to 30 days') since = Math.max(since, until - 30 * DAY);
  if (kind === 'no future, clock behind' && (until > serverNow || since > serverNow)) return undefined;
  if (kind === 'until floored to the hour') until -= until % HOUR;
  if (kind === 'until raised to the day') until = Math.ceil(until / DAY) * DAY - 1;
  if (kind === 'since raised to the hour') since = Math.ceil(since / HOUR) * HOUR;
  return [since, until];
}

function keyOf(card: SignalDetail, order: Behaviour['order']): number {
  if (order === 'id') return card.id;
  if (order === 'recorded') return Date.parse(card.created_at) + ((card.id * 7919) % 97) * 60_000;
  const time = order === 'last_seen_at' ? (card.last_seen_at ?? card.created_at) : card.created_at;
  return Date.parse(time);
}

function cursorOf(last: SignalDetail, offset: number, { order, cursors }: Behaviour, isGap: boolean): string {
  if (cursors === 'offset') return `o${offset}`;
  return `${isGap ? 'e' : 'k'}${keyOf(last, order)}_${last.id}`;
}

/** Where a page begins; undefined where the cursor is refused. */
function startOf(
  cursor: unknown,
  shown: readonly SignalDetail[],
  { order, cursors }: Behaviour,
  asked: number,
): number | undefined {
  if (cursor === undefined) return 0;
  if (cursors === 'refused' || (cursors === 'refused now and then' && asked % 4 === 0)) return undefined;
  const text = String(cursor);
  if (text.startsWith('o')) return Number(text.slice(1));
  const [key = 0, id = 0] = text.slice(1).split('_').map(Number);
  const next = shown.findIndex((card) => keyOf(card, order) < key || (keyOf(card, order) === key && card.id < id));
  return next === -1 ? shown.length : next;
}

function iso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
