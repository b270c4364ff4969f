/** `screener signals ls`, if it asks the service. From a history `signals-ls-local.ts` answers. */
import * as v from 'valibot';
import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { at } from '../api/time.ts';
import type { Account } from '../credits/account.ts';
import { listWork } from '../credits/cost.ts';
import { FREE_MEANWHILE, type ReachedLimit } from '../credits/credit-ceiling.ts';
import { ScreenerError, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import type { View } from '../output/types.ts';
import { cardOutcomeView, cardView } from '../output/views/card-lists.ts';
import type { Context } from '../runtime/context.ts';
import { keptFile } from '../runtime/kept-file.ts';
import type { Filters } from './parts/card-options.ts';
import { openDetails, withDetails } from './parts/details.ts';
import { type Invocation, refreshCreditsLeft } from './parts/invocation.ts';
import { checkNearMiss, emptyListText } from './parts/near-miss.ts';
import { commandLine, type ListRequest, nextCommand } from './parts/next-command.ts';
import { PageWalk } from './parts/page-walk.ts';
import { confirmCost } from './parts/plan.ts';

interface LsOptions extends Omit<ListRequest, 'cards'> {
  /** Whether every card is asked for. */
  readonly all: boolean;
  /** How many cards are asked for; undefined for a page. */
  readonly limit: number | undefined;
  /** Whether the command continues the last list, with the filters of that list. */
  readonly next: boolean;
}

/** The filters of an account's last list, and where it stopped. Times are epoch milliseconds UTC. Null if the list has ended. */
const LastList = v.nullable(
  v.partial(
    v.object({
      since: v.number(),
      until: v.number(),
      symbol: v.string(),
      type: v.string(),
      cursor: v.string(),
    } satisfies Readonly<Record<keyof Filters | 'cursor', v.GenericSchema>>),
  ),
);

const lastListFile = ({ directories }: Context, { id }: Account) =>
  keptFile(directories.state, `lists/${id}.json`, v.parser(LastList));

/** @throws ScreenerError usage, if there is no list to continue */
function readLastList(context: Context, account: Account) {
  const lastList = lastListFile(context, account).read();
  if (lastList) return lastList;
  const hint =
    'Start one on a terminal with `screener signals ls`; a script continues with --cursor.';
  throw usageError('No list of this account has a next page.', hint);
}

export async function run(invocation: Invocation, options: LsOptions): Promise<void> {
  const { context, globals, output, closing } = invocation;
  const { client, account } = await invocation.connect();
  const cards = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? LIMITS.cardsPerPage);
  const lastList = options.next ? readLastList(context, account) : {};
  const request: ListRequest = { ...options, cards, ...lastList };
  const isTypeUnchecked = await checkNearMiss(invocation, request);
  // A type that was never seen may be mistyped: the user is asked, whatever the list costs.
  await confirmCost(invocation, listWork(options), isTypeUnchecked);
  // With --all the number of cards is not known beforehand: they may cost more credits than are left.
  const isOpenEnded = options.all && !globals.demo;
  if (globals.keep || isOpenEnded) await refreshCreditsLeft(invocation, { client, account });
  /** The limit that leaves the fewest credits, and how many. Without --all it is undefined if the user has set no limit. */
  const creditsToSpend = () => (isOpenEnded ? account.left() : account.ceiling());
  const affordable = () => affordableCards(creditsToSpend()?.credits, request);
  const hasCeiling = globals.maxCredits !== undefined;
  const walk = new PageWalk({ ...request, affordable, hasCeiling });
  /** The error of a list that ended early. @param nextLine the command line that goes on */
  const stoppedError = (affordableNow: number, nextLine?: string) => {
    const { limit } = creditsToSpend() ?? account.left();
    return stoppedEarly(account.limitReached(limit), walk, affordableNow, nextLine);
  };
  if (affordable() < 1) throw stoppedError(0);
  const details = request.outcomes ? await openDetails(invocation, { client, account }) : undefined;
  const unbought: number[] = [];
  let isShort = false;
  let nextLine: string | undefined;
  try {
    const pages = walk.batches(invocation, client);
    const batches = details ? withDetails(pages, details, unbought, invocation) : pages;
    const view = options.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
    await output.list(
      { ...view, empty: emptyListText(request) },
      { batches, head: () => walk.head() },
    );
    isShort = walk.cardsListed < cards && !walk.hasEnded;
  } finally {
    details?.finish();
    if (unbought.length > 0) {
      const line = commandLine(invocation, 'signals show', {}, ...unbought);
      closing.push(['The outcomes of the other cards on this page:', line]);
    }
    nextLine = await howToGoOn(invocation, request, walk, account);
    // If a limit ended the list, the error below has this line, because with --quiet only the error is printed.
    if (nextLine !== undefined && !isShort) closing.push(['Go on with:', nextLine]);
    const { firstPage, hasEnded } = walk;
    const isBeginChosenByService = request.since === undefined && request.cursor === undefined;
    if (options.all && hasEnded && isBeginChosenByService && firstPage !== undefined) {
      const since = minuteTime(firstPage.since);
      closing.push([
        `Without --since the service listed cards since ${since} UTC: an earlier --since may show more.`,
      ]);
    }
  }
  if (isShort) throw stoppedError(affordable(), nextLine);
}

