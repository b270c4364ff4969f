import type { SignalCard, SignalPage } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import type { SignalsQuery } from '../api/operations.ts';
import { isUsableCursor, pages } from '../api/pages.ts';
import { formatApiTime } from '../api/time.ts';
import type { Client } from '../api/types.ts';
import { planPages, type Work } from '../credits/estimate.ts';
import { ScreenerError, usageError } from '../errors.ts';
import { checkFields } from '../output/fields.ts';
import { minuteTime } from '../output/format.ts';
import { safeText } from '../output/safe-text.ts';
import type { Batch, View } from '../output/types.ts';
import { cardView } from '../output/views/card.ts';
import { cardOutcomeView } from '../output/views/card-outcome.ts';
import { details } from './details.ts';
import { checkWindow } from './flags/moment.ts';
import type { GlobalOptions, Invocation } from './invocation.ts';
import type { ListOptions } from './list-options.ts';
import { nextCommand, showCommand } from './next-command.ts';
import { planned } from './plan.ts';

/** Where the walk stands, for the document's head and for the line that says how to go on. */
interface Walk {
  first: SignalPage | undefined;
  nextCursor: string | null;
  listed: number;
  /** Whether the last page was the last there is. */
  ended: boolean;
  /** Every cursor so far: one that comes again leads nowhere and is not offered. */
  readonly cursors: Set<string>;
  /** Cards that were listed, but whose outcome was not bought. */
  readonly unbought: number[];
}

/**
 * `screener signals ls`: the caller's recorded cards, newest first, 1 credit per page of up to 25; with --outcomes
 * 1 more for each card.
 */
export async function run(invocation: Invocation, options: ListOptions): Promise<void> {
  checkWindow(options);
  const view: View<SignalCard> = options.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
  if (!options.outcomes) checkBought(invocation.globals.fields);
  checkFields(view, invocation.globals.fields);
  if (await planned(invocation, listWork(options))) return;
  const affordable = affordableCards(options, invocation.globals.maxCredits);
  const wanted = Math.min(options.cards, affordable);
  if (wanted === 0) throw ceilingReached(invocation, 'Nothing was sent.', 'Raise --max-credits.');
  const { client } = await invocation.connect();
  const walk: Walk = {
    first: undefined,
    nextCursor: options.cursor ?? null,
    listed: 0,
    ended: false,
    cursors: new Set(),
    unbought: [],
  };
  try {
    await invocation.output.list(view, {
      batches: batches(invocation, client, { ...options, cards: wanted }, walk),
      head: () => headOf(walk),
      shape: 'page',
    });
    if (walk.nextCursor !== null && wanted < options.cards) {
      const next = nextPage(options, walk, invocation.globals);
      walk.nextCursor = null;
      throw ceilingReached(invocation, `${walk.listed} cards are printed, more follow.`, next);
    }
  } finally {
    invocation.closing.push(...howToGoOn(invocation, options, walk));
  }
}

