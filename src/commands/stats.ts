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
  await invocation.output.one(statsView, stats);
  if (stats.sampled_rows > 0) await offerVerdicts(invocation, history);
  // A median over all outcomes of the type makes the history's verdicts surer.
  if (type !== undefined) await history?.keepStats({ at: client.now(), type, stats });
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
async function compareTypes(
  invocation: Invocation,
  { by, type, sort, minSample }: StatsOptions,
): Promise<void> {
  const others = {
    [`--by ${by}`]: by !== 'type',
    '--sort': sort,
    '--min-sample': minSample,
    '--type': type,
  };
  const other = Object.entries(others).find(
    ([, value]) => value !== undefined && value !== false,
  )?.[0];
  if (other !== undefined) {
    const why = "the service's own statistics are by type, of the last 30 days.";
    const hint = '`screener signals export` keeps a local history.';
    throw usageError(`${other} needs --local or --from: ${why}`, hint);
  }
  const connection = await invocation.connect();
  const { client, account } = connection;
  const history = await ownHistory(invocation, connection);
  const known = await typesKnown(invocation, history);
  const work = [requests('screeners'), { operation: 'stats' as const, requests: known }];
  const parts = `${LIST} for the list of screeners, ${EACH} for each type`;
  if (invocation.globals.plan) {
    invocation.notes.note(`Credits: ${parts}.`);
    return printPlan(invocation, [requests('access'), ...work]);
  }
  await confirmCost(invocation, work);
  const isKnown = Number.isFinite(known.most);
  const cost = LIST + EACH * (isKnown ? known.most : 1);
  const upTo = known.least === known.most ? `${cost}: ` : `up to ${cost}: `;
  await sayCreditsLeft(invocation, connection, cost, `${isKnown ? upTo : ''}${parts}`);
  account.gate.refuseBlocked({ operation: OPERATIONS.stats.path });
  const screeners = await client.call('screeners', {});
  await history?.keepScreeners(screeners);
  const active = activeTypes(screeners);
  const off = new Set(
    screeners.items.map((item) => item.type).filter((name) => !active.includes(name)),
  );
  if (off.size > 0)
    invocation.notes.note(`${safeText([...off].join(', '))}: switched off, so not asked.`);
  if (!isKnown || active.length > known.most) {
    const more = active.length * EACH;
    await sayCreditsLeft(
      invocation,
      connection,
      more,
      `${more} more for ${pluralize(active.length, 'type')}`,
    );
    if (isKnown) await confirmCost(invocation, [requests('stats', active.length)]);
  }
  await offerVerdicts(invocation, history);
  await invocation.output.list(statsByTypeView, { batches: answers(), head: {} });

  async function* answers(): AsyncGenerator<SignalStats[]> {
    for (const name of active) {
      const stats = await client.call('stats', { screener_type: name });
      await history?.keepStats({ at: client.now(), type: name, stats });
      yield [stats];
    }
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

/** Says what this costs, beside the credits left. @throws ScreenerError quota_exhausted if they do not suffice */
async function sayCreditsLeft(
  invocation: Invocation,
  connection: Connection,
  cost: number,
  words = `${cost}`,
) {
  await askCreditsLeft(invocation, connection);
  const { account } = connection;
  const { access, monthLeft } = account.known();
  const { limit, resets_at = '' } = access?.credits ?? {};
  if (monthLeft !== undefined && monthLeft < cost) {
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
