/** What a command will cost: printed for --plan, and asked about before much is spent. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import { SECOND } from '../../base/units.ts';
import type { Account, Connection } from '../../credits/account.ts';
import { type LeastAndMost, quote, type Work } from '../../credits/cost.ts';
import { ScreenerError } from '../../errors.ts';
import { type Plan, planView, type Range } from '../../output/views/plan.ts';
import { type Invocation, refreshCreditsLeft } from './invocation.ts';

interface PlanOptions {
  /** Whether the plan says the limits of the account that is logged in. `login` has no account yet. */
  readonly hasAccount?: boolean;
  /** How many milliseconds this number of requests takes. If it is left out, the account's ledger says so. */
  readonly millisFor?: (requests: number) => number;
}

/**
 * Prints what the work would cost. The one request that it may send is `/access`, which is free.
 * @param work empty if the command sends no request: then no account is needed
 */
export async function printPlan(
  invocation: Invocation,
  work: readonly Work[],
  { hasAccount = work.length > 0, millisFor }: PlanOptions = {},
): Promise<void> {
  const { globals, output } = invocation;
  const connection = hasAccount ? await invocation.connect() : undefined;
  const account = connection?.account;
  if (connection !== undefined && work.some(({ operation }) => OPERATIONS[operation].cost > 0))
    await tryToRefreshCreditsLeft(invocation, connection);
  const ceiling = account?.ceiling();
  const { credits, requests, pages } = quote(work, ceiling?.credits);
  const millisByLedger = (count: number) => account?.timeFor(count) ?? 0;
  const millisOf = millisFor ?? millisByLedger;
  const toSeconds = (count: number) => Math.ceil(millisOf(count) / SECOND);
  const { access, monthLeft, possiblySpent = 0, today, dailyOfUser } = account?.known() ?? {};
  const isLeftKnown = access !== undefined && monthLeft !== undefined;
  const stops = account === undefined ? undefined : whereItStops(account, work);
  // Without an account this is the documented limit. Some accounts have a daily limit that is not documented.
  const dayLimit = today === undefined ? LIMITS.creditsPerDay : (today.dailyLimitOfService ?? null);
  await output.one(planView, {
    credits: range(credits),
    requests: range(requests),
    pages: range(pages),
    pacing_seconds: range(requests, toSeconds),
    max_credits: globals.maxCredits ?? null,
    credits_left: monthLeft ?? null,
    possibly_spent: possiblySpent,
    credits_left_at: isLeftKnown ? formatApiTime(access.at) : null,
    spent_today: today?.spent ?? null,
    possibly_spent_today: today?.possiblySpent ?? 0,
    day_limit: dayLimit,
    daily_budget: dailyOfUser ?? null,
    stops_at: stops?.limit ?? null,
    more_from: stops?.until === undefined ? null : formatApiTime(stops.until),
  });
}

/** If `/access` fails, the plan says what was known before. */
async function tryToRefreshCreditsLeft(
  invocation: Invocation,
  connection: Connection,
): Promise<void> {
  try {
    await refreshCreditsLeft(invocation, connection);
  } catch (error) {
    if (!(error instanceof ScreenerError) || invocation.context.signal.aborted) throw error;
  }
}

/** What would end a command before it has done even the least of its work. */
interface Stop {
  /** A refusal by the service, or a limit of credits. */
  readonly limit: NonNullable<Plan['stops_at']>;
  /** When the refusal or the limit is over, epoch milliseconds UTC; undefined if waiting is of no use. */
  readonly until: number | undefined;
}

/** @returns undefined if the least of the work can be done */
function whereItStops(account: Account, work: readonly Work[]): Stop | undefined {
  for (const { operation } of work) {
    const hold = account.gate.firmHoldOn(OPERATIONS[operation].path);
    if (hold !== undefined) return { limit: 'refusal', until: hold.until };
  }
  const { limit, credits } = account.left();
  const { least } = quote(work).credits;
  // Only an export that is under way sets the limit 'run', and none is under way here.
  if (least <= credits || limit === 'run') return undefined;
  return { limit, until: account.limitReached(limit).until };
}

/** @param convert turns both bounds into what is printed */
function range({ least, most }: LeastAndMost, convert = (value: number) => value): Range {
  return { least: convert(least), most: Number.isFinite(most) ? convert(most) : null };
}

/** Credits. A command that may cost more asks the user first. */
const ASKED_ABOVE = 10;

/**
 * Asks the user on a terminal whether to spend what the work may cost. With --yes, --max-credits or --demo it does not ask.
 * @param isDoubtful whether the answer may turn out empty: then the user is asked, whatever the work costs
 * @throws ScreenerError budget_reached, if the user does not say yes; interrupted
 */
export async function confirmCost(
  { context, globals }: Invocation,
  work: readonly Work[],
  isDoubtful = false,
): Promise<void> {
  const { most } = quote(work).credits;
  const isSmall = most <= ASKED_ABOVE && !isDoubtful;
  const isAnswered = globals.yes || globals.demo || globals.maxCredits !== undefined;
  if (isSmall || isAnswered) return;
  // Standard input comes last, because Node takes 3 ms to open it.
  const isTerminal = context.stdout.isTTY && context.stderr.isTTY && context.stdin.isTTY;
  if (!isTerminal) return;
  const price = Number.isFinite(most)
    ? `up to ${most} credits`
    : 'any number of credits (--max-credits sets a limit)';
  const { ask } = await import('./prompt.ts');
  const answer = await ask(context, `This may cost ${price}. Go on? [y/N] `, false);
  if (/^y(es)?$/i.test(answer.trim())) return;
  const hint = 'Add --yes to skip this question, or --max-credits N.';
  throw new ScreenerError('budget_reached', 'Stopped, because the answer was not yes.', { hint });
}
