/** At the end of an export: what the last change of each type's settings did. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { type ChangeFinding, changeInNotebook, type Finding } from './findings.ts';
import { DEFAULT_LEAST } from './question.ts';
import {
  ChangeComparison,
  type ChangeEvidence,
  changeVerdict,
  settingsChangesOf,
} from './settings-change.ts';

/**
 * For so long after a change it is judged what the change did. Later, the cards before it leave the days that are judged: the interval
 * would widen, and reach 0 for that alone. What was said until then stays. Milliseconds.
 */
export const JUDGED_AFTER_CHANGE = 90 * DAY;

/**
 * A line for each type whose last change of settings has its first verdict, or another verdict than before. That a change helped
 * (`higher`) or hurt (`lower`), or that this is no longer sure (`unclear` after it), an export writes only after a second UTC day has
 * said the same (`judgeHistory`). Pure.
 * @param findings the notebook so far, oldest first
 * @param now epoch milliseconds UTC
 * @returns the lines to append to the notebook
 */
export function judgeChanges(
  evidence: ChangeEvidence,
  findings: readonly Finding[],
  now: number,
): ChangeFinding[] {
  let comparison: ChangeComparison | undefined;
  const lines: ChangeFinding[] = [];
  for (const [type, settingsTimes] of evidence.settingsOf) {
    const change = settingsChangesOf(type, settingsTimes).at(-1);
    const since = change?.after.since;
    if (change === undefined || since === undefined) continue;
    if (now - since > JUDGED_AFTER_CHANGE) continue;
    const lineBefore = changeInNotebook(findings, type, since)?.line;
    const verdictBefore = lineBefore?.verdict;
    comparison ??= new ChangeComparison(evidence, MAIN_HORIZON);
    const effect = comparison.effectOf(change);
    const verdict = changeVerdict(effect, DEFAULT_LEAST, verdictBefore);
    // Too few days are no verdict yet.
    if (verdict === 'too_few_days') continue;
    if (verdict === verdictBefore) continue;
    lines.push({
      at: formatApiTime(now),
      about: 'change',
      type,
      settings_since: formatApiTime(since),
      verdict,
      difference_percentage_points: cleanOrNull(effect.difference.value),
      interval_95: effect.difference.interval(LEVEL),
    });
  }
  return lines;
}
