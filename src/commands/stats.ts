/**
 * `screener stats` of the service. With --local or --from it is `stats-local.ts`, with --picked, too, `stats-picked.ts`:
 * `declarations/stats.ts` says which runs.
 */
import type { Screeners, SignalStats } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import { pluralize } from '../base/units.ts';
import { readSeen } from '../completion/seen.ts';
import type { Connection } from '../credits/account.ts';
import type { Bounds } from '../credits/estimate.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { DefaultHistory } from '../history/default-history.ts';
import { minuteTime } from '../output/format.ts';
import { safeText } from '../output/safe-text.ts';
import { statsByTypeView, statsView } from '../output/views/stats.ts';
import { requests } from './parts/declaration.ts';
import { askCreditsLeft, type Invocation, ownHistory, withProgress } from './parts/invocation.ts';
import { checkNearMiss } from './parts/near-miss.ts';
import { commandLine, rankingCommand } from './parts/next-command.ts';
import { confirmCost, printPlan } from './parts/plan.ts';
import type { StatsLocalOptions } from './parts/stats-commands.ts';

/** Credits for the list of screeners, and for the statistics of each type. */
const LIST = OPERATIONS.screeners.cost;
const EACH = OPERATIONS.stats.cost;

const UNSAID_CHANCE =
  'The service does not say whether this is chance; a local history does. Next (free):';

type StatsOptions = Pick<StatsLocalOptions, 'type' | 'by' | 'sort' | 'minSample'>;

export async function run(invocation: Invocation, options: StatsOptions): Promise<void> {
  const { type, by } = options;
  if (by !== undefined) return compareTypes(invocation, options);
  if (await checkNearMiss(invocation, { type }))
    await confirmCost(invocation, [requests('stats')], true);
  const connection = await invocation.connect();
  await sayCreditsLeft(invocation, connection, EACH);
  const { client } = connection;
  const stats = await withProgress(
    invocation,
    'Asking for statistics',
    client.call('stats', { screener_type: type }),
  );
  const history = await ownHistory(invocation, connection);
  // A median over all outcomes of the type makes the history's verdicts surer. Kept before a reader of the output can go.
  if (type !== undefined) await history?.keepStats({ at: client.now(), type, stats });
  await invocation.output.one(statsView, stats);
  if (stats.sampled_rows > 0) await offerVerdicts(invocation, history);
}

/**
 * Offers the ranking of the history; without a history the plan of an export. Both are free. Nothing, if the history cannot
 * be used or is another account's: an export into it would be refused.
 */
async function offerVerdicts(
  invocation: Invocation,
  history: DefaultHistory | undefined,
): Promise<void> {
  if (!invocation.output.isForPeople) return;
  // The demo has a history at hand.
  const hasHistory = history === undefined ? true : await history.hasCards();
  if (hasHistory === undefined) return;
  const line = hasHistory
    ? rankingCommand(invocation)
    : commandLine(invocation, 'signals export', { '--plan': true });
  invocation.closing.push([UNSAID_CHANCE, line]);
}

/** `--by type`: asks for each type that is switched on. Each answer is kept in the history as it comes. */
async function compareTypes(invocation: Invocation, options: StatsOptions): Promise<void> {
  refuseHistoryOptions(options);
  const connection = await invocation.connect();
  const history = await ownHistory(invocation, connection);
  const expected = await typesKnown(invocation, history);
  const work = [requests('screeners'), { operation: 'stats' as const, requests: expected }];
  if (invocation.globals.plan) {
    invocation.notes.note(`Credits: ${PRICE_PARTS}.`);
    return printPlan(invocation, [requests('access'), ...work]);
  }
  await confirmCost(invocation, work);
  await quoteTypes(invocation, connection, expected);
  connection.account.gate.throwIfHeld({ operation: OPERATIONS.stats.path });
  const types = await askActiveTypes(invocation, connection, history);
  const { monthLeft = Number.POSITIVE_INFINITY } = connection.account.known();
  const isQuoted = Number.isFinite(expected.most) && types.length <= expected.most;
  if (!isQuoted || monthLeft < types.length * EACH)
    await quoteMoreTypes(invocation, connection, types.length, expected);
  await offerVerdicts(invocation, history);
  const batches = askEach(types, connection, history);
  await invocation.output.list(statsByTypeView, { batches, head: {} });
}

/** @throws ScreenerError usage, if an option asks for what only a history can answer */
function refuseHistoryOptions({ by, type, sort, minSample }: StatsOptions): void {
  if (by !== 'type') throw needsHistory(`--by ${by}`, 'are by type, of the last 30 days');
  if (sort !== undefined) throw needsHistory('--sort', 'are listed by their median');
  if (minSample !== undefined) throw needsHistory('--min-sample', 'are listed for every type');
  if (type !== undefined) throw needsHistory('--type', 'are listed for every type');
}

