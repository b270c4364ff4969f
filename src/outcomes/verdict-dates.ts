/** When another verdict is expected. Screens work this date out, and the judge writes it down. */
import { at } from '../api/time.ts';
import type { Rule } from '../statistics/rule.ts';
import { decidingEstimate, type GroupEstimates } from './group-comparison.ts';
import type { Answer, GroupVerdicts } from './group-verdicts.ts';
import type { Sittings } from './service-answers.ts';
import { expectedAt } from './wait.ts';

/** What the date of a group's verdict depends on. */
export interface DateTerms
  extends Pick<GroupEstimates, 'comparedWith' | 'vsOthers' | 'vsBtc' | 'service'> {
  readonly rule: Rule;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** When exports ask for the group's medians; undefined if they do not, as far as is known. */
  readonly sittings: Sittings | undefined;
  /** Whether exports buy the outcomes of other types first. Then a verdict of bought outcomes has no date. */
  readonly isBoughtAfterOthers: boolean;
}

/** A group's verdicts, and what it is compared with by the verdict that decides. */
type ComparedVerdicts = Pick<GroupVerdicts, 'verdict' | 'verdictVsBtc'> &
  Pick<GroupEstimates, 'comparedWith'>;

/**
 * Whether the owner of the group waits for the verdict against BTC: the group is below the others, and should be dropped only
 * if it is below BTC, too.
 */
export function isVsBtcAwaited({ verdict, comparedWith, verdictVsBtc }: ComparedVerdicts): boolean {
  const isUnknown = verdictVsBtc === 'unclear' || verdictVsBtc === 'too_few_days';
  return verdict === 'below' && comparedWith === 'others' && isUnknown;
}

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
  const isAwaited = verdict === 'unclear' && areOutcomesToCome;
  if (!isAwaited || answer.kind === 'not_judged') return undefined;
  if (answer.kind !== 'notebook') return whenVerdictExpected(terms);
  return timeAhead(answer.present.line.shows_at, terms.now);
}

/** A time of the notebook in epoch milliseconds UTC; undefined if there is none, or if it has passed. */
export function timeAhead(time: string | null, now: number): number | undefined {
  return time !== null && at(time) > now ? at(time) : undefined;
}

/**
 * When another verdict of the comparison that decides is expected. If the service's estimate decides, the verdict comes with
 * the service's next medians.
 * @returns epoch milliseconds UTC; undefined if none is expected in 90 days
 */
export function whenVerdictExpected(terms: DateTerms): number | undefined {
  const { rule, now, comparedWith, service, sittings } = terms;
  const question = { estimate: decidingEstimate(terms), rule };
  const waitsForService =
    comparedWith === 'others' && service !== undefined && sittings !== undefined;
  if (waitsForService) return expectedAt(question, now, { askedAt: service.askedAt, sittings });
  return terms.isBoughtAfterOthers ? undefined : expectedAt(question, now);
}
