/** Cards of a page that do not match the API document, while the others on the page do. */
import * as v from 'valibot';
import { DAY } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { jsonText, whyNotKept } from '../runtime/json-text.ts';
import { describeIssue } from './breach.ts';
import { timeOfRecord } from './contract/primitives.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { at, parseApiTime } from './time.ts';

/** The bad cards of one page, as an error. Its message names the first of them. */
export class BadCards extends ScreenerError {
  /** When each card was recorded, epoch milliseconds UTC; undefined where `created_at` itself is wrong. */
  readonly times: readonly (number | undefined)[];
  /** The JSON text of each card: a walk that meets the same card on two pages knows it by its text. */
  readonly texts: readonly string[];

  /** @param latest a card that was recorded after this time is from the future; epoch milliseconds UTC */
  constructor(cards: readonly unknown[], latest: number) {
    const [first] = cards;
    const { id } = cardFieldsOf(first);
    const hasId = typeof id === 'number' || typeof id === 'bigint';
    const name = hasId ? `Card ${id}` : 'A card without an id';
    const message = `${name} does not match the API document: ${whyBad(first, latest)}.`;
    const hint = 'The other cards are kept. If it stays so, the service has changed.';
    super('bad_answer', message, { scope: 'card', hint });
    this.texts = cards.map(textOf);
    this.times = cards.map((card) => timeOf(cardFieldsOf(card).created_at));
  }
}

interface CardFields {
  readonly id?: unknown;
  readonly created_at?: unknown;
}

/** The fields of what stands in a card's place, which may be no object. */
function cardFieldsOf(card: unknown): CardFields {
  return (card ?? {}) as CardFields;
}

function timeOf(createdAt: unknown): number | undefined {
  return v.is(timeOfRecord, createdAt) ? at(createdAt) : undefined;
}

/** Says what is wrong with a card. @param latest as of `BadCards` @returns undefined for a good card */
function whyBad(card: unknown, latest: number): string | undefined {
  const [issue] = v.safeParse(SignalCard, card, { abortEarly: true }).issues ?? [];
  if (issue !== undefined) return describeIssue(issue);
  const why = whyNotKept(card);
  if (why !== undefined) return `it ${why}`;
  const time = String(cardFieldsOf(card).created_at);
  return at(time) > latest ? `created_at: ${time} is in the future` : undefined;
}

/** A card that is nested too deep cannot be written as JSON: its id stands for it. */
function textOf(card: unknown): string {
  const why = whyNotKept(card);
  return why === undefined ? jsonText(card) : `${cardFieldsOf(card).id} ${why}`;
}

/** A page, and the bad cards that were taken out of it. */
export interface SplitPage {
  /** The page without its bad cards. */
  readonly page: SignalPage;
  readonly bad: BadCards | undefined;
}

/** Milliseconds: a service may round the end of a page to the day. */
const ROUNDING = 2 * DAY;

/** The latest time that a card of a page may have: epoch milliseconds UTC, like `now`. */
function latestOf(until: unknown, now: number): number {
  return Math.max(now, parseApiTime(String(until)) ?? now) + ROUNDING;
}

/** Whether a card of a page that has passed the contract is from the future. */
export function hasFutureCard({ items, until }: SignalPage, now: number): boolean {
  const latest = latestOf(until, now);
  return items.some(({ created_at }) => at(created_at) > latest);
}

/**
 * Takes the bad cards out of a page.
 * @param now epoch milliseconds UTC
 * @returns undefined if no card is bad, or if something else is wrong with the page
 */
export function withoutBadCards(resource: unknown, now: number): SplitPage | undefined {
  const { items, until } = (resource ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items)) return undefined;
  const latest = latestOf(until, now);
  const bad = items.filter((card) => whyBad(card, latest) !== undefined);
  const good = items.filter((card) => whyBad(card, latest) === undefined);
  const page = { ...(resource as object), items: good };
  const isPage = v.is(SignalPage, page) && whyNotKept(page) === undefined;
  if (bad.length === 0 || !isPage) return undefined;
  return { page, bad: new BadCards(bad, latest) };
}