/** Sentences for the last line: what is left of this page, and where the next one is. */
function howToGoOn({ globals }: Invocation, options: ListOptions, walk: Walk): string[] {
  const { first, nextCursor, unbought } = walk;
  if (first === undefined) return [];
  const outcomes = unbought.length === 0 ? [] : [`The outcomes of this page's rest: ${showCommand(unbought, globals)}`];
  if (nextCursor !== null) return [...outcomes, nextPage(options, walk, globals)];
  const isDefault =
    walk.ended &&
    options.cards === Number.POSITIVE_INFINITY &&
    options.since === undefined &&
    options.cursor === undefined;
  const window = `These are the cards since ${minuteTime(first.since)} UTC, where the service begins of its own accord; --since TIME may go further back.`;
  return isDefault ? [...outcomes, window] : outcomes;
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
function nextPage(options: ListOptions, { nextCursor, listed }: Walk, globals: GlobalOptions): string {
  const cursor = nextCursor ?? '';
  // What was asked for and has not come; where all of it has, as much again.
  const cards = options.cards > listed ? options.cards - listed : options.cards;
  if (!isUsableCursor(cursor)) return 'There is a next page, but its next_cursor is none that can be sent back.';
  if (safeText(cursor) === cursor) return `Next page: ${nextCommand({ ...options, cards }, cursor, globals)}`;
  return 'There is a next page; its cursor holds characters that cannot be shown: take next_cursor from --json.';
}

function filtersOf(options: ListOptions): Omit<SignalsQuery, 'cursor' | 'limit'> {
  const { since, until, symbol, type } = options;
  return {
    since: since === undefined ? undefined : formatApiTime(since),
    until: until === undefined ? undefined : formatApiTime(until),
    symbol,
    screener_type: type,
  };
}

async function* batches(
  invocation: Invocation,
  client: Client,
  options: ListOptions,
  walk: Walk,
): AsyncGenerator<Batch<SignalCard>> {
  const { notes } = invocation;
  const progress = notes.progress('Asking for cards');
  try {
    if (options.cursor !== undefined) walk.cursors.add(options.cursor);
    for await (const page of pages(client, {
      filters: filtersOf(options),
      cursor: options.cursor,
      cards: options.cards,
    })) {
      const limit = Math.min(LIMITS.cardsPerPage, options.cards - walk.listed);
      if (page.items.length > limit)
        notes.warn(`The service sent ${page.items.length} cards where ${limit} were asked for; all are kept.`);
      walk.first ??= page;
      walk.listed += page.items.length;
      const repeats = page.next_cursor !== null && walk.cursors.has(page.next_cursor);
      walk.ended = page.next_cursor === null;
      walk.nextCursor = repeats ? null : page.next_cursor;
      if (page.next_cursor !== null) walk.cursors.add(page.next_cursor);
      const more = page.next_cursor !== null && walk.listed < options.cards;
      progress.update(`Asking for cards: ${walk.listed} so far`);
      if (options.outcomes) yield* withOutcomes(invocation, client, page.items, more, walk.unbought);
      else yield { items: page.items, more };
    }
  } finally {
    progress.stop();
  }
}

/**
 * The page's cards as details, one by one. A card whose detail could not be had is passed on as it was listed: it is
 * paid for, and the missing `outcome` shows that nobody answered for it.
 */
async function* withOutcomes(
  invocation: Invocation,
  client: Client,
  items: readonly SignalCard[],
  morePages: boolean,
  unbought: number[],
): AsyncGenerator<Batch<SignalCard>> {
  const cards = new Map(items.map((card) => [card.id, card]));
  let failure: ScreenerError | undefined;
  let left = items.length;
  for await (const result of details(
    invocation,
    client,
    items.map((card) => card.id),
  )) {
    left -= 1;
    if ('error' in result) {
      failure ??= result.error;
      unbought.push(result.id);
      if (!result.skipped) invocation.notes.warn(`No outcome for card ${result.id}: ${result.error.message}`);
    }
    const card = 'detail' in result ? result.detail : cards.get(result.id);
    if (card !== undefined) yield { items: [card], more: left > 0 || (morePages && failure === undefined) };
  }
  if (failure !== undefined) throw failure;
}

function headOf({ first, nextCursor }: Walk): Record<string, unknown> {
  if (first === undefined) return {};
  return { ...first, next_cursor: nextCursor };
}

/** The requests of a list. The service gives no total count, so where it walks to the end nobody knows how many. */
function listWork({ cards, outcomes }: ListOptions): Work[] {
  const all = cards === Number.POSITIVE_INFINITY;
  const list: Work = { operation: 'signals', requests: planPages({ limit: cards, all }) };
  const each: Work = { operation: 'signal', requests: { least: 0, most: all ? undefined : cards } };
  return outcomes ? [list, each] : [list];
}

/** With outcomes, k cards cost ceil(k/25) + k: only as many are listed as can also be shown. */
function affordableCards({ outcomes }: ListOptions, credits: number | undefined): number {
  if (credits === undefined) return Number.POSITIVE_INFINITY;
  if (!outcomes) return credits * LIMITS.cardsPerPage;
  let cards = Math.floor((credits * LIMITS.cardsPerPage) / (LIMITS.cardsPerPage + 1));
  while (cards + Math.ceil(cards / LIMITS.cardsPerPage) > credits) cards -= 1;
  return cards;
}

/** Says how to go on in the error itself: with --quiet it is the only line there is. */
function ceilingReached({ globals }: Invocation, what: string, hint: string): ScreenerError {
  return new ScreenerError('budget_reached', `--max-credits ${globals.maxCredits} is reached. ${what}`, { hint });
}
