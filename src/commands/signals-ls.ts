/** `screener signals ls` of the service; with --local or --from it is `signals-ls-local.ts` (`declarations/signals.ts`). */
import * as v from 'valibot';
import type { SignalCard } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { at } from '../api/time.ts';
import type { Account } from '../credits/account.ts';
import { listWork } from '../credits/estimate.ts';
import { ScreenerError, usageError } from '../errors.ts';
import { minuteTime } from '../output/format.ts';
import type { View } from '../output/types.ts';
import { cardOutcomeView, cardView } from '../output/views/card-lists.ts';
import type { Context } from '../runtime/context.ts';
import { keptFile } from '../runtime/kept-file.ts';
import type { Filters } from './parts/card-options.ts';
import { openDetails, withDetails } from './parts/details.ts';
import { type Invocation, knowCreditsLeft } from './parts/invocation.ts';
import { checkNearMiss, emptyOf } from './parts/near-miss.ts';
import { commandLine, type ListRequest, nextCommand } from './parts/next-command.ts';
import { PageWalk } from './parts/page-walk.ts';
import { confirmCost } from './parts/plan.ts';

type LsOptions = Omit<ListRequest, 'cards'> &
  Readonly<{ all: boolean; limit: number | undefined; next: boolean }>;

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

export async function run(invocation: Invocation, given: LsOptions): Promise<void> {
  const { context, globals, output, closing } = invocation;
  const view: View<SignalCard> = given.outcomes ? (cardOutcomeView as View<SignalCard>) : cardView;
  const { client, account } = await invocation.connect();
  const cards = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? LIMITS.cardsPerPage);
  const list = { ...given, cards, ...(given.next ? readLastList(context, account) : {}) };
  await confirmCost(invocation, listWork(given), await checkNearMiss(invocation, list));
  // Every card of an account may be more than its credits.
  const isOpen = given.all && !globals.demo;
  if (globals.keep || isOpen) await knowCreditsLeft(invocation, { client, account });
  const left = () => (isOpen ? account.left() : account.ceiling());
  /** Cards of the next page that the credits left allow; with outcomes only as many as can also be shown. */
  const affordable = () =>
    list.outcomes ? left().credits - OPERATIONS.signals.cost : left().credits * LIMITS.cardsPerPage;
  const walk = new PageWalk({ ...list, affordable, hasCeiling: globals.maxCredits !== undefined });
  if (affordable() < 1) throw stoppedEarly(account.reached(left().limit), walk, 0);
  const paid = list.outcomes ? await openDetails(invocation, { client, account }) : undefined;
  const listed = walk.batches(invocation, client);
  const unbought: number[] = [];
  let isShort = false;
  let more: string | undefined;
  try {
    const batches = paid === undefined ? listed : withDetails(listed, paid, unbought, invocation);
    await output.list({ ...view, empty: emptyOf(list) }, { batches, head: () => walk.head() });
    isShort = walk.listed < cards && !walk.ended;
  } finally {
    paid?.finish();
    const rest = commandLine(invocation, 'signals show', {}, ...unbought);
    if (unbought.length > 0) closing.push(['The outcomes of the other cards on this page:', rest]);
    more = await howToGoOn(invocation, list, walk, account);
    if (more !== undefined && !isShort) closing.push(['Go on with:', more]);
    const since = minuteTime(walk.first?.since ?? '');
    if (walk.ended && given.all && list.since === undefined && list.cursor === undefined)
      closing.push([
        `The service listed cards since ${since} UTC only. An earlier --since may show more.`,
      ]);
  }
  // The error itself says how to go on: with --quiet it is the only line there is.
  if (isShort) throw stoppedEarly(account.reached(left().limit), walk, affordable(), more);
}

/** Undefined at the end. On a terminal the place is kept for `--next`, if not of a demo; a script gets the whole line. */
async function howToGoOn(
  { context, globals }: Invocation,
  list: ListRequest,
  walk: PageWalk,
  account: Account,
) {
  const { first, next, listed, ended } = walk;
  const isTTY = context.stderr.isTTY;
  const kept = isTTY && !globals.demo ? lastList(context, account) : undefined;
  if (ended) await kept?.tryToWrite(null);
  if (first === undefined || next === undefined || (isTTY && globals.demo)) return undefined;
  const { symbol, type, cards } = list;
  const [since, until] = [next.since, next.until].map((time) =>
    time === undefined ? undefined : at(time),
  );
  const place = { since, until, symbol, type, cursor: next.cursor };
  // If all that was asked for has come, as much again.
  const rest = { ...list, ...place, cards: cards > listed ? cards - listed : cards };
  return nextCommand(rest, { context, globals }, await kept?.tryToWrite(place));
}

function stoppedEarly(
  reached: ReturnType<Account['reached']>,
  walk: PageWalk,
  affordable: number,
  goOn?: string,
) {
  const { what, hint, until } = reached;
  const { listed, read, quoted } = walk;
  const isReached = affordable < 1;
  const why = isReached ? `${what}.` : `The pages are short: ${read} of them instead of ${quoted}.`;
  const printed =
    listed === 0 ? 'Nothing billable was sent.' : `${listed} cards are printed; there are more.`;
  return new ScreenerError('budget_reached', `${why} ${printed}`, {
    hint: goOn === undefined ? hint : `${isReached ? `${hint} Then go` : 'Go'} on with:\n${goOn}`,
    retryAt: isReached ? until : undefined,
  });
}
