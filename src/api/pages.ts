/** The one walk over the pages of `/signals`: for `signals ls`, `signals watch` and the export. */

import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
import { jsonText, whyNotKept } from '../runtime/json-text.ts';
import { MINUTE } from '../runtime/units.ts';
import { badAnswer, describeIssue } from './breach.ts';
import type { Client } from './client.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { LIMITS } from './limits.ts';
import type { SignalsQuery } from './operations.ts';
import { at, formatApiTime, parseApiTime } from './time.ts';

/** All that a later process needs to go on with the walk. */
export interface Place {
  /** API times; undefined leaves that end to the service. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly cursor?: string | undefined;
  /** The oldest `created_at` so far, epoch milliseconds UTC. */
  readonly oldest?: number | undefined;
  readonly sorted?: boolean;
}

const MOST_USELESS_PAGES = 5;

/**
 * Walks the pages of `/signals` (part 4, rule 1); yields each without the cards before it, and where the walk stands.
 * An empty cursor is one that cannot be used; behind a page that is not full it is taken for null.
 * After a page that is refused, or has no new card, it asks for 25. A cursor that cannot be used is left, once without a
 * new card in between: the walk goes on from the oldest card if all pages came newest first, else from the window's end.
 * @param filters a cursor is bound to them @param wanted asked before each page: with less than 1 the walk ends
 * @throws ScreenerError of the client; DeadEnd if the pages lead nowhere
 */
export async function* pages(
  client: Pick<Client, 'call'>,
  {
    filters,
    from,
    wanted,
  }: { filters?: Pick<SignalsQuery, 'symbol' | 'screener_type'>; from: Place; wanted(): number },
) {
  let place = from;
  let isWhole = false;
  let useless = 0;
  let isStuck = false;
  /** Cards so far; `ids`: since the last cursor was left. */
  const seen = new Set<number>();
  const ids = new Set<number>();
  const badTexts = new Set<string>();
  for (let more = wanted(); more >= 1; more = wanted()) {
    const limit =
      isWhole || isStuck || useless > 0 ? LIMITS.cardsPerPage : Math.min(more, LIMITS.cardsPerPage);
    let page: SignalPage;
    let bad: BadCards | undefined;
    try {
      const { since, until, cursor } = place;
      ({ page, bad } = await client
        .call('signals', { ...filters, since, until, cursor, limit })
        .then((whole) => ({ page: whole, bad: undefined }), withoutBadCards));
    } catch (error) {
      if (!refusesCursor(error)) throw error;
      if (limit < LIMITS.cardsPerPage && error.code === 'invalid_arguments') {
        isWhole = true;
        continue;
      }
      if (place.cursor === undefined || place.oldest === undefined || isStuck) throw error;
      place = withoutCursor(place, place.oldest);
      isStuck = true;
      ids.clear();
      continue;
    }
    const fresh = page.items.filter(({ id }) => !ids.has(id) && ids.add(id));
    const items = fresh.filter(({ id }) => !seen.has(id) && seen.add(id));
    const newBad = bad?.texts.filter((text) => !badTexts.has(text) && badTexts.add(text)) ?? [];
    useless = fresh.length + newBad.length > 0 ? 0 : useless + 1;
    if (items.length > 0) isStuck = false;
    const isFull = page.items.length + (bad?.texts.length ?? 0) >= limit;
    const isEmpty = page.next_cursor === '';
    const ended = page.next_cursor === null || (isEmpty && !isFull);
    const isLong = (page.next_cursor?.length ?? 0) > LIMITS.cursorLength;
    if (isLong || isEmpty) page = { ...page, next_cursor: null };
    place = afterPage(place, page, fresh);
    const isLeft = (isLong || isEmpty) && !ended;
    if (isLeft && place.oldest !== undefined) place = withoutCursor(place, place.oldest);
    yield { page: { ...page, items }, place, ended, bad };
    if (ended) return;
    // What it pays for is kept first.
    if (isLong)
      throw badAnswer(`response.next_cursor: longer than ${LIMITS.cursorLength} characters`);
    if (isLeft && isStuck) throw badAnswer('response.next_cursor: empty');
    if (isLeft) {
      isStuck = true;
      ids.clear();
    }
    if (useless === MOST_USELESS_PAGES) throw new DeadEnd();
  }
}

