/** What a change of settings did, and what to do about it, in words: every page has these. */
import { LEAST } from '../../outcomes/question.ts';
import type { ChangeVerdict } from '../../outcomes/settings-change.ts';
import { dayAndMonth } from '../format.ts';

/** What a change did: `helped`. @param least the smallest difference that matters, percentage points */
export function changeEffect(verdict: ChangeVerdict, least = LEAST): string {
  switch (verdict) {
    case 'higher':
      return 'helped';
    case 'lower':
      return 'hurt';
    case 'small':
      return `made less than ${least} pp`;
    case 'unclear':
      return 'not known yet whether it helped';
    case 'too_few_days':
      return 'too early to say whether it helped';
  }
}

/**
 * `your change of 14 Oct helped`: of a change of which it is known what it did. By how much is told on the pages that say, too, that
 * luck may be a part of it.
 * @param changedAt epoch milliseconds UTC
 */
export function yourChange(verdict: ChangeVerdict, changedAt: number): string {
  return `your change of ${dayAndMonth(changedAt)} ${changeEffect(verdict)}`;
}

const KEEP_FOR_NOW = 'keep its settings for now';

const ADVICE: Readonly<Record<ChangeVerdict, string>> = {
  higher: 'keep the new settings',
  lower: 'undo the change, or try other settings',
  small: 'keep whichever settings you like better',
  unclear: KEEP_FOR_NOW,
  too_few_days: KEEP_FOR_NOW,
};

/**
 * What to do with the new settings: `keep the new settings`.
 * @param isWaitedFor whether the settings are to be kept while it is not known what the change did. If not, there is no advice then
 */
export function changeAdvice(verdict: ChangeVerdict, isWaitedFor = false): string {
  const isKnown = verdict !== 'unclear' && verdict !== 'too_few_days';
  return isKnown || isWaitedFor ? ADVICE[verdict] : '';
}
