/**
 * `screener signals ls`, if it asks the service. With --local or --from `signals-ls-local.ts` runs
 * (`declarations/signals.ts`).
 */
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
  /** Whether it goes on with the last list, by that list's filters. */
  readonly next: boolean;
}

/** Where the last list of an account stopped, times in epoch milliseconds UTC; null if it came to its end. */
const Saved = v.nullable(
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

const lastList = ({ directories }: Context, { id }: Account) =>
  keptFile(directories.state, `lists/${id}.json`, v.parser(Saved));

/** @throws ScreenerError usage if there is nothing to go on with */
function readLastList(context: Context, account: Account) {
  const saved = lastList(context, account).read();
  if (saved) return saved;
  const hint =
    'Start one on a terminal with `screener signals ls`; a script continues with --cursor.';
  throw usageError('No list of this account has a next page.', hint);
}

export async function run(invocation: Invocation, options: LsOptions): Promise<void> {
  const { context, globals, output, closing } = invocation;
  const { client, account } = await invocation.connect();
  const cards = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? LIMITS.cardsPerPage);
  // The filters of the last list were saved with its place.
  const place = options.next ? readLastList(context, account) : {};
  const request: ListRequest = { ...options, cards, ...place };
  const isUnknownType = await checkNearMiss(invocation, request);
  await confirmCost(invocation, listWork(options), isUnknownType);
  // With --all nobody knows beforehand how many cards there are: they may cost more than is left.
  const isOpenEnded = options.all && !globals.demo;
  if (globals.keep || isOpenEnded) await refreshCreditsLeft(invocation, { client, account });
  const creditsToSpend = () => (isOpenEnded ? account.left() : account.ceiling());
  const affordable = () => affordableCards(creditsToSpend()?.credits, request);
  const hasCeiling = globals.maxCredits !== undefined;
  const walk = new PageWalk({ ...request, affordable, hasCeiling });
  /** Ends the list early, because of the limit that leaves the fewest credits. */
  const stopped = (cardsLeft: number, nextLine?: string) => {
    const { limit } = creditsToSpend() ?? account.left();
    return stoppedEarly(account.limitReached(limit), walk, cardsLeft, nextLine);
  };
  if (affordable() < 1) throw stopped(0);
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
    // If a limit ended the list, the error below has this line: with --quiet nothing but the error is printed.
    if (nextLine !== undefined && !isShort) closing.push(['Go on with:', nextLine]);
    const isBegunByService = request.since === undefined && request.cursor === undefined;
    if (options.all && walk.hasEnded && isBegunByService) {
      const since = minuteTime(walk.firstPage?.since ?? '');
      closing.push([
        `Without --since the service listed cards since ${since} UTC: an earlier --since may show more.`,
      ]);
    }
  }
  if (isShort) throw stopped(affordable(), nextLine);
}

/**
 * How many cards of the next page so many credits pay for. With --outcomes each card costs a credit besides the page's.
 * @param credits undefined without a limit
 */
function affordableCards(credits: number | undefined, { outcomes }: ListRequest): number {
  if (credits === undefined) return Number.POSITIVE_INFINITY;
  return outcomes ? credits - OPERATIONS.signals.cost : credits * LIMITS.cardsPerPage;
}

/**
 * On a terminal the list's place is kept for `--next`, but not in a demo. Elsewhere the command line names the place itself.
 * @returns the command line that goes on; undefined at the end of the list, and in a demo on a terminal
 */
async function howToGoOn(
  { context, globals }: Invocation,
  request: ListRequest,
  walk: PageWalk,
  account: Account,
): Promise<string | undefined> {
  const { firstPage, next, cardsListed, hasEnded } = walk;
  const isTTY = context.stderr.isTTY;
  const file = isTTY && !globals.demo ? lastList(context, account) : undefined;
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
  // If as many cards as asked for have come, the next command asks for as many again.
  const cardsLeft = cards > cardsListed ? cards - cardsListed : cards;
  return nextCommand({ ...request, ...place, cards: cardsLeft }, { context, globals }, isKept);
}

function optionalTime(time: string | undefined): number | undefined {
  return time === undefined ? undefined : at(time);
}

/**
 * The error of a list that ends before as many cards as asked for have come.
 * @param affordable how many more cards the credits pay for: below 1 a limit has ended the list, else too many short pages
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
    // Where waiting is of no use, the user set the limit for this command alone.
    const meanwhile = pagesRead === 0 && limit.until !== undefined ? ` ${FREE_MEANWHILE}` : '';
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
