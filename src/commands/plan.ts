import { LIMITS } from '../api/limits.ts';
import { formatApiTime } from '../api/time.ts';
import { type Bounds, quote, type Work } from '../credits/estimate.ts';
import { type Plan, planView, type Range } from '../output/views/plan.ts';
import type { Invocation } from './invocation.ts';

/** Exactly that many requests. */
export const exactly = (requests: number): Bounds => ({ least: requests, most: requests });

/**
 * Where --plan was given: prints what `work` would cost, and sends nothing.
 * @param pace milliseconds that so many requests take, where the ledger is not what sets the pace
 * @returns whether it did, so that the command stops there
 */
export async function planned(
  invocation: Invocation,
  work: readonly Work[],
  pace?: (requests: number) => number,
): Promise<boolean> {
  const { globals, output } = invocation;
  if (!globals.plan) return false;
  const { account } = await invocation.connect();
  const { credits, requests, pages, pacing } = quote(
    work,
    pace ?? ((count) => account.pace(count)),
    globals.maxCredits,
  );
  const known = account.known();
  const today = account.today();
  const plan: Plan = {
    credits: range(credits),
    requests: range(requests),
    pages: range(pages),
    pacing_seconds: range(pacing, (millis) => Math.ceil(millis / 1000)),
    max_credits: globals.maxCredits ?? null,
    credits_left: known?.remaining ?? null,
    credits_left_at: known === undefined ? null : formatApiTime(known.at),
    spent_today: today.charged + today.uncertain,
    day_limit: LIMITS.creditsPerDay,
  };
  await output.one(planView, plan);
  return true;
}

const NOTHING: Range = { least: 0, most: 0 };

/** As `planned`, for a command on a local history: it sends nothing, and needs no key to say so. */
export async function plannedFree({ globals, output }: Invocation): Promise<boolean> {
  if (!globals.plan) return false;
  await output.one(planView, {
    credits: NOTHING,
    requests: NOTHING,
    pages: NOTHING,
    pacing_seconds: NOTHING,
    max_credits: globals.maxCredits ?? null,
    credits_left: null,
    credits_left_at: null,
    spent_today: null,
    day_limit: LIMITS.creditsPerDay,
  });
  return true;
}

function range({ least, most }: Bounds, unit = (value: number) => value): Range {
  return { least: unit(least), most: most === undefined ? null : unit(most) };
}
