/** `screener stats`, if it asks the service. From a history `stats-local.ts` answers, and with --picked `stats-picked.ts`. */
import type { Screeners, SignalStats } from '../api/contract/resources.ts';
import { CREDIT_PERIODS, LIMITS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { at } from '../api/time.ts';
import { DAY, pluralize } from '../base/units.ts';
import { readSeen } from '../completion/seen.ts';
import type { Account, AccountLeft, Connection } from '../credits/account.ts';
import type { LeastAndMost } from '../credits/cost.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { DefaultHistory } from '../history/default-history.ts';
import { minuteTime } from '../output/format.ts';
import { safeText } from '../output/safe-text.ts';
import { allSwitchedOffView, statsByTypeView, statsView } from '../output/views/stats.ts';
import { requests } from './parts/declaration.ts';
import { askCreditsLeft, type Invocation, ownHistory, withProgress } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { commandLine, rankingCommand } from './parts/next-command.ts';
import { confirmCost, printPlan } from './parts/plan.ts';
import type { StatsLocalOptions } from './parts/stats-commands.ts';

/** What the list of screeners costs, and what the statistics of one type cost: credits. */
const LIST_COST = OPERATIONS.screeners.cost;
const TYPE_COST = OPERATIONS.stats.cost;

const OFFER_OF_VERDICTS =
  'The service does not say whether this is chance; a local history does. Next (free):';

type StatsOptions = Pick<StatsLocalOptions, 'type' | 'by' | 'sort' | 'minSample'>;

export async function run(invocation: Invocation, options: StatsOptions): Promise<void> {
  const { type, by } = options;
  if (by !== undefined) return compareTypes(invocation, options);
  const isTypeUnchecked = await checkNearMiss(invocation, { type });
  // A type that was never seen may be mistyped: the user is asked, though the command costs only 5 credits.
  if (isTypeUnchecked) await confirmCost(invocation, [requests('stats')], true);
  const connection = await invocation.connect();
  const price = { leastCost: TYPE_COST, words: `${TYPE_COST}`, unsent: NOTHING_SENT };
  await sayCreditsLeft(invocation, connection, price);
  const { client } = connection;
  const stats = await withProgress(
    invocation,
    'Asking for statistics',
    client.call('stats', { screener_type: type }),
  );
  const history = await ownHistory(invocation, connection);
  // The history keeps the answer, because a median over all outcomes of the type makes verdicts surer. It is kept before anything
  // is printed, because printing may end the command (| head).
  if (type !== undefined) await history?.keepStats({ at: client.now(), type, stats });
  await invocation.output.one(statsView, stats);
  if (stats.sampled_rows > 0) await offerVerdicts(invocation, history);
}

/**
 * Offers the ranking of the history; without a history the plan of an export. Both are free. It offers nothing if the history
 * cannot be used or is another account's: an export into it would be refused.
 * @param history undefined in the demo, which has an invented history
 */
async function offerVerdicts(
  invocation: Invocation,
  history: DefaultHistory | undefined,
): Promise<void> {
  if (!invocation.output.isForPeople) return;
  const hasCards = history === undefined ? true : await history.hasCards();
  const isUnusable = hasCards === undefined;
  if (isUnusable) return;
  const line = hasCards
    ? rankingCommand(invocation)
    : commandLine(invocation, 'signals export', { '--plan': true });
  invocation.closing.push([OFFER_OF_VERDICTS, line]);
}

/** `--by type`: asks for the statistics of each type that is switched on. The history keeps each answer as it comes. */
async function compareTypes(invocation: Invocation, options: StatsOptions): Promise<void> {
  refuseHistoryOptions(options);
  const connection = await invocation.connect();
  const history = await ownHistory(invocation, connection);
  const expected = await typesExpected(invocation, history);
  const work = [requests('screeners'), { operation: 'stats' as const, requests: expected }];
  if (invocation.globals.plan) {
    invocation.notes.note(`Credits: ${PRICE_PARTS}.`);
    return printPlan(invocation, [requests('access'), ...work]);
  }
  await quoteTypes(invocation, connection, expected);
  await confirmCost(invocation, work);
  // If the service refuses statistics at present, the credit for the list of screeners is not spent.
  connection.account.gate.throwIfHeld({ operation: OPERATIONS.stats.path });
  const screeners = await askScreeners(invocation, connection, history);
  const types = activeTypes(screeners);
  if (types.length === 0) {
    const view = screeners.items.length === 0 ? statsByTypeView : allSwitchedOffView;
    return invocation.output.list(view, { batches: noBatches(), head: {} });
  }
  const { credits } = connection.account.leftOfAccount();
  const isQuoted = Number.isFinite(expected.most) && types.length <= expected.most;
  const isCovered = credits >= types.length * TYPE_COST;
  if (!isQuoted || !isCovered) await quoteMoreTypes(invocation, connection, types.length, expected);
  let hasFigures = false;
  async function* batches(): AsyncGenerator<SignalStats[]> {
    for await (const stats of askEach(types, connection, history)) {
      if (stats.sampled_rows > 0) hasFigures = true;
      yield [stats];
    }
  }
  await invocation.output.list(statsByTypeView, { batches: batches(), head: {} });
  if (hasFigures) await offerVerdicts(invocation, history);
}

async function* noBatches(): AsyncGenerator<SignalStats[]> {}

/** @throws ScreenerError usage, if an option asks for something that only a history can answer */
function refuseHistoryOptions({ by, type, sort, minSample }: StatsOptions): void {
  if (by !== 'type') throw needsHistory(`--by ${by}`, 'are by type, of the last 30 days');
  if (sort !== undefined) throw needsHistory('--sort', 'are listed by their median');
  if (minSample !== undefined) throw needsHistory('--min-sample', 'are listed for every type');
  if (type !== undefined) {
    const oneType = '`screener stats TYPE` asks for one type. ';
    throw needsHistory('--type', 'are listed for every type', oneType);
  }
}

/**
 * The error that an option needs a history.
 * @param statistics ends the sentence "the service's own statistics …"
 * @param otherWay a sentence about a way without a history, with the blank behind it; empty if there is none
 */
function needsHistory(option: string, statistics: string, otherWay = ''): ScreenerError {
  return usageError(
    `${option} needs --local or --from: the service's own statistics ${statistics}.`,
    `${otherWay}\`screener signals export\` keeps a local history.`,
  );
}

const PRICE_PARTS = `${LIST_COST} for the list of screeners, ${TYPE_COST} for each type`;

/**
 * Says what the statistics of all types will cost.
 * @throws ScreenerError quota_exhausted, budget_reached, if fewer credits are left than it costs for certain
 */
async function quoteTypes(
  invocation: Invocation,
  connection: Connection,
  { least, most, certain }: TypesExpected,
): Promise<void> {
  // The command is refused only for its certain cost: the types seen so far may be those of another account.
  const price = { leastCost: LIST_COST + TYPE_COST * certain, unsent: NOTHING_SENT };
  if (!Number.isFinite(most))
    return sayCreditsLeft(invocation, connection, { ...price, words: PRICE_PARTS });
  const cost = LIST_COST + TYPE_COST * most;
  const total = least === most ? `${cost}` : `up to ${cost}`;
  await sayCreditsLeft(invocation, connection, { ...price, words: `${total}: ${PRICE_PARTS}` });
}

/**
 * Says the price once more, and asks once more, after `/screeners` has shown more types than were quoted, or than the credits pay
 * for.
 * @param types how many types are to be asked for
 * @throws ScreenerError quota_exhausted, budget_reached, if too few credits are left, or if the user does not say yes; interrupted
 */
async function quoteMoreTypes(
  invocation: Invocation,
  connection: Connection,
  types: number,
  { most }: TypesExpected,
): Promise<void> {
  const cost = types * TYPE_COST;
  await sayCreditsLeft(invocation, connection, {
    leastCost: cost,
    words: `${cost} more for ${pluralize(types, 'type')}`,
    unsent: 'No statistics were asked for.',
  });
  // If the number of types was not known, the user has said yes to "any number of credits", and is not asked again.
  if (Number.isFinite(most)) await confirmCost(invocation, [requests('stats', types)]);
}

/** Asks `/screeners`, has the history keep the answer, and names the types that are switched off. */
async function askScreeners(
  { notes }: Invocation,
  { client }: Connection,
  history: DefaultHistory | undefined,
): Promise<Screeners> {
  const screeners = await client.call('screeners', {});
  // `true` makes the history if there is none, as `keepStats` below does in any case.
  await history?.keepScreeners(screeners, true);
  const active = activeTypes(screeners);
  const types = new Set(screeners.items.map(({ type }) => type));
  const off = [...types].filter((type) => !active.includes(type));
  if (off.length > 0) notes.note(`${safeText(off.join(', '))}: switched off, so not asked.`);
  return screeners;
}

async function* askEach(
  types: readonly string[],
  { client }: Connection,
  history: DefaultHistory | undefined,
): AsyncGenerator<SignalStats> {
  for (const type of types) {
    const stats = await client.call('stats', { screener_type: type });
    await history?.keepStats({ at: client.now(), type, stats });
    yield stats;
  }
}

function activeTypes({ items }: Screeners): string[] {
  return [...new Set(items.filter(({ active }) => active).map(({ type }) => type))];
}

/** How many types will be asked for. `least` and `most` are for the quoted price: they are by what is known of the screeners. */
interface TypesExpected extends LeastAndMost {
  /**
   * For the refusal: how many types are asked for even if the user has switched types off since. If the credits do not pay for
   * these, the command is refused.
   */
  readonly certain: number;
}

/** Milliseconds. If a type is switched on at a look at the screeners, it is taken to be on for a day. */
const LOOK_HOLDS = DAY;

/**
 * Counts the types that were switched on at the newest look at the screeners. Without a look there are at most the types that the
 * program has ever seen. If the program has seen none, there may be any number.
 */
async function typesExpected(
  { context }: Invocation,
  history: DefaultHistory | undefined,
): Promise<TypesExpected> {
  const newestLook = await history?.read(async (defaultHistory, { screeners_at }) => {
    const look = (await defaultHistory.looks()).at(-1);
    if (look === undefined) return undefined;
    // A look that shows the same settings as the look before it is not kept. `screeners_at` is the time of the last look, kept or not.
    const lastLookAt = screeners_at === null ? look.at : Math.max(look.at, at(screeners_at));
    return { types: activeTypes(look.screeners).length, at: lastLookAt };
  });
  if (newestLook !== undefined) {
    const { types } = newestLook;
    const isRecent = context.clock.now() - newestLook.at < LOOK_HOLDS;
    return { least: types, most: types, certain: isRecent ? types : Math.min(types, 1) };
  }
  const typesSeen = history === undefined ? 0 : readSeen(context.directories.state).type.length;
  const most = typesSeen === 0 ? Number.POSITIVE_INFINITY : typesSeen;
  // `certain` is still 1: a user who compares types nearly always has one that is switched on.
  return { least: 0, most, certain: 1 };
}

/** What a command, or the rest of it, will cost. */
interface Price {
  /** The credits that it costs for certain. */
  readonly leastCost: number;
  /** The cost in words: `up to 31: 1 for the list of screeners, 5 for each type`. */
  readonly words: string;
  /** The sentence that says what was not asked for, if too few credits are left. */
  readonly unsent: string;
}

const NOTHING_SENT = 'Nothing was asked for.';

/**
 * Asks for the credits left, and says what the command costs.
 * @throws ScreenerError quota_exhausted, budget_reached, if fewer credits are left than it costs for certain
 */
async function sayCreditsLeft(
  invocation: Invocation,
  connection: Connection,
  price: Price,
): Promise<void> {
  await askCreditsLeft(invocation, connection);
  const { account } = connection;
  const left = account.leftOfAccount();
  if (left.credits < price.leastCost) throw tooFewCredits(account, left, price);
  // The demo says its price at the end.
  if (invocation.globals.demo) return;
  const { access, monthLeft } = account.known();
  if (monthLeft === undefined) return invocation.notes.note(`This costs ${price.words}.`);
  const { limit, resets_at = '' } = access?.credits ?? {};
  const leftThisMonth = `${monthLeft} of ${limit} credits left this month, resets ${minuteTime(resets_at)} UTC`;
  invocation.notes.note(`${leftThisMonth}; this costs ${price.words}.`);
}

/** @param left the limit that leaves too few credits, and how many it leaves */
function tooFewCredits(
  account: Account,
  left: AccountLeft,
  { leastCost, words, unsent }: Price,
): ScreenerError {
  const { hint, until } = account.limitReached(left.limit);
  const isBudget = left.limit === 'daily' || left.limit === 'keep';
  const isNeverEnough = CREDIT_PERIODS.some(
    ({ name, credits }) => name === left.limit && credits < leastCost,
  );
  const remedy = isNeverEnough ? '`screener stats TYPE` asks for one type.' : hint;
  const text = `${leftInWords(account, left)}, and this costs ${words}. ${unsent}`;
  return new ScreenerError(isBudget ? 'budget_reached' : 'quota_exhausted', text, {
    hint: `${remedy} \`screener stats --local\` needs none: it reads your history.`,
    retryAt: isNeverEnough ? undefined : until,
  });
}

/** `12 of 150 credits are left today`, `--keep 100 is reached: 112 credits left this month`. */
function leftInWords(account: Account, { limit, credits }: AccountLeft): string {
  const { access, monthLeft = 0 } = account.known();
  const { what } = account.limitReached(limit);
  switch (limit) {
    case 'month':
      return `${credits} of ${access?.credits.limit} credits are left this month`;
    case 'daily':
      return `${what}: ${pluralize(credits, 'credit')} left today`;
    case 'keep':
      // `credits` would be those above --keep, but the user knows the credits of the month.
      return `${what}: ${pluralize(monthLeft, 'credit')} left this month`;
    case 'day':
      return `${credits} of ${LIMITS.creditsPerDay} credits are left today`;
  }
}
