import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { isUsableCursor } from '../api/pages.ts';
import { planPages, type Work } from '../credits/estimate.ts';
import { ScreenerError, usageError } from '../errors.ts';
import { checkFields } from '../output/fields.ts';
import { minuteTime } from '../output/format.ts';
import { safeText } from '../output/safe-text.ts';
import type { View } from '../output/types.ts';
import { cardOutcomeView, cardView } from '../output/views/card-lists.ts';
import { checkWindow } from './flags/moment.ts';
import type { Invocation } from './invocation.ts';
import type { ListOptions } from './list-options.ts';
import { affordableWithOutcomes, withOutcomes } from './list-outcomes.ts';
import { nextCommand, showCommand } from './next-command.ts';
import { PageWalk } from './page-walk.ts';
import { planned } from './plan.ts';

/**
 * `screener signals ls`: the caller's recorded cards, newest first, 1 credit per page of up to 25; with --outcomes
 * 1 more for each card.
 */
export async function run(invocation: Invocation, options: ListOptions): Promise<void> {
  const { globals, output, closing } = invocation;
  checkWindow(options);
  const view: View<SignalCard> = options.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
  if (!options.outcomes) checkBought(globals.fields);
  checkFields(view, globals.fields);
  if (await planned(invocation, listWork(options))) return;
  const wanted = Math.min(options.cards, affordableCards(options, globals.maxCredits));
  if (wanted === 0) throw ceilingReached(invocation, 'Nothing was sent.', 'Raise --max-credits.');
  const { client } = await invocation.connect();
  const walk = new PageWalk({ ...options, cards: wanted });
  /** Cards that were listed, but whose outcome was not bought. */
  const unbought: number[] = [];
  const cards = walk.batches(invocation, client);
  try {
    await output.list(view, {
      batches: options.outcomes ? withOutcomes(invocation, client, cards, unbought) : cards,
      head: () => walk.head(),
      shape: 'page',
    });
    if (walk.nextCursor !== null && wanted < options.cards) {
      const next = nextPage(invocation, options, walk);
      walk.nextCursor = null;
      throw ceilingReached(invocation, `${walk.listed} cards are printed, more follow.`, next);
    }
  } finally {
    if (unbought.length > 0) closing.push(`The outcomes of this page's rest: ${showCommand(unbought, globals)}`);
    if (walk.stuckAt !== undefined) closing.push(fromOldest(invocation, options, walk, walk.stuckAt));
    else if (walk.first !== undefined && walk.nextCursor !== null) closing.push(nextPage(invocation, options, walk));
    else if (walk.ended && isEverything(options)) closing.push(whereItBegins(walk));
  }
}

function isEverything({ cards, since, cursor }: ListOptions): boolean {
  return cards === Number.POSITIVE_INFINITY && since === undefined && cursor === undefined;
}

function whereItBegins({ first }: PageWalk): string {
  const since = minuteTime(first?.since ?? '');
  return `These are the cards since ${since} UTC, where the service begins of its own accord; --since TIME may go further back.`;
}

/** A field that only comes with an outcome is no slip of the pen. */
function checkBought(fields: readonly string[] | undefined): void {
  const listed = new Set(cardView.fields.map(({ name }) => name));
  const bought = new Set(cardOutcomeView.fields.map(({ name }) => name).filter((name) => !listed.has(name)));
  const field = fields?.find((name) => bought.has(name) || bought.has(name.split('.')[0] ?? ''));
  if (field === undefined) return;
  throw usageError(
    `${field} is not in a list of cards: it is bought card by card.`,
    'Add --outcomes (1 credit a card more), or --from DIR.',
  );
}

/** A cursor that cannot be shown as it is (or not at all) is not offered for copying: it would be another one. */
function nextPage({ globals }: Invocation, options: ListOptions, { nextCursor, listed }: PageWalk): string {
  const cursor = nextCursor ?? '';
  if (!isUsableCursor(cursor)) return 'There is a next page, but its next_cursor is none that can be sent back.';
  if (safeText(cursor) === cursor)
    return `Next page: ${nextCommand({ ...options, cards: cardsLeft(options, listed) }, cursor, globals)}`;
  return 'There is a next page; its cursor holds characters that cannot be shown: take next_cursor from --json.';
}

/** Where no cursor leads on: the cards up to the oldest that came, which then comes once more. */
function fromOldest({ globals }: Invocation, options: ListOptions, { listed }: PageWalk, until: number): string {
  return `Next page: ${nextCommand({ ...options, until, cards: cardsLeft(options, listed) }, undefined, globals)}`;
}

/** What was asked for and has not come; where all of it has, as much again. */
function cardsLeft({ cards }: ListOptions, listed: number): number {
  return cards > listed ? cards - listed : cards;
}

/** The requests of a list. The service gives no total count, so where it walks to the end nobody knows how many. */
function listWork({ cards, outcomes }: ListOptions): Work[] {
  const all = cards === Number.POSITIVE_INFINITY;
  const list: Work = { operation: 'signals', requests: planPages({ limit: cards, all }) };
  const each: Work = { operation: 'signal', requests: { least: 0, most: all ? undefined : cards } };
  return outcomes ? [list, each] : [list];
}

/** With outcomes only as many cards are listed as can also be shown. */
function affordableCards({ outcomes }: ListOptions, credits: number | undefined): number {
  if (credits === undefined) return Number.POSITIVE_INFINITY;
  return outcomes ? affordableWithOutcomes(credits) : credits * LIMITS.cardsPerPage;
}

/** Says how to go on in the error itself: with --quiet it is the only line there is. */
function ceilingReached({ globals }: Invocation, what: string, hint: string): ScreenerError {
  return new ScreenerError('budget_reached', `--max-credits ${globals.maxCredits} is reached. ${what}`, { hint });
}
