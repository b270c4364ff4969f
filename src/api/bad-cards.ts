/** Cards of a page that do not match the document, among others that do. */
import * as v from 'valibot';
import { DAY } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import { jsonText, whyNotKept } from '../runtime/json-text.ts';
import { describeIssue } from './breach.ts';
import { timeOfRecord } from './contract/primitives.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { at, parseApiTime } from './time.ts';

/** The error names the first one. */
export class BadCards extends ScreenerError {
  /** `created_at` of each, epoch milliseconds UTC; undefined where it does not match the document itself. */
  readonly times: readonly (number | undefined)[];
  /** What tells each from another: a walk may meet the same card on two pages. */
  readonly texts: readonly string[];

  /** @param latest no good card was created after it, epoch milliseconds UTC */
  constructor(cards: readonly unknown[], latest: number) {
    const [first] = cards;
    const { id } = fieldsOf(first);
    const hasId = typeof id === 'number' || typeof id === 'bigint';
    const name = hasId ? `Card ${id}` : 'A card without an id';
    const message = `${name} does not match the API document: ${whyBad(first, latest)}.`;
    const hint = 'The other cards are kept. If it stays so, the service has changed.';
    super('bad_answer', message, { scope: 'card', hint });
    this.texts = cards.map(textOf);
    this.times = cards.map((card) => timeOf(fieldsOf(card).created_at));
  }
}

interface CardFields {
  readonly id?: unknown;
  readonly created_at?: unknown;
}

/** Whatever stands in the place of a card: it may be no object. */
function fieldsOf(card: unknown): CardFields {
  return (card ?? {}) as CardFields;
}

function timeOf(createdAt: unknown): number | undefined {
  return v.is(timeOfRecord, createdAt) ? at(createdAt) : undefined;
}

/** @param latest as of `BadCards` @returns undefined for a good card */
function whyBad(card: unknown, latest: number): string | undefined {
  const [issue] = v.safeParse(SignalCard, card, { abortEarly: true }).issues ?? [];
  if (issue !== undefined) return describeIssue(issue);
  const why = whyNotKept(card);
  if (why !== undefined) return `it ${why}`;
  const time = String(fieldsOf(card).created_at);
  return at(time) > latest ? `created_at: ${time} is in the future` : undefined;
}

/** What is nested too deep has no text. */
function textOf(card: unknown): string {
  const why = whyNotKept(card);
  return why === undefined ? jsonText(card) : `${fieldsOf(card).id} ${why}`;
}

export interface SplitPage {
  /** Without the bad cards. */
  readonly page: SignalPage;
  readonly bad: BadCards | undefined;
}

/** A service may round the end of a page up to a day. */
const ROUNDING = 2 * DAY;

/** No card of a page was created after it: epoch milliseconds UTC, as `now`. */
function latestOf(until: unknown, now: number): number {
  return Math.max(now, parseApiTime(String(until)) ?? now) + ROUNDING;
}

/** Whether a card of a page that has passed the contract is from the future. */
export function hasFutureCard({ items, until }: SignalPage, now: number): boolean {
  const latest = latestOf(until, now);
  return items.some(({ created_at }) => at(created_at) > latest);
}

/**
 * What is good of a page.
 * @param now epoch milliseconds UTC
 * @returns undefined if more is wrong with it than single cards, or nothing is
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
