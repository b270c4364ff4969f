/** When another verdict than `unclear` is expected. Screens work this date out, and the judge writes it down. */
import { at, formatApiTime } from '../api/time.ts';
import { DAY, endOfMonth } from '../base/units.ts';
import { daysToVerdict, type Rule } from '../statistics/rule.ts';
import { decidingEstimate, type GroupEstimates } from './group-comparison.ts';
import type { Answer, GroupVerdicts } from './group-verdicts.ts';
import { JUDGED_WINDOW } from './question.ts';
import { firstSittingSince, type Sittings } from './service-answers.ts';

/** What the date of a group's verdict depends on. */
interface DateTerms
  extends Pick<GroupEstimates, 'comparedWith' | 'vsOthers' | 'vsBtc' | 'service'> {
  readonly rule: Rule;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** When exports ask for the group's medians; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
  /** Whether exports buy the outcomes of other types first. Then a verdict of bought outcomes has no date. */
  readonly isBoughtAfterOthers: boolean;
}

/** Milliseconds. A later verdict is not announced: where cards are few, its day would slip from month to month. */
const LONGEST_WAIT = 90 * DAY;

/**
 * When another verdict than `unclear` is expected.
 * @param areOutcomesToCome if no outcomes are to come, there is no date
 * @returns epoch milliseconds UTC; undefined if the verdict is not unclear, or if no other one is expected
 */
export function verdictExpectedOf(
  terms: DateTerms,
  { verdict }: GroupVerdicts,
  answer: Answer,
  areOutcomesToCome: boolean,
): number | undefined {
  if (verdict !== 'unclear' || !areOutcomesToCome) return undefined;
  switch (answer.kind) {
    case 'not_judged':
      return undefined;
    case 'one_look':
      return whenVerdictExpected(terms);
    case 'notebook': {
      // The date that the last export promised.
      const { shows_at: promised } = answer.present.line;
      return timeAhead(promised, terms.now);
    }
  }
}

/** A time of the notebook in epoch milliseconds UTC; undefined if there is none, or if it has passed. */
function timeAhead(time: string | null, now: number): number | undefined {
  return time !== null && at(time) > now ? at(time) : undefined;
}

/**
 * The expected date as an export writes it in the notebook: the end of its month, because screens name only the month. So the
 * promise is not broken if medians come a day or two later. Null if no verdict is expected.
 */
export function expectedInNotebook(terms: DateTerms): string | null {
  const expected = whenVerdictExpected(terms);
  return expected === undefined ? null : formatApiTime(endOfMonth(expected));
}

/**
 * When another verdict of the comparison that decides is expected. Bought outcomes come each day. The service's medians count all
 * outcomes, but a verdict comes only when exports ask for them.
 * @returns epoch milliseconds UTC; undefined if none is expected in 90 days
 */
function whenVerdictExpected(terms: DateTerms): number | undefined {
  const { rule, now, comparedWith, service, sittings } = terms;
  const question = { estimate: decidingEstimate(terms), rule };
  const mostDays = JUDGED_WINDOW / DAY; // Older outcomes are left out.
  const days = daysToVerdict(question, mostDays);
  if (days === undefined) return undefined;
  const waitsForService =
    comparedWith === 'others' && service !== undefined && sittings !== undefined;
  if (!waitsForService && terms.isBoughtAfterOthers) return undefined;
  // The service's estimate is as old as its answer, so the days count from there.
  const expected = waitsForService
    ? firstSittingSince(sittings, service.askedAt + days * DAY)
    : now + days * DAY;
  return expected - now > LONGEST_WAIT ? undefined : expected;
}
