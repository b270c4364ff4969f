/** What a change of settings did, and what to do about it, in words: every page has these. */
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import type { ChangeVerdict } from '../../outcomes/settings-change.ts';
import type { LastChange } from '../../outcomes/standing.ts';
import { dayAndMonth } from '../format.ts';

/** What a change did: `helped`. @param least the smallest difference that matters, percentage points */
export function changeEffect(verdict: ChangeVerdict, least = DEFAULT_LEAST): string {
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

/**
 * Whether lists of what to do tell what a change did: for 7 days after it was found; of a change that hurt, until it is undone.
 * After that nothing is left to do.
 */
export function isEffectTold({ verdict, isNewlyFound }: LastChange): boolean {
  return verdict === 'lower' || isNewlyFound;
}

/**
 * What to do with the new settings: `keep the new settings`, `keep its settings until 9 Nov`.
 * @param keptUntil until when the settings are to be kept while it is not known what the change did, epoch milliseconds UTC. If
 *   undefined, there is no advice then
 */
export function changeAdvice(verdict: ChangeVerdict, keptUntil?: number): string {
  switch (verdict) {
    case 'higher':
      return 'keep the new settings';
    case 'lower':
      return 'undo the change, or try other settings';
    case 'small':
      return 'keep whichever settings you like better';
    case 'unclear':
    case 'too_few_days':
      return keptUntil === undefined ? '' : `keep its settings ${untilDay(keptUntil)}`;
  }
}

/** `until 9 Nov` */
export function untilDay(keptUntil: number): string {
  return `until ${dayAndMonth(keptUntil)}`;
}
