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

const LIST = OPERATIONS.screeners.cost;
const EACH = OPERATIONS.stats.cost;

const WHETHER_CHANCE =
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

/** What to ask next is free, with a history and without one. */
async function offerVerdicts(
  invocation: Invocation,
  history: DefaultHistory | undefined,
): Promise<void> {
  if (!invocation.output.isForPeople) return;
  const isKept =
    history === undefined ||
    (await history.read(async (_, { months }) => Object.keys(months).length > 0));
  const line = isKept
    ? rankingCommand(invocation)
    : commandLine(invocation, 'signals export', { '--plan': true });
  invocation.closing.push([WHETHER_CHANCE, line]);
}

/** `--by type`: each answer is shown, and kept, as it comes. */
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

/** @param expected how many types, as far as is known @throws as `sayCreditsLeft` */
async function quoteTypes(
  invocation: Invocation,
  connection: Connection,
  { least, most }: Bounds,
): Promise<void> {
  const leastCost = LIST + EACH * Math.max(least, 1);
  if (!Number.isFinite(most)) return sayCreditsLeft(invocation, connection, leastCost, PRICE_PARTS);
  const cost = LIST + EACH * most;
  const total = least === most ? `${cost}` : `up to ${cost}`;
  // Types seen may be those of another account: only what is certain refuses.
  await sayCreditsLeft(invocation, connection, leastCost, `${total}: ${PRICE_PARTS}`);
}

/** If there are more types than the quote before was of, or credits for. @throws as `sayCreditsLeft`, `confirmCost` */
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
  // A cost without a bound was asked about before.
  if (Number.isFinite(most)) await confirmCost(invocation, [requests('stats', types)]);
}

/** Names those that are switched off. @returns those that are on */
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

/** How many types will be asked for: as of the newest look at the screeners, else at most every type seen. */
async function typesKnown(
  { context }: Invocation,
  history: DefaultHistory | undefined,
): Promise<Bounds> {
  const look = (await history?.read((kept) => kept.looks()))?.at(-1);
  const count = look && activeTypes(look.screeners).length;
  const seen = history && readSeen(context.directories.state).type.length;
  return { least: count ?? 0, most: count ?? (seen || Number.POSITIVE_INFINITY) };
}

/**
 * Says what this costs, beside the credits left.
 * @param leastCost credits that it costs for certain
 * @throws ScreenerError quota_exhausted if they do not suffice
 */
async function sayCreditsLeft(
  invocation: Invocation,
  connection: Connection,
  leastCost: number,
  words = `${leastCost}`,
) {
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
  const left = `${monthLeft} of ${limit} credits left this month, resets ${minuteTime(resets_at)} UTC;`;
  invocation.notes.note(
    monthLeft === undefined ? `This costs ${words}.` : `${left} this costs ${words}.`,
  );
}
