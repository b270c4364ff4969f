import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { parseApiTime } from '../api/time.ts';
import type { Account } from '../credits/account.ts';
import { listWork } from '../credits/estimate.ts';
import { ScreenerError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import { safeText } from '../output/safe-text.ts';
import type { View } from '../output/types.ts';
import { cardOutcomeView, cardView } from '../output/views/card-lists.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { confirmCost } from './confirm-cost.ts';
import { Details } from './details.ts';
import { type Invocation, knowCreditsLeft } from './invocation.ts';
import { keepLastList, type ListPlace, readLastList } from './last-list.ts';
import { withOutcomes } from './list-outcomes.ts';
import { checkNearMiss } from './near-miss.ts';
import { type ListRequest, nextCommand, showCommand } from './next-command.ts';
import { PageWalk } from './page-walk.ts';

interface Options extends Omit<ListRequest, 'cards'> {
  readonly all: boolean;
  readonly limit: number | undefined;
  readonly next: boolean;
}

/**
 * `screener signals ls`: the caller's recorded cards, newest first, 1 credit per page of up to 25; with --outcomes
 * 1 more for each card.
 */
export async function run(invocation: Invocation, given: Options): Promise<void> {
  const { globals, output, closing } = invocation;
  const view: View<SignalCard> = given.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
  const connection = await invocation.connect();
  const { account } = connection;
  const { id } = account;
  const cards = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? LIMITS.cardsPerPage);
  const asked = { ...given, cards };
  const options = given.next ? { ...asked, ...readLastList(invocation.context.directories.state, id) } : asked;
  checkNearMiss(invocation, options);
  await confirmCost(invocation, listWork(given));
  if (globals.keep) await knowCreditsLeft(invocation, connection);
  const affordable = () => affordableCards(options, account.ceiling().credits);
  if (affordable() < 1) throw ceilingReached(invocation, account, 'Nothing billable was sent.');
  const paid = options.outcomes ? new Details(invocation, connection) : undefined;
  const walk = new PageWalk({ ...options, affordable, hasCeiling: globals.maxCredits !== undefined });
  /** Cards that were listed, but whose outcome was not bought. */
  const unbought: number[] = [];
  const listed = walk.batches(invocation, connection.client);
  try {
    await output.list(view, {
      batches: paid === undefined ? listed : withOutcomes(invocation, paid, listed, unbought),
      head: () => walk.head(),
    });
    const place = nextPlace(options, walk);
    if (place !== undefined && walk.listed < options.cards) {
      const next = await howToGoOn(invocation, options, walk, place, id);
      walk.next = undefined;
      const printed = `${walk.listed} cards are printed, more follow.`;
      if (affordable() < 1) throw ceilingReached(invocation, account, printed, next);
      throw new ScreenerError(
        'budget_reached',
        `The pages are short: ${walk.read} of them instead of ${walk.quoted}. ${printed}`,
        { hint: next },
      );
    }
  } finally {
    await paid?.finish();
    if (unbought.length > 0) closing.push(`The outcomes of this page's rest:\n${showCommand(unbought, invocation)}`);
    const next = nextPlace(options, walk);
    if (next !== undefined) closing.push(await howToGoOn(invocation, options, walk, next, id));
    else if (walk.ended) await keepPlace(invocation, id, undefined);
    if (walk.ended && isEverything(options)) closing.push(whereItBegins(walk));
  }
}

function isEverything({ cards, since, cursor }: ListRequest): boolean {
  return cards === Number.POSITIVE_INFINITY && since === undefined && cursor === undefined;
}

function whereItBegins({ first }: PageWalk): string {
  const since = minuteTime(first?.since ?? '');
  return `These are the cards since ${since} UTC: the service chose that start. An earlier --since may show more.`;
}

/** Where the list goes on; undefined where it does not, or nothing came. */
function nextPlace({ symbol, type }: ListRequest, { next, first }: PageWalk): ListPlace | undefined {
  if (first === undefined || next === undefined) return undefined;
  const { since, until, cursor } = next;
  return { since: timeAt(since), until: timeAt(until), symbol, type, cursor };
}

function timeAt(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseApiTime(time);
}

/**
 * The line that says how to go on. On a terminal the place is kept for `--next`; a script gets a line that means the same
 * whatever is listed meanwhile. A cursor that cannot be sent, or shown as it is, is not offered: it would be another one.
 */
async function howToGoOn(
  invocation: Invocation,
  options: ListRequest,
  { listed }: PageWalk,
  place: ListPlace,
  account: string,
): Promise<string> {
  const { cursor } = place;
  const rest = { ...options, cards: cardsLeft(options, listed) };
  if (await keepPlace(invocation, account, place)) return `Go on with:\n${nextCommand(rest, invocation, true)}`;
  if (cursor === undefined || safeText(cursor) === cursor)
    return `Go on with:\n${nextCommand({ ...rest, ...place }, invocation)}`;
  return 'There is a next page; its cursor holds characters that cannot be shown: take next_cursor from --json.';
}

/** Keeps for `--next` where the list stands: for people alone, scripts get the whole line. @returns whether it was kept */
async function keepPlace({ context, globals }: Invocation, account: string, place: ListPlace | undefined) {
  if (!context.stderr.isTTY || globals.demo) return false;
  return keepLastList(context.directories.state, account, place);
}

/** What was asked for and has not come; where all of it has, as much again. */
function cardsLeft({ cards }: ListRequest, listed: number): number {
  return cards > listed ? cards - listed : cards;
}

/**
 * Cards of the next page that so many credits allow. With outcomes only as many are listed as can also be shown, should
 * the history hold none of them.
 */
function affordableCards({ outcomes }: ListRequest, credits: number): number {
  return outcomes ? credits - OPERATIONS.signals.cost : credits * LIMITS.cardsPerPage;
}

/** Says how to go on in the error itself: with --quiet it is the only line there is. */
function ceilingReached({ globals }: Invocation, account: Account, what: string, next?: string): ScreenerError {
  const [limit, hint] =
    account.ceiling().limit === 'keep'
      ? [
          `--keep ${globals.keep} is reached: ${pluralize(account.monthLeft() ?? 0, 'credit')} of this month left.`,
          'Lower --keep (or SCREENER_KEEP), or wait until the credits reset.',
        ]
      : [`--max-credits ${globals.maxCredits} is reached.`, 'Raise --max-credits.'];
  return new ScreenerError('budget_reached', `${limit} ${what}`, { hint: next ?? hint });
}
