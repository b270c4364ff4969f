import { LIMITS } from '../../api/limits.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { Account } from '../../credits/account.ts';
import { type Bounds, quote, type Work } from '../../credits/estimate.ts';
import { atMost } from '../../credits/usage.ts';
import { ScreenerError } from '../../errors.ts';
import { type Plan, planView, type Range } from '../../output/views/plan.ts';
import { SECOND } from '../../runtime/units.ts';
import { type Invocation, knowCreditsLeft } from './invocation.ts';

/** Sends nothing billable. @param pace milliseconds that so many requests take, if the ledger does not set the pace */
export async function printPlan(
  invocation: Invocation,
  work: readonly Work[],
  pace?: (requests: number) => number,
): Promise<void> {
  const { globals, output } = invocation;
  const connection = work.length === 0 ? undefined : await invocation.connect();
  const account = connection?.account;
  if (connection !== undefined && work.some(({ operation }) => OPERATIONS[operation].cost > 0)) {
    // Without an answer, what is known has to do.
    await knowCreditsLeft(invocation, connection).catch((error: unknown) => {
      if (!(error instanceof ScreenerError) || invocation.context.signal.aborted) throw error;
    });
  }
  const { credits, requests, pages } = quote(work, account?.ceiling().credits ?? 0);
  const takes = pace ?? ((count) => account?.pace(count) ?? 0);
  const known = account?.known();
  const stops = account && whereItStops(account, work);
  const plan: Plan = {
    credits: range(credits),
    requests: range(requests),
    pages: range(pages),
    pacing_seconds: range(requests, (count) => Math.ceil(takes(count) / SECOND)),
    max_credits: globals.maxCredits ?? null,
    credits_left: known?.monthLeft ?? null,
    credits_left_at:
      known?.access === undefined || known.monthLeft === undefined ? null : formatApiTime(known.access.at),
    spent_today: known === undefined ? null : atMost(known.today),
    day_limit: LIMITS.creditsPerDay,
    daily_budget: known?.daily ?? null,
    stops_at: stops?.limit ?? null,
    more_from: stops?.until === undefined ? null : formatApiTime(stops.until),
  };
  await output.one(planView, plan);
}

/** @returns what keeps even the least of the work from being done: a refusal that holds, or a limit of credits */
function whereItStops(account: Account, work: readonly Work[]) {
  const refused = work.flatMap(({ operation }) => account.gate.refusalOf(OPERATIONS[operation].path) ?? [])[0];
  if (refused !== undefined) return { limit: 'refusal' as const, until: refused.until };
  const { limit, credits } = account.left();
  const { least } = quote(work, Number.POSITIVE_INFINITY).credits;
  return least > credits ? { limit, until: account.reached(limit).until } : undefined;
}

function range({ least, most }: Bounds, unit = (value: number) => value): Range {
  return { least: unit(least), most: Number.isFinite(most) ? unit(most) : null };
}