export class DeadEnd extends ScreenerError {
  constructor() {
    const text =
      'The service gave page after page without a new card: the list cannot be read to its end.';
    super('bad_answer', text, { hint: 'The list is complete up to this point; try again later.' });
  }
}

/** Whether another window may be answered: a 404 is about none (part 7: 422 alone is about arguments). */
export function refusesWindow(error: unknown): error is ScreenerError {
  if (error instanceof DeadEnd) return true;
  return error instanceof ScreenerError && error.code === 'invalid_arguments';
}

/** Whether the walk may go on without the cursor: one that expired may be invalid, or not there any more. */
export function refusesCursor(error: unknown): error is ScreenerError {
  if (refusesWindow(error)) return true;
  return error instanceof ScreenerError && error.code === 'not_found';
}

function afterPage(place: Place, page: SignalPage, fresh: readonly SignalCard[]): Place {
  const times = fresh.map(({ created_at }) => at(created_at));
  const before = place.oldest ?? Number.POSITIVE_INFINITY;
  const oldest = Math.min(before, ...times);
  return {
    ...place,
    cursor: page.next_cursor ?? undefined,
    oldest: Number.isFinite(oldest) ? oldest : undefined,
    sorted: (place.sorted ?? true) && times.every((time, i) => time <= (times[i - 1] ?? before)),
  };
}

/** The oldest card's minute is included: a service may round `until` down. */
function withoutCursor({ since, until, sorted }: Place, oldest: number): Place {
  const rest = oldest + MINUTE;
  const isLast = until !== undefined && rest >= at(until);
  return { since, until: sorted && !isLast ? formatApiTime(rest) : until };
}

/** Cards of a page that do not match the document; the others of the page are good. */
export class BadCards extends ScreenerError {
  /** `created_at` of each, epoch milliseconds UTC; undefined where it has none that can be read. */
  readonly times: readonly (number | undefined)[];
  /** What tells each from another: a walk may meet the same card on two pages. */
  readonly texts: readonly string[];

  constructor(cards: readonly unknown[]) {
    const [first] = cards;
    const id = (first as { id?: unknown } | null)?.id;
    const hasId = typeof id === 'number' || typeof id === 'bigint';
    const name = hasId ? `Card ${id}` : 'A card without an id';
    const message = `${name} does not match the API document: ${whyBad(first)}.`;
    const hint = 'The other cards are kept. If it stays so, the service has changed.';
    super('bad_answer', message, { scope: 'card', hint });
    this.texts = cards.map(textOf);
    this.times = cards.map((card) =>
      parseApiTime(String((card as { created_at?: unknown } | null)?.created_at)),
    );
  }
}

/** @returns undefined for a good card */
function whyBad(card: unknown): string | undefined {
  const [issue] = v.safeParse(SignalCard, card, { abortEarly: true }).issues ?? [];
  if (issue !== undefined) return describeIssue(issue);
  const why = whyNotKept(card);
  return why && `it ${why}`;
}

/** One that is nested too deep has no text. */
function textOf(card: unknown): string {
  const why = whyNotKept(card);
  return why === undefined ? jsonText(card) : `${(card as { id?: unknown }).id} ${why}`;
}

/** @throws the error itself, if more is wrong with the page than single cards */
function withoutBadCards(error: unknown): { readonly page: SignalPage; readonly bad: BadCards } {
  const page =
    error instanceof ScreenerError ? (error.cause as { items?: unknown } | undefined) : undefined;
  if (!Array.isArray(page?.items)) throw error;
  const good = page.items.filter((card) => whyBad(card) === undefined);
  const bad = page.items.filter((card) => whyBad(card) !== undefined);
  const rest = { ...page, items: good };
  const isPage = v.is(SignalPage, rest) && whyNotKept(rest) === undefined;
  if (bad.length === 0 || !isPage) throw error;
  return { page: rest, bad: new BadCards(bad) };
}
