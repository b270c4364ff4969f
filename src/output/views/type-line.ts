/** The line of a type in a list without figures: what to do with it, its verdict, and what its last change did. */
import { daysWithoutCard, isClear, type Standing } from '../../outcomes/standing.ts';
import { isToDrop } from './actions.ts';
import { changeInShort } from './settings-history.ts';
import { typeLineText } from './to-do-words.ts';
import { silenceText } from './verdict-wait.ts';

/** What the page says of a type elsewhere. */
export interface ToldOfType {
  /** The figure of its last 30 days. */
  readonly last30Days: boolean;
  readonly change: boolean;
}

const NOTHING_TOLD: ToldOfType = { last30Days: false, change: false };

/** `worth keeping: above since 20 Aug; change helped`. */
export function typeLine(standing: Standing, told: ToldOfType = NOTHING_TOLD): string {
  const { change } = standing;
  const hasChange = change !== undefined && change.verdict !== 'unclear' && !told.change;
  // A line has no room for both: what a change did takes the place of how long a verdict may take (`wait` is left out).
  const verdict = typeLineText(standing, { last30Days: told.last30Days, wait: hasChange });
  return hasChange ? `${verdict}; change ${changeInShort(change.verdict)}` : verdict;
}

/**
 * `no card for 19 days: loosen or switch off`, `above since 20 Aug; no card for 13 days: check its settings`: for a page on which no
 * column shows the silence.
 */
export function typeLineWithSilence(standing: Standing, told: ToldOfType = NOTHING_TOLD): string {
  const line = typeLine(standing, told);
  const days = daysWithoutCard(standing);
  if (days === undefined) return line;
  const silence = silenceText(days);
  if (isToDrop(standing)) return `${line}; ${silence}`;
  const advice = standing.silentDays === undefined ? 'check its settings' : 'loosen or switch off';
  return isClear(standing) ? `${line}; ${silence}: ${advice}` : `${silence}: ${advice}`;
}