/** @param statistics what the service's own statistics are instead */
function needsHistory(option: string, statistics: string): ScreenerError {
  return usageError(
    `${option} needs --local or --from: the service's own statistics ${statistics}.`,
    '`screener signals export` keeps a local history.',
  );
}

const PRICE_PARTS = `${LIST} for the list of screeners, ${EACH} for each type`;

/** Says what the types will cost. @throws as `sayCreditsLeft` */
async function quoteTypes(
  invocation: Invocation,
  connection: Connection,
  { least, most }: Bounds,
): Promise<void> {
  const leastCost = LIST + EACH * Math.max(least, 1);
  if (!Number.isFinite(most)) return sayCreditsLeft(invocation, connection, leastCost, PRICE_PARTS);
  const cost = LIST + EACH * most;
  const total = least === most ? `${cost}` : `up to ${cost}`;
  // The types seen so far may be those of another account: the command is refused only for what it costs at least.
  await sayCreditsLeft(invocation, connection, leastCost, `${total}: ${PRICE_PARTS}`);
}

/**
 * Says and asks once more, when `/screeners` has shown more types than were quoted, or than the credits pay for.
 * @param types how many types are to be asked for
 * @throws as `sayCreditsLeft`, `confirmCost`
 */
async function quoteMoreTypes(
  invocation: Invocation,
  connection: Connection,
  types: number,
  { most }: Bounds,
): Promise<void> {
  const cost = types * EACH;
  await sayCreditsLeft(
    invocation,
    connection,
    cost,
    `${cost} more for ${pluralize(types, 'type')}`,
  );
  // If the number of types was not known before, the user has been asked about any number of credits.
  if (Number.isFinite(most)) await confirmCost(invocation, [requests('stats', types)]);
}

/** Asks `/screeners`, and names the types that are switched off. @returns the types that are on */
async function askActiveTypes(
  { notes }: Invocation,
  { client }: Connection,
  history: DefaultHistory | undefined,
): Promise<string[]> {
  const screeners = await client.call('screeners', {});
  await history?.keepScreeners(screeners);
  const active = activeTypes(screeners);
  const types = new Set(screeners.items.map(({ type }) => type));
  const off = [...types].filter((type) => !active.includes(type));
  if (off.length > 0) notes.note(`${safeText(off.join(', '))}: switched off, so not asked.`);
  return active;
}

async function* askEach(
  types: readonly string[],
  { client }: Connection,
  history: DefaultHistory | undefined,
): AsyncGenerator<SignalStats[]> {
  for (const type of types) {
    const stats = await client.call('stats', { screener_type: type });
    await history?.keepStats({ at: client.now(), type, stats });
    yield [stats];
  }
}

function activeTypes({ items }: Screeners): string[] {
  return [...new Set(items.filter(({ active }) => active).map(({ type }) => type))];
}

/** How many types will be asked for: those of the newest look at the screeners; without a look at most all types seen. */
async function typesKnown(
  { context }: Invocation,
  history: DefaultHistory | undefined,
): Promise<Bounds> {
  const look = (await history?.read((defaultHistory) => defaultHistory.looks()))?.at(-1);
  if (look !== undefined) {
    const count = activeTypes(look.screeners).length;
    return { least: count, most: count };
  }
  const typesSeen = history === undefined ? 0 : readSeen(context.directories.state).type.length;
  return { least: 0, most: typesSeen === 0 ? Number.POSITIVE_INFINITY : typesSeen };
}

/**
 * Asks for the credits left, and says what the command costs.
 * @param leastCost the credits that it costs for certain
 * @param words the cost in words
 * @throws ScreenerError quota_exhausted, if fewer credits are left than it costs for certain
 */
async function sayCreditsLeft(
  invocation: Invocation,
  connection: Connection,
  leastCost: number,
  words = `${leastCost}`,
): Promise<void> {
  await askCreditsLeft(invocation, connection);
  const { account } = connection;
  const { access, monthLeft } = account.known();
  const { limit, resets_at = '' } = access?.credits ?? {};
  if (monthLeft !== undefined && monthLeft < leastCost) {
    const { hint, until } = account.reached('month');
    const text = `${monthLeft} of ${limit} credits are left this month, and this costs ${words}. Nothing was asked for.`;
    throw new ScreenerError('quota_exhausted', text, {
      hint: `${hint} \`screener stats --local\` needs none: it reads your history.`,
      retryAt: until,
    });
  }
  // The demo says its price at the end.
  if (invocation.globals.demo) return;
  if (monthLeft === undefined) return invocation.notes.note(`This costs ${words}.`);
  const left = `${monthLeft} of ${limit} credits left this month, resets ${minuteTime(resets_at)} UTC`;
  invocation.notes.note(`${left}; this costs ${words}.`);
}
