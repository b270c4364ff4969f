/**
 * The verdict on a group in words. The shortest is `bareVerdict` (`above`), then `shortVerdict` (`above since 24 Sep, from few days (22)`), then
 * `verdictText`, which adds what an unclear verdict waits for. `titleText` has words before the first outcome, too.
 */

import type { Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, NONE } from '../format.ts';
import {
  BELOW_BOTH,
  hasVerdictWords,
  isBelowBoth,
  shownVerdict,
  verdictName,
} from './verdict-names.ts';
import { daysOfNeeded } from './verdict-rule.ts';
import { isNotSureYet, NOT_SURE_YET, silenceText, waitText } from './verdict-wait.ts';
import { NO_LONGER_SURE, saysWithdrawn, withdrawnLine } from './withdrawn-verdict.ts';

/**
 * `above since 24 Sep, from few days (22)`, `below since 31 Aug, below BTC, too`, `within 1 pp`, `unclear; a verdict is likely by the
 * end of Dec`, `not sure yet`, `no card for 21 days`, `above until 2 Nov; no longer sure`.
 */
export function verdictText(standing: Standing | null): string {
  if (standing?.off?.isRemoved) return NOT_AMONG_SCREENERS;
  if (!hasVerdictWords(standing)) return noVerdictText(standing);
  if (saysWithdrawn(standing)) return withdrawnLine(standing);
  const verdict = shortVerdict(standing);
  const isWaiting = standing.verdict === 'unclear' && standing.silentDays === undefined;
  if (!isWaiting) return verdict;
  return isNotSureYet(standing) ? NOT_SURE_YET : `${verdict}${waitText(standing)}`;
}

/** Stands in the place of a verdict: nothing is to be done about a type that was removed. */
export const NOT_AMONG_SCREENERS = 'no longer among your screeners';

/**
 * `no outcome yet` for a type whose settings changed: a reader who saw a verdict here before the change is told why it is gone. `–` for
 * any other type.
 */
function noVerdictText(standing: Standing | null): string {
  if (standing === null) return NONE;
  const isChanged = standing.groupFigures !== null && standing.groupFigures.settings_since !== null;
  return isChanged && standing.base.sample === 0 ? 'no outcome yet' : NONE;
}

/** What `shortVerdict` leaves out. */
interface LeftOutOfVerdict {
  /** `no card for 19 days`, in the place of `unclear`. */
  readonly silence?: boolean;
  /** `from few days (22)`. */
  readonly weak?: boolean;
  /** What it is below: your other cards alone, or BTC, too. */
  readonly belowWhat?: boolean;
}

/** `above since 24 Sep, from few days (22)`, `too few days (8 of 12)`, `unclear`, `no card for 21 days`. */
export function shortVerdict(standing: Standing | null, leftOut: LeftOutOfVerdict = {}): string {
  if (!hasVerdictWords(standing)) return noVerdictText(standing);
  const { verdict, silentDays, isWeak, least } = standing;
  const shown = shownVerdict(standing);
  if (shown === null) return 'BTC itself';
  const fewDays = isWeak && !leftOut.weak ? `, ${fewDaysText(standing)}` : '';
  const isBothTold = isBelowBoth(standing) && !leftOut.belowWhat;
  // Without a date, both are said in one phrase. With a date, BTC follows it.
  if (isBothTold && standing.verdictSince === undefined) return `${BELOW_BOTH}${fewDays}`;
  const name = verdictName(shown, least);
  if (verdict === 'too_few_days') {
    const days = daysOfNeeded(standing);
    return days === undefined ? name : `${name} (${days})`;
  }
  if (verdict === 'unclear') {
    const isSilenceNamed = silentDays !== undefined && !leftOut.silence;
    return isSilenceNamed ? silenceText(silentDays) : name;
  }
  const { verdictSince } = standing;
  const isDated = isSide(verdict) && verdictSince !== undefined;
  const since = isDated ? ` since ${dayAndMonth(verdictSince)}` : '';
  // The day is that of the verdict against the other cards. When it fell below BTC, too, is not shown here: `today` told it.
  const tooBelowBtc = isBothTold ? ', below BTC, too' : '';
  return `${name}${since}${tooBelowBtc}${fewDays}`;
}

/**
 * `from few days (22)`, of a verdict that rests on few days. `few days bought` beside the service's medians, which count more days:
 * only the interval rests on the bought ones.
 */
export function fewDaysText({ base, figures }: Standing): string {
  const days = base.source === 'service' ? undefined : figures?.distinct_days;
  return days === undefined ? 'few days bought' : `from few days (${days})`;
}

/** The verdict. If there is none yet: `the first outcome is due on 3 Oct`, or `nothing measured yet`. */
export function titleText(standing: Standing): string {
  if (hasVerdictWords(standing)) return verdictText(standing);
  const { dueAt } = standing;
  if (dueAt === undefined) return 'nothing measured yet';
  return `the first outcome is due on ${dayAndMonth(dueAt)}`;
}

/** The verdict alone, without its date: `above`, `below others and BTC`, `within 1 pp`, `no longer sure`, `BTC itself`. */
export function bareVerdict(standing: Standing | null): string {
  if (!hasVerdictWords(standing)) return NONE;
  if (isBelowBoth(standing)) return BELOW_BOTH;
  if (saysWithdrawn(standing)) return NO_LONGER_SURE;
  const verdict = shownVerdict(standing);
  return verdict === null ? 'BTC itself' : verdictName(verdict, standing.least);
}
