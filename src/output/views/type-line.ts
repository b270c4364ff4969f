/** The line of a type in a list without figures: what to do with it, its verdict, and what its last change did, if that is news. */
import type { Standing } from '../../outcomes/standing.ts';
import { isSide } from '../../statistics/rule.ts';
import { isToDrop } from './actions.ts';
import { changeEffect, isEffectTold } from './change-words.ts';
import { typeLineText } from './to-do-words.ts';
import { silenceText } from './verdict-wait.ts';

interface PageOfLine {
  /** Whether the page says elsewhere what the type's last change did. */
  readonly isChangeTold?: boolean;
}

/** `worth keeping: above since 20 Aug; change helped`. */
export function typeLine(standing: Standing, { isChangeTold = false }: PageOfLine = {}): string {
  const { change } = standing;
  const hasChange = change !== undefined && isEffectTold(change) && !isChangeTold;
  // A line has no room for both: what a change did takes the place of how long a verdict may take.
  const verdict = typeLineText(standing, hasChange);
  return hasChange ? `${verdict}; change ${changeEffect(change.verdict)}` : verdict;
}

/**
 * `no card for 19 days: check its settings`, `above since 20 Aug; no card for 13 days: check its settings`: for a page on which no
 * column shows the silence.
 */
export function typeLineWithSilence(standing: Standing): string {
  const line = typeLine(standing);
  const { silentDays } = standing;
  if (silentDays === undefined) return line;
  const silence = silenceText(silentDays);
  if (isToDrop(standing)) return `${line}; ${silence}`;
  const advice = 'check its settings';
  // "No reason to drop" says nothing of a type that sends no cards.
  const isWorthSaying = isSide(standing.verdict) || standing.toDo !== undefined;
  return isWorthSaying ? `${line}; ${silence}: ${advice}` : `${silence}: ${advice}`;
}
