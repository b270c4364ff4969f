/** What an export asks at its end of each type's last change of settings. Pure: the lines to append to the notebook. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { LEVEL } from '../statistics/estimate.ts';
import { cleanOrNull } from '../statistics/quantile.ts';
import { type ChangeFinding, changeLineOf, type Finding } from './findings.ts';
import { LEAST } from './question.ts';
import {
  ChangeComparison,
  type ChangeEvidence,
  changeVerdict,
  settingsChangesOf,
} from './settings-change.ts';

/**
 * A line where the verdict on a type's last change is first told, and where it changes. "Helped" and "hurt" are final until
 * the next change: cards that come later meet another market. Therefore exports write them only where two UTC days say so.
 * @param findings the notebook so far, oldest first @param now epoch milliseconds UTC
 */
export function judgeChanges(
  evidence: ChangeEvidence,
  findings: readonly Finding[],
  now: number,
): ChangeFinding[] {
  let comparison: ChangeComparison | undefined;
  const lines: ChangeFinding[] = [];
  for (const [type, times] of evidence.settingsOf) {
    const change = settingsChangesOf(type, times).at(-1);
    const since = change?.after.since;
    if (change === undefined || since === undefined) continue;
    const last = changeLineOf(findings, type, since)?.verdict;
    if (last === 'higher' || last === 'lower') continue;
    comparison ??= new ChangeComparison(evidence, MAIN_HORIZON);
    const effect = comparison.effectOf(change);
    const verdict = changeVerdict(effect, LEAST, last);
    if (verdict === 'too_few_days' || verdict === last) continue;
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
