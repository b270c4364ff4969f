/**
 * What an unclear verdict waits for. It is the same for all three questions that can be open: a type beside the others, a
 * type beside BTC, and what a change of settings did.
 */
import { DAY } from '../base/units.ts';
import { daysToWord, type OpenQuestion } from '../statistics/rule.ts';
import type { PurchaseDelay } from './purchases.ts';
import { type Sittings, sittingFrom } from './service-answers.ts';

export interface VerdictWait {
  /** When another verdict is likely, epoch milliseconds UTC; undefined if none is likely within 90 days. */
  readonly wordExpected: number | undefined;
  /** The smallest difference that would show now, percentage points; undefined without an interval. */
  readonly wouldShow: number | undefined;
}

/** A verdict that is expected later than this is not announced, milliseconds: with few cards its day would be put off each month. */
const LONGEST_WAIT = 90 * DAY;

/** The service's medians that an estimate is made from. */
export interface MediansInTime {
  /** When the newest ones were asked for, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** When exports ask for them. */
  readonly sittings: Sittings;
}

/** By how much a verdict comes later because exports buy other types first. */
export type VerdictDelay = Pick<PurchaseDelay, 'days' | 'timesAsLong'>;

/** What an estimate waits for besides the days to come. */
interface Waiting {
  /** Undefined if the estimate is made from bought outcomes: they come each day. */
  readonly medians?: MediansInTime | undefined;
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
  const byOutcomes = now + (delay.days + days * delay.timesAsLong) * DAY;
  const expected =
    medians === undefined
      ? byOutcomes
      : sittingFrom(medians.sittings, medians.askedAt + days * DAY);
  return expected - now > LONGEST_WAIT ? undefined : expected;
}

/** Outcomes come as until now. */
const NO_DELAY: VerdictDelay = { days: 0, timesAsLong: 1 };
