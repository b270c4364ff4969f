/** What an unclear verdict waits for. */
import { formatApiTime } from '../api/time.ts';
import { DAY, endOfMonth } from '../base/units.ts';
import { daysToVerdict, type OpenQuestion } from '../statistics/rule.ts';
import { JUDGED_WINDOW } from './question.ts';
import { firstSittingSince, type Sittings } from './service-answers.ts';

export interface VerdictWait {
  /** When a verdict, or another one than now, is likely, epoch milliseconds UTC; undefined if none is likely within 90 days. */
  readonly verdictExpected: number | undefined;
  /** The smallest difference that would show now, percentage points; undefined without an interval. */
  readonly wouldShow: number | undefined;
}

/** Milliseconds. A later verdict is not announced: where cards are few, its day would slip from month to month. */
const LONGEST_WAIT = 90 * DAY;

/** When the service's medians were asked for, and when exports will ask for them again. */
interface MedianSchedule {
  /** When the newest medians were asked for, epoch milliseconds UTC. */
  readonly askedAt: number;
  /** The occasions on which exports ask for medians. */
  readonly sittings: Sittings;
}

/**
 * When a verdict is likely.
 * @param now epoch milliseconds UTC
 * @param medians undefined if the estimate is made from bought outcomes, which come each day. Medians count all outcomes, bought
 *   or not, but a verdict comes only when they are asked for
 * @returns epoch milliseconds UTC; undefined if no verdict is likely within 90 days
 */
export function expectedAt(
  question: OpenQuestion,
  now: number,
  medians?: MedianSchedule,
): number | undefined {
  const days = daysToVerdict(question, JUDGED_WINDOW / DAY);
  if (days === undefined) return undefined;
  const expected =
    medians === undefined
      ? now + days * DAY
      : firstSittingSince(medians.sittings, medians.askedAt + days * DAY);
  return expected - now > LONGEST_WAIT ? undefined : expected;
}

/**
 * An expected time as the notebook has it: the end of its month. Screens name the month. So a promise lasts as long as the
 * screens say, and is not broken if medians come a day or two later.
 */
export function writtenTime(expected: number | undefined): string | null {
  return expected === undefined ? null : formatApiTime(endOfMonth(expected));
}
