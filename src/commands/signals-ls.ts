import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { at } from '../api/time.ts';
import type { Account } from '../credits/account.ts';
import { listWork } from '../credits/estimate.ts';
import { ScreenerError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import type { View } from '../output/types.ts';
import { cardOutcomeView, cardView } from '../output/views/card-lists.ts';
import { confirmCost } from './parts/confirm-cost.ts';
import { Details } from './parts/details.ts';
import { type Invocation, knowCreditsLeft } from './parts/invocation.ts';
import { lastList, readLastList } from './parts/last-list.ts';
import { checkNearMiss, emptyOf } from './parts/near-miss.ts';
import { commandLine, type ListRequest, nextCommand } from './parts/next-command.ts';
import { PageWalk } from './parts/page-walk.ts';

interface LsOptions extends Omit<ListRequest, 'cards'> {
  readonly all: boolean;
  readonly limit: number | undefined;
  readonly next: boolean;
}

export async function run(invocation: Invocation, given: LsOptions): Promise<void> {
  const { context, globals, output, closing } = invocation;
  const view: View<SignalCard> = given.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
  const connection = await invocation.connect();
  const { account } = connection;
  const cards = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? LIMITS.cardsPerPage);
  const next = given.next ? readLastList(context.directories.state, account.id) : {};
  const options = { ...given, cards, ...next };
  if (!(await checkNearMiss(invocation, options, listWork(given)))) await confirmCost(invocation, listWork(given));
  if (globals.keep || (given.all && !globals.demo)) await knowCreditsLeft(invocation, connection);
  /** Cards of the next page that the credits left allow; with outcomes only as many as can also be shown. */
  // Every card of an account may be more than its credits.
  const left = () => (given.all && !globals.demo ? account.left() : account.ceiling());
  const affordable = () => {
    const { credits } = left();
    return options.outcomes ? credits - OPERATIONS.signals.cost : credits * LIMITS.cardsPerPage;
  };
  const paid = options.outcomes ? new Details(invocation, connection) : undefined;
  const walk = new PageWalk({ ...options, affordable, hasCeiling: globals.maxCredits !== undefined });
  if (affordable() < 1) throw stoppedEarly(account.reached(left().limit), walk, 0);
  const unbought: number[] = [];
  const listed = walk.batches(invocation, connection.client);
  let isShort = false;
  let more: string | undefined;
  try {
    const batches = paid === undefined ? listed : paid.ofList(listed, unbought);
    await output.list({ ...view, empty: emptyOf(options) }, { batches, head: () => walk.head() });
    isShort = walk.listed < cards && !walk.ended;
  } finally {
    await paid?.finish();
    const rest = commandLine(invocation, ['signals', 'show', ...unbought]);
    if (unbought.length > 0) closing.push(['The outcomes of the other cards on this page:', rest]);
    more = await howToGoOn(invocation, options, walk, account.id);
    if (more !== undefined && !isShort) closing.push(['Go on with:', more]);
    const since = minuteTime(walk.first?.since ?? '');
    if (walk.ended && given.all && options.since === undefined && options.cursor === undefined)
      closing.push([`The service listed cards since ${since} UTC only. An earlier --since may show more.`]);
  }
  // The error itself says how to go on: with --quiet it is the only line there is.
  if (isShort) throw stoppedEarly(account.reached(left().limit), walk, affordable(), more);
}

/** Undefined at the end. On a terminal the place is kept for `--next`, if not of a demo; a script gets the whole line. */
async function howToGoOn(
  { context, globals }: Invocation,
  options: ListRequest,
  { first, next, listed, ended }: PageWalk,
  account: string,
): Promise<string | undefined> {
  const isTTY = context.stderr.isTTY;
  const keeps = isTTY && !globals.demo ? lastList(context.directories.state, account) : undefined;
  if (ended) await keeps?.tryToWrite(null);
  if (first === undefined || next === undefined || (isTTY && globals.demo)) return undefined;
  const { symbol, type, cards } = options;
  const [since, until] = [next.since, next.until].map((time) => (time === undefined ? undefined : at(time)));
  const place = { since, until, symbol, type, cursor: next.cursor };
  // If all that was asked for has come, as much again.
  const rest = { ...options, cards: cards > listed ? cards - listed : cards };
  const isKept = (await keeps?.tryToWrite(place)) === true;
  return nextCommand(isKept ? rest : { ...rest, ...place }, { context, globals }, isKept);
}

function stoppedEarly(
  { what, hint, until }: ReturnType<Account['reached']>,
  { listed, read, quoted }: PageWalk,
  affordable: number,
  goOn?: string,
): ScreenerError {
  const isReached = affordable < 1;
  const why = isReached ? `${what}.` : `The pages are short: ${read} of them instead of ${quoted}.`;
  const printed = listed === 0 ? 'Nothing billable was sent.' : `${listed} cards are printed; there are more.`;
  return new ScreenerError('budget_reached', `${why} ${printed}`, {
    hint: goOn === undefined ? hint : `${isReached ? `${hint} Then go` : 'Go'} on with:\n${goOn}`,
    retryAt: isReached ? until : undefined,
  });
}
