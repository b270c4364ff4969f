/** Cards of a page that do not match the API document, while the others on the page do. */
import * as v from 'valibot';
import { DAY } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { jsonText, whyNotKept } from '../runtime/json-text.ts';
import { describeIssue } from './breach.ts';
import { timeOfRecord } from './contract/primitives.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { at, parseApiTime } from './time.ts';

/** When a bad card and the good cards around it on its page were recorded. Epoch milliseconds UTC. */
export interface TimesOfBadCard {
  /** When the card itself was recorded; undefined if its `created_at` is wrong. */
  readonly time: number | undefined;
  /** When the good card before it was recorded; undefined if there is none. */
  readonly goodBefore: number | undefined;
  /** When the good card after it was recorded; undefined if there is none. */
  readonly goodAfter: number | undefined;
}

/** The bad cards of one page, as an error. Its message names the first of them. */
export class BadCards extends ScreenerError {
  /** The times of each card: they show where in the list it lies. */
  readonly times: readonly TimesOfBadCard[];
  /** The JSON text of each card: a walk that meets the same card on two pages knows it by its text. */
  readonly texts: readonly string[];

  /**
   * @param items all cards of the page
   * @param latest a card that was recorded after this time is from the future; epoch milliseconds UTC
   */
  constructor(items: readonly unknown[], latest: number) {
    const cards = items.filter((card) => isBad(card, latest));
    const [first] = cards;
    const { id } = cardFieldsOf(first);
    const hasId = typeof id === 'number' || typeof id === 'bigint';
    const name = hasId ? `Card ${id}` : 'A card without an id';
    const message = `${name} does not match the API document: ${whyBad(first, latest)}.`;
    const hint = 'The other cards are kept. If it stays so, the service has changed.';
    super('bad_answer', message, { scope: 'card', hint });
    this.texts = cards.map(textOf);
    this.times = timesOfBadCards(items, latest);
  }
}

/** @param items all cards of a page */
function timesOfBadCards(items: readonly unknown[], latest: number): TimesOfBadCard[] {
  const times = items.map((card) => recordedAt(cardFieldsOf(card).created_at));
  const goodTimes = times.map((time, i) => (isBad(items[i], latest) ? undefined : time));
  const isKnown = (time: number | undefined) => time !== undefined;
  const timesOfAll = times.map((time, i) => ({
    time,
    goodBefore: goodTimes.slice(0, i).findLast(isKnown),
    goodAfter: goodTimes.slice(i + 1).find(isKnown),
  }));
  return timesOfAll.filter((_, i) => isBad(items[i], latest));
}

interface CardFields {
  readonly id?: unknown;
  readonly created_at?: unknown;
}

/** The fields of a bad card. There are none if something other than an object stands in the card's place. */
function cardFieldsOf(card: unknown): CardFields {
  return (card ?? {}) as CardFields;
}

/** @returns epoch milliseconds UTC; undefined if `created_at` is no time of a card */
function recordedAt(createdAt: unknown): number | undefined {
  return v.is(timeOfRecord, createdAt) ? at(createdAt) : undefined;
}

/**
 * Says what is wrong with a card.
 * @param latest a card that was recorded after this time is from the future; epoch milliseconds UTC
 * @returns undefined for a good card
 */
function whyBad(card: unknown, latest: number): string | undefined {
  const [issue] = v.safeParse(SignalCard, card, { abortEarly: true }).issues ?? [];
  if (issue !== undefined) return describeIssue(issue);
  const why = whyNotKept(card);
  if (why !== undefined) return `it ${why}`;
  const time = String(cardFieldsOf(card).created_at);
  return at(time) > latest ? `created_at: ${time} is in the future` : undefined;
}

function isBad(card: unknown, latest: number): boolean {
  return whyBad(card, latest) !== undefined;
}

/** The card's JSON text. One that is nested too deep cannot be written as JSON: its text is then `123 is nested more than ...`. */
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

/** Milliseconds by which a card may lie after the end of its page: a service may round that end to the day. */
const ROUNDING = 2 * DAY;

/**
 * The latest time that a card of a page may have.
 * @param until the end of the page
 * @returns epoch milliseconds UTC, like `now`
 */
function latestCardTime(until: unknown, now: number): number {
  const endOfPage = parseApiTime(String(until)) ?? now;
  return Math.max(now, endOfPage) + ROUNDING;
}

/** Whether a card of a page that has passed the contract is from the future. */
export function hasFutureCard({ items, until }: SignalPage, now: number): boolean {
  const latest = latestCardTime(until, now);
  return items.some(({ created_at }) => at(created_at) > latest);
}

/**
 * Takes the bad cards out of a page.
 * @param now epoch milliseconds UTC
 * @returns undefined if no card is bad, or if the page has another fault
 */
export function withoutBadCards(resource: unknown, now: number): SplitPage | undefined {
  const { items, until } = (resource ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items)) return undefined;
  const latest = latestCardTime(until, now);
  const good = items.filter((card) => !isBad(card, latest));
  if (good.length === items.length) return undefined;
  const page = { ...(resource as object), items: good };
  if (!v.is(SignalPage, page) || whyNotKept(page) !== undefined) return undefined;
  return { page, bad: new BadCards(items, latest) };
}
