/**
 * The verdicts on a group. The notebook answers the default question, and one look at the estimates of today answers any other.
 */
import { isSide, type Rule, type Verdict, verdictByRule } from '../statistics/rule.ts';
import type { NotebookVerdict, TypeFinding } from './findings.ts';
import type { GroupEstimates } from './group-comparison.ts';
import { decideVsBtc } from './verdict-vs-btc.ts';

/** What answers the question about a group. */
export type Answer =
  /** One look: the rule, without memory and without a date. */
  | { readonly kind: 'one_look' }
  /** Exports have not judged the group's present settings yet: its first card came, or its settings changed, after they judged. */
  | { readonly kind: 'not_judged' }
  | NotebookAnswer;

/** What exports wrote down of a group. */
export interface NotebookAnswer {
  readonly kind: 'notebook';
  /** All lines on the group's verdicts, oldest first. */
  readonly lines: readonly TypeFinding[];
  /** The verdict on its present settings. */
  readonly present: NotebookVerdict<TypeFinding>;
}

export interface GroupVerdicts {
  /** The verdict of the comparison that decides; null if nothing is measured. */
  readonly verdict: Verdict | null;
  /** The verdict of the comparison with BTC; null if nothing is measured. */
  readonly verdictVsBtc: Verdict | null;
  /** The verdict of the comparison with the other groups; null if nothing is compared with them. */
  readonly verdictVsOthers: Verdict | null;
  /** Since when the group has had `verdict`, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly verdictSince: number | undefined;
}

export function verdictsOf(estimates: GroupEstimates, rule: Rule, answer: Answer): GroupVerdicts {
  switch (answer.kind) {
    case 'one_look':
      return verdictsOfOneLook(estimates, rule);
    case 'not_judged':
      return verdictsBeforeJudgement(estimates, rule);
    case 'notebook':
      return verdictsOfNotebook(estimates, rule, answer);
  }
}

function verdictsOfOneLook(estimates: GroupEstimates, rule: Rule): GroupVerdicts {
  const verdictVsBtc = decideVsBtc(estimates, rule);
  const verdictVsOthers = vsOthersByRule(estimates, rule);
  return {
    verdict: estimates.comparedWith === 'others' ? verdictVsOthers : verdictVsBtc,
    verdictVsBtc,
    verdictVsOthers,
    verdictSince: undefined,
  };
}

/** Only an export finds a verdict. Until it has, a type shows "too few days", whatever its figures are. */
function verdictsBeforeJudgement(estimates: GroupEstimates, rule: Rule): GroupVerdicts {
  const { verdict, verdictVsBtc, verdictVsOthers } = verdictsOfOneLook(estimates, rule);
  const beforeJudgement = (today: Verdict | null) => (today === null ? null : 'too_few_days');
  return {
    verdict: beforeJudgement(verdict),
    verdictVsBtc: beforeJudgement(verdictVsBtc),
    verdictVsOthers: beforeJudgement(verdictVsOthers),
    verdictSince: undefined,
  };
}

function verdictsOfNotebook(
  estimates: GroupEstimates,
  rule: Rule,
  { present }: NotebookAnswer,
): GroupVerdicts {
  const { verdict, vs_btc: vsBtcInNotebook } = present.line;
  const vsBtcToday = decideVsBtc(estimates, rule, vsBtcInNotebook);
  const { since: verdictSince } = present;
  if (estimates.comparedWith === 'btc') {
    // The notebook's verdict is the one vs BTC. It has none against the others: this one is of one look.
    const verdictVsOthers = vsOthersByRule(estimates, rule);
    return { verdict, verdictVsBtc: verdict, verdictVsOthers, verdictSince };
  }
  // Exports alone find above and below (the sides), and withdraw them. So if either verdict is a side, the notebook's counts,
  // otherwise today's.
  const isEitherSide = isSide(vsBtcInNotebook) || isSide(vsBtcToday);
  const verdictVsBtc = isEitherSide ? vsBtcInNotebook : vsBtcToday;
  return { verdict, verdictVsBtc, verdictVsOthers: verdict, verdictSince };
}

/** The verdict against the others by one look; null if groups are not compared with each other, or if nothing is measured. */
function vsOthersByRule({ vsOthers }: GroupEstimates, rule: Rule): Verdict | null {
  return vsOthers === undefined ? null : verdictByRule(vsOthers, rule);
}