/**
 * How many more cards the credits pay for. With --outcomes each card costs a credit, in addition to the credit of its page: 10
 * credits pay for 9 cards.
 * @param credits undefined if there is no limit
 */
function affordableCards(credits: number | undefined, { outcomes }: ListRequest): number {
  if (credits === undefined) return Number.POSITIVE_INFINITY;
  return outcomes ? credits - OPERATIONS.signals.cost : credits * LIMITS.cardsPerPage;
}

/**
 * The command line that goes on. On a terminal the list's place is kept in a file for `--next`; elsewhere the line names the place.
 * @returns undefined at the end of the list; also in a demo on a terminal, because a demo keeps nothing
 */
async function howToGoOn(
  { context, globals }: Invocation,
  request: ListRequest,
  walk: PageWalk,
  account: Account,
): Promise<string | undefined> {
  const { firstPage, next, cardsListed, hasEnded } = walk;
  const isTTY = context.stderr.isTTY;
  const file = isTTY && !globals.demo ? lastListFile(context, account) : undefined;
  if (hasEnded) await file?.tryToWrite(null);
  if (firstPage === undefined || next === undefined) return undefined;
  if (isTTY && globals.demo) return undefined;
  const { symbol, type, cards } = request;
  const place = {
    since: optionalTime(next.since),
    until: optionalTime(next.until),
    symbol,
    type,
    cursor: next.cursor,
  };
  const isKept = await file?.tryToWrite(place);
  // The next command asks for the cards that are missing; if none are, for as many as this one.
  const cardsLeft = cards > cardsListed ? cards - cardsListed : cards;
  return nextCommand({ ...request, ...place, cards: cardsLeft }, { context, globals }, isKept);
}

function optionalTime(time: string | undefined): number | undefined {
  return time === undefined ? undefined : at(time);
}

/**
 * The error of a list that ended before all wanted cards had come.
 * @param affordable how many more cards the credits pay for. Below 1 the limit has ended the list; otherwise its pages were short.
 * @param nextLine the command line that goes on
 */
function stoppedEarly(
  limit: ReachedLimit,
  walk: PageWalk,
  affordable: number,
  nextLine?: string,
): ScreenerError {
  const { cardsListed, pagesRead, pagesQuoted } = walk;
  const cardsText = cardsListed === 1 ? '1 card is' : `${cardsListed} cards are`;
  const nothingPrinted =
    pagesRead === 0 ? 'Nothing billable was sent.' : 'No card has come so far.';
  const printed = cardsListed === 0 ? nothingPrinted : `${cardsText} printed; there are more.`;
  if (affordable < 1) {
    // The limit has no end if the user set it for this command alone (--max-credits): then there is nothing to wait for.
    const isWaitOfUse = limit.until !== undefined;
    const meanwhile = pagesRead === 0 && isWaitOfUse ? ` ${FREE_MEANWHILE}` : '';
    const hint =
      nextLine === undefined
        ? `${limit.hint}${meanwhile}`
        : `${limit.hint} Then go on with:\n${nextLine}`;
    return new ScreenerError('budget_reached', `${limit.what}. ${printed}`, {
      hint,
      retryAt: limit.until,
    });
  }
  const why = `The pages are short: ${pagesRead} of them instead of ${pagesQuoted}.`;
  const hint = nextLine === undefined ? limit.hint : `Go on with:\n${nextLine}`;
  return new ScreenerError('budget_reached', `${why} ${printed}`, { hint });
}
