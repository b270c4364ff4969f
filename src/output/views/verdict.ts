/**
 * The verdict on a group in words. The shortest is `bareVerdict` (`above`), then `shortVerdict` (`above since 24 Sep, from few days (22)`), then
 * `verdictText`, which adds what an unclear verdict waits for. `titleText` has words before the first outcome, too.
 */

import type { Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, NONE } from '../format.ts';
import {
  BELOW_BOTH,
  daysBelowBoth,
  hasVerdict,
  isBelowBoth,
  shownSince,
  shownVerdict,
  verdictName,
} from './verdict-names.ts';
import { daysOfNeeded } from './verdict-rule.ts';
import { silenceText, waitText } from './verdict-wait.ts';
import { NO_LONGER_SURE, saysWithdrawn, withdrawnLine } from './withdrawn-verdict.ts';

/**
 * `above since 24 Sep, from few days (22)`, `below since 31 Aug, below BTC since 29 Sep`, `within 1 pp`, `unclear; a verdict is likely by the
 * end of Dec`, `no card for 21 days`, `above until 2 Nov; +0.2 pp in the last 30 days`.
 */
export function verdictText(standing: Standing | null, leftOut: LeftOutOfVerdict = {}): string {
  if (standing?.off?.isRemoved) return NOT_AMONG_SCREENERS;
  if (!hasVerdict(standing)) return noVerdictText(standing);
  if (saysWithdrawn(standing)) return withdrawnLine(standing);
  const verdict = shortVerdict(standing, leftOut);
  const isWaiting = standing.verdict === 'unclear' && standing.silentDays === undefined;
  return isWaiting ? `${verdict}${waitText(standing)}` : verdict;
}

/** Stands in the place of a verdict: nothing is to be done about a type that was removed. */
export const NOT_AMONG_SCREENERS = 'no longer among your screeners';

/** `no outcome yet` for a type whose settings changed, because its line had a verdict until then. `–` for any other type. */
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
  /** For a type below both, the day on which the second of its verdicts came. */
  readonly secondDay?: boolean;
}

/** `above since 24 Sep, from few days (22)`, `too few days (8 of 12)`, `unclear`, `no card for 21 days`. */
export function shortVerdict(standing: Standing | null, leftOut: LeftOutOfVerdict = {}): string {
  if (!hasVerdict(standing)) return noVerdictText(standing);
  const { verdict, silentDays, isWeak, least } = standing;
  const shown = shownVerdict(standing);
  if (shown === null) return 'BTC itself';
  const isBothTold = isBelowBoth(standing) && !leftOut.belowWhat;
  const fewDays = isWeak && !leftOut.weak ? `, ${fewDaysText(standing)}` : '';
  const bothDays = isBothTold ? belowBothSince(standing, leftOut) : undefined;
  if (bothDays !== undefined) return `${bothDays}${fewDays}`;
  const name = isBothTold ? BELOW_BOTH : verdictName(shown, least);
  if (verdict === 'too_few_days') {
    const days = daysOfNeeded(standing);
    return days === undefined ? name : `${name} (${days})`;
  }
  if (verdict === 'unclear') {
    const isSilenceNamed = silentDays !== undefined && !leftOut.silence;
    return isSilenceNamed ? silenceText(silentDays) : name;
  }
  // If other words of the page say what it is below, the day is that of the comparison that decides.
  const day = leftOut.belowWhat ? standing.verdictSince : shownSince(standing);
  const since = isSide(verdict) && day !== undefined ? ` since ${dayAndMonth(day)}` : '';
  return `${name}${since}${fewDays}`;
}

/**
 * `from few days (22)`, of a verdict that rests on few days. `from few days` of the service's medians: it does not say on how many of
 * its 30 days there were cards.
 */
export function fewDaysText({ base, figures }: Standing): string {
  const days = base.source === 'service' ? undefined : figures?.distinct_days;
  return days === undefined ? 'from few days' : `from few days (${days})`;
}

/** The verdict. If there is none yet: `the first outcome is due on 3 Oct`, or `nothing measured yet`. */
export function titleText(standing: Standing): string {
  if (hasVerdict(standing)) return verdictText(standing);
  const { dueAt } = standing;
  if (dueAt === undefined) return 'nothing measured yet';
  return `the first outcome is due on ${dayAndMonth(dueAt)}`;
}

/**
 * `below since 31 Aug, below BTC since 29 Sep`: for a type below both that was below one of them first. A line that named the later
 * day alone would seem to move the day of the first verdict. Without the second day: `below since 31 Aug, below BTC, too`. Undefined
 * for a type whose verdict has only one day.
 */
function belowBothSince(standing: Standing, { secondDay }: LeftOutOfVerdict): string | undefined {
  const days = daysBelowBoth(standing);
  if (days === undefined) return undefined;
  const first = dayAndMonth(days.first);
  const since = secondDay ? ', too' : ` since ${dayAndMonth(days.second)}`;
  if (days.firstVs === 'others') return `below since ${first}, below BTC${since}`;
  return `below BTC since ${first}, below others${since}`;
}

/** The verdict alone, without its date: `above`, `below others and BTC`, `within 1 pp`, `no longer sure`, `BTC itself`. */
export function bareVerdict(standing: Standing | null): string {
  if (!hasVerdict(standing)) return NONE;
  if (isBelowBoth(standing)) return BELOW_BOTH;
  if (saysWithdrawn(standing)) return NO_LONGER_SURE;
  const verdict = shownVerdict(standing);
  return verdict === null ? 'BTC itself' : verdictName(verdict, standing.least);
}
