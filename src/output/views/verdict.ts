/** The verdict on a group, as screens and the report say it. */

import type { Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { dayAndMonth, NONE } from '../format.ts';
import {
  BELOW_BOTH,
  hasVerdict,
  isBelowBoth,
  shownSince,
  shownVerdict,
  verdictName,
} from './verdict-names.ts';
import { daysOfNeeded } from './verdict-rule.ts';
import { silenceText, waitText } from './verdict-wait.ts';
import { isNoLongerSure, NO_LONGER_SURE, noLongerSureText } from './withdrawn-verdict.ts';

/**
 * `above since 24 Sep, weak`, `within 1 pp`, `unclear; a verdict is likely by 23 Dec`, `no card for 21 days`,
 * `above until 2 Nov; +0.2 pp in the last 30 days`.
 */
export function verdictText(standing: Standing | null): string {
  if (standing?.off?.isRemoved) return NOT_AMONG_SCREENERS;
  if (!hasVerdict(standing)) return noVerdictText(standing);
  if (isNoLongerSure(standing)) return noLongerSureText(standing);
  const waits = standing.word === 'unclear' && standing.silentDays === undefined;
  return `${shortVerdict(standing)}${waits ? waitText(standing) : ''}`;
}

/** In the place of the verdict of a type that sends no more cards: nothing is to be done about it. */
export const NOT_AMONG_SCREENERS = 'no longer among your screeners';

/** `no outcome yet`: why the line of a type that changed its settings is empty all at once. */
function noVerdictText(standing: Standing | null): string {
  if (standing === null) return NONE;
  const isChanged = standing.groupFigures !== null && standing.groupFigures.settings_since !== null;
  return isChanged && standing.base.sample === 0 ? 'no outcome yet' : NONE;
}

/** As `verdictText`, but without the words on when a verdict may come. */
export function shortVerdict(standing: Standing | null): string {
  if (!hasVerdict(standing)) return noVerdictText(standing);
  const { word, silentDays, isWeak, least } = standing;
  const verdict = shownVerdict(standing);
  if (verdict === null) return 'BTC itself';
  const name = isBelowBoth(standing) ? BELOW_BOTH : verdictName(verdict, least);
  if (word === 'too_few_days') {
    const days = daysOfNeeded(standing);
    return days === undefined ? name : `${name} (${days})`;
  }
  if (word === 'unclear') return silentDays === undefined ? name : silenceText(silentDays);
  const day = shownSince(standing);
  const since = isSide(word) && day !== undefined ? ` since ${dayAndMonth(day)}` : '';
  return `${name}${since}${isWeak ? ', weak' : ''}`;
}

/** The verdict as a title. If there is none yet: when the first outcome is due, if that is known. */
export function titleText(standing: Standing): string {
  if (hasVerdict(standing)) return verdictText(standing);
  const { dueAt } = standing;
  if (dueAt === undefined) return 'nothing measured yet';
  return `the first outcome is due on ${dayAndMonth(dueAt)}`;
}

/** The word alone, without its date: `above`, `below both`, `within 1 pp`, `no longer sure`, `BTC itself`. */
export function wordText(standing: Standing | null): string {
  if (!hasVerdict(standing)) return NONE;
  if (isBelowBoth(standing)) return BELOW_BOTH;
  if (isNoLongerSure(standing)) return NO_LONGER_SURE;
  const verdict = shownVerdict(standing);
  return verdict === null ? 'BTC itself' : verdictName(verdict, standing.least);
}
