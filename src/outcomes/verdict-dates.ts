/** When verdicts are expected that somebody waits for. Screens work these dates out, and the judge writes them down. */
import { at } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { questionOfAll, type Rule, verdictByRule } from '../statistics/rule.ts';
import { decidingEstimate, type GroupEstimates } from './group-comparison.ts';
import type { Answer, GroupVerdicts } from './group-verdicts.ts';
import { JUDGED_WINDOW } from './question.ts';
import type { Sittings } from './service-answers.ts';
import { expectedAt } from './wait.ts';

/** The dates of a group's verdicts, epoch milliseconds UTC. */
export interface ExpectedVerdicts {
  /** When another verdict is expected; undefined if `verdict` is not unclear, or if none is expected. */
  readonly verdictExpected: number | undefined;
  /** When another verdict against BTC is expected; undefined if none is, or if it is not waited for (see `isVsBtcAwaited`). */
  readonly verdictVsBtcExpected: number | undefined;
}

/** What the dates of a group's verdicts depend on. */
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

const NONE_EXPECTED: ExpectedVerdicts = {
  verdictExpected: undefined,
  verdictVsBtcExpected: undefined,
};

/**
 * The dates of the verdicts that somebody waits for.
 * @param areOutcomesToCome if no outcomes are to come, there are no dates
 */
export function expectedVerdictsOf(
  terms: DateTerms,
  { verdict, verdictVsBtc }: GroupVerdicts,
  answer: Answer,
  areOutcomesToCome: boolean,
): ExpectedVerdicts {
  if (answer.kind === 'not_judged' || !areOutcomesToCome) return NONE_EXPECTED;
  const { comparedWith } = terms;
  const isAwaited = verdict === 'unclear';
  const isBtcAwaited = isVsBtcAwaited({ verdict, comparedWith, verdictVsBtc });
  return {
    verdictExpected: isAwaited ? verdictDate(terms, answer) : undefined,
    verdictVsBtcExpected: isBtcAwaited ? vsBtcDate(terms, answer) : undefined,
  };
}

function verdictDate(terms: DateTerms, answer: Answer): number | undefined {
  if (answer.kind !== 'notebook') return whenVerdictExpected(terms);
  return timeAhead(answer.present.line.shows_at, terms.now);
}

function vsBtcDate(terms: DateTerms, answer: Answer): number | undefined {
  if (answer.kind !== 'notebook') return whenVsBtcExpected(terms);
  return timeAhead(answer.present.line.vs_btc_shows_at, terms.now);
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
  const question = questionOfAll(decidingEstimate(terms), rule, JUDGED_WINDOW / DAY);
  const waitsForService =
    comparedWith === 'others' && service !== undefined && sittings !== undefined;
  if (waitsForService) return expectedAt(question, now, { askedAt: service.askedAt, sittings });
  return terms.isBoughtAfterOthers ? undefined : expectedAt(question, now);
}

/**
 * When another verdict against BTC is expected from the bought outcomes.
 * @returns epoch milliseconds UTC; undefined if none is expected in 90 days. Also if the bought outcomes have a verdict already, which
 *   the service's figure contradicts (`verdictVsBtc`): more of them need not change that
 */
export function whenVsBtcExpected({
  rule,
  now,
  vsBtc,
  isBoughtAfterOthers,
}: Pick<DateTerms, 'rule' | 'now' | 'vsBtc' | 'isBoughtAfterOthers'>): number | undefined {
  if (isBoughtAfterOthers) return undefined;
  const verdict = verdictByRule(vsBtc, rule);
  if (verdict !== 'unclear' && verdict !== 'too_few_days') return undefined;
  return expectedAt(questionOfAll(vsBtc, rule, JUDGED_WINDOW / DAY), now);
}
