import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
import { describeIssue } from './bad-answer.ts';
import { SignalCard, SignalPage } from './contract/resources.ts';
import { parseApiTime } from './time.ts';

export class BadCards extends ScreenerError {
  /** `created_at` of each, epoch milliseconds UTC. */
  readonly times: readonly (number | undefined)[];
  readonly texts: readonly string[];

  constructor(cards: readonly unknown[]) {
    const [first] = cards;
    const id = (first as { id?: unknown } | null)?.id;
    const name = typeof id === 'number' ? `Card ${id}` : 'A card without an id';
    const issue = v.safeParse(SignalCard, first).issues?.[0];
    super('bad_answer', `${name} does not match the API document: ${issue ? describeIssue(issue) : 'it is no card'}.`, {
      hint: 'The other cards are kept. If it stays so, the service has changed.',
    });
    this.texts = cards.map((card) => JSON.stringify(card));
    this.times = cards.map((card) => parseApiTime(String((card as { created_at?: unknown } | null)?.created_at)));
  }
}

/** @throws the error itself, if more is wrong with the page than single cards */
export function withoutBadCards(error: unknown): { readonly page: SignalPage; readonly bad: BadCards } {
  const page = error instanceof ScreenerError ? (error.cause as { items?: unknown } | undefined) : undefined;
  if (!Array.isArray(page?.items)) throw error;
  const isGood = (card: unknown) => v.is(SignalCard, card);
  const rest = { ...page, items: page.items.filter(isGood) };
  const bad = page.items.filter((card) => !isGood(card));
  if (bad.length === 0 || !v.is(SignalPage, rest)) throw error;
  return { page: rest, bad: new BadCards(bad) };
}
