/**
 * What an unclear verdict waits for. It is the same for all three questions that can be open: a type beside the others, a
 * type beside BTC, and what a change of settings did.
 */
import { DAY } from '../base/units.ts';
import { daysToWord, type OpenQuestion } from '../statistics/rule.ts';
import type { PurchaseDelay } from './purchases.ts';
import { type Sittings, sittingFrom } from './service-answers.ts';

export interface VerdictWait {
  /** When a verdict, or another one than now, is likely, epoch milliseconds UTC; undefined if none is likely within 90 days. */
  readonly wordExpected: number | undefined;
  /** The smallest difference that would show now, percentage points; undefined without an interval. */
  readonly wouldShow: number | undefined;
}

/** A verdict that is expected later is not announced: with few cards its day would slip from month to month. Milliseconds. */
const LONGEST_WAIT = 90 * DAY;

/** When the service's medians were asked for, and when exports will ask for them again. */
interface MedianSchedule {
  /** When the newest ones were asked for, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** The occasions on which exports ask for them. */
  readonly sittings: Sittings;
}

/** How exports that buy other types first delay a verdict: by `days`, and each day that it needs takes `timesAsLong`. */
export type VerdictDelay = Pick<PurchaseDelay, 'days' | 'timesAsLong'>;

/** What an estimate waits for besides the days to come. */
interface Waiting {
  /** Undefined if the estimate is made from bought outcomes: they come each day. */
  readonly medians?: MedianSchedule | undefined;
  /** Undefined if exports buy no other type first. */
  readonly delay?: VerdictDelay | undefined;
}

/**
 * When a verdict is likely.
 * @param now epoch milliseconds UTC
 * @returns epoch milliseconds UTC; undefined if no verdict is likely within 90 days
 */
export function expectedAt(
  question: OpenQuestion,
  now: number,
  { medians, delay = NO_DELAY }: Waiting = {},
): number | undefined {
  const days = daysToWord(question);
  if (days === undefined) return undefined;
  const expected =
    medians === undefined ? whenBought(now, days, delay) : whenAskedFor(medians, days);
  return expected - now > LONGEST_WAIT ? undefined : expected;
}

/** @param days the days of outcomes that the verdict needs */
function whenBought(now: number, days: number, delay: VerdictDelay): number {
  return now + (delay.days + days * delay.timesAsLong) * DAY;
}

/** Medians count all outcomes, so that no purchase delays them. But a verdict comes only when they are asked for. */
function whenAskedFor({ sittings, askedAt }: MedianSchedule, days: number): number {
  return sittingFrom(sittings, askedAt + days * DAY);
}

/** Exports buy no other type first. */
const NO_DELAY: VerdictDelay = { days: 0, timesAsLong: 1 };
