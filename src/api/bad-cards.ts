/** Cards of a page that do not match the document, among others that do. */
import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
import { jsonText, whyNotKept } from '../runtime/json-text.ts';
import { describeIssue } from './breach.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { parseApiTime } from './time.ts';

/** The error names the first one. */
export class BadCards extends ScreenerError {
  /** `created_at` of each, epoch milliseconds UTC; undefined where it has none that can be read. */
  readonly times: readonly (number | undefined)[];
  /** What tells each from another: a walk may meet the same card on two pages. */
  readonly texts: readonly string[];

  constructor(cards: readonly unknown[]) {
    const [first] = cards;
    const { id } = fieldsOf(first);
    const hasId = typeof id === 'number' || typeof id === 'bigint';
    const name = hasId ? `Card ${id}` : 'A card without an id';
    const message = `${name} does not match the API document: ${whyBad(first)}.`;
    const hint = 'The other cards are kept. If it stays so, the service has changed.';
    super('bad_answer', message, { scope: 'card', hint });
    this.texts = cards.map(textOf);
    this.times = cards.map((card) => parseApiTime(String(fieldsOf(card).created_at)));
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

/** @returns undefined for a good card */
function whyBad(card: unknown): string | undefined {
  const [issue] = v.safeParse(SignalCard, card, { abortEarly: true }).issues ?? [];
  if (issue !== undefined) return describeIssue(issue);
  const why = whyNotKept(card);
  return why === undefined ? undefined : `it ${why}`;
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

/**
 * What is good of a page that broke the contract.
 * @param error of the client
 * @throws the error itself, if more is wrong with the page than single cards
 */
export function withoutBadCards(error: unknown): SplitPage {
  const resource = error instanceof ScreenerError ? error.cause : undefined;
  const { items } = (resource ?? {}) as { readonly items?: unknown };
  if (!Array.isArray(items)) throw error;
  const bad = items.filter((card) => whyBad(card) !== undefined);
  const good = items.filter((card) => whyBad(card) === undefined);
  const page = { ...(resource as object), items: good };
  const isPage = v.is(SignalPage, page) && whyNotKept(page) === undefined;
  if (bad.length === 0 || !isPage) throw error;
  return { page, bad: new BadCards(bad) };
}
