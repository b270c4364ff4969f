/** What a command will cost: printed for --plan, and asked about before much is spent. */
import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import { SECOND } from '../../base/units.ts';
import type { Account } from '../../credits/account.ts';
import { type Bounds, quote, type Work } from '../../credits/estimate.ts';
import { atMost } from '../../credits/usage.ts';
import { ScreenerError } from '../../errors.ts';
import { planView, type Range } from '../../output/views/plan.ts';
import { type Invocation, knowCreditsLeft } from './invocation.ts';

/** Sends nothing billable. @param pace milliseconds that so many requests take, if the ledger does not set the pace */
export async function printPlan(
  invocation: Invocation,
  work: readonly Work[],
  pace?: (requests: number) => number,
) {
  const { context, globals, output } = invocation;
  const connection = work.length === 0 ? undefined : await invocation.connect();
  const account = connection?.account;
  if (connection !== undefined && work.some(({ operation }) => OPERATIONS[operation].cost > 0)) {
    // Without an answer, what is known has to do.
    await knowCreditsLeft(invocation, connection).catch((error: unknown) => {
      if (!(error instanceof ScreenerError) || context.signal.aborted) throw error;
    });
  }
  const { credits, requests, pages } = quote(work, account?.ceiling().credits ?? 0);
  const takes = pace ?? ((count) => account?.pace(count) ?? 0);
  const { access, monthLeft, today, daily } = account?.known() ?? {};
  const stops = account && whereItStops(account, work);
  await output.one(planView, {
    credits: range(credits),
    requests: range(requests),
    pages: range(pages),
    pacing_seconds: range(requests, (count) => Math.ceil(takes(count) / SECOND)),
    max_credits: globals.maxCredits ?? null,
    credits_left: monthLeft ?? null,
    credits_left_at:
      access === undefined || monthLeft === undefined ? null : formatApiTime(access.at),
    spent_today: today === undefined ? null : atMost(today),
    day_limit: LIMITS.creditsPerDay,
    daily_budget: daily ?? null,
    stops_at: stops?.limit ?? null,
    more_from: stops?.until === undefined ? null : formatApiTime(stops.until),
  });
}

/** @returns what keeps even the least of the work from being done: a refusal that holds, or a limit of credits */
function whereItStops(account: Account, work: readonly Work[]) {
  const refused = work.flatMap(
    ({ operation }) => account.gate.firmHoldOn(OPERATIONS[operation].path) ?? [],
  )[0];
  if (refused !== undefined) return { limit: 'refusal' as const, until: refused.until };
  const { limit, credits } = account.left();
  const { least } = quote(work, Number.POSITIVE_INFINITY).credits;
  return least > credits ? { limit, until: account.reached(limit).until } : undefined;
}

function range({ least, most }: Bounds, unit = (value: number) => value): Range {
  return { least: unit(least), most: Number.isFinite(most) ? unit(most) : null };
}

/** Credits: a command that may cost more is asked about. */
const ASKED_ABOVE = 10;

/**
 * --yes, --max-credits and scripts go on.
 * @param isDoubtful whether it may be for nothing: then it is asked about, whatever it costs
 * @throws ScreenerError budget_reached, if the answer is not yes; interrupted
 */
export async function confirmCost(
  { context, globals }: Invocation,
  work: readonly Work[],
  isDoubtful = false,
): Promise<void> {
  const { most } = quote(work, Number.POSITIVE_INFINITY).credits;
  // Standard input last: Node takes 3 ms to open it.
  const isTerminal = context.stdout.isTTY && context.stderr.isTTY && context.stdin.isTTY;
  const isSmall = most <= ASKED_ABOVE && !isDoubtful;
  if (isSmall || !isTerminal || globals.yes || globals.demo || globals.maxCredits !== undefined)
    return;
  const price = Number.isFinite(most)
    ? `up to ${most} credits`
    : 'any number of credits (--max-credits sets a limit)';
  const { ask } = await import('./prompt.ts');
  const answer = await ask(context, `This may cost ${price}. Go on? [y/N] `, false);
  if (/^y(es)?$/i.test(answer.trim())) return;
  const hint = 'Add --yes to skip this question, or --max-credits N.';
  throw new ScreenerError('budget_reached', 'Stopped, because the answer was not yes.', { hint });
}
