/** The words for a verdict, and their colours. */

import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { ComparedWith, ShownVerdict } from '../../outcomes/types.ts';
import { isSide } from '../../statistics/rule.ts';

export type Tone = 'good' | 'bad' | 'dim';

const TONES: Readonly<Record<ShownVerdict, Tone>> = {
  above_btc: 'good',
  below_btc: 'bad',
  above_others: 'good',
  below_others: 'bad',
  small: 'dim',
  unclear: 'dim',
  too_few_days: 'dim',
};

/** What a group is compared with, in words. */
export const WHOM: Readonly<Record<ComparedWith, string>> = {
  others: 'your other cards',
  btc: 'BTC',
};

/** `above`, `below BTC`, `within 1 pp`. @param least the smallest difference that matters, percentage points */
export function verdictName(verdict: ShownVerdict, least = DEFAULT_LEAST): string {
  const names: Readonly<Record<ShownVerdict, string>> = {
    above_btc: 'above BTC',
    below_btc: 'below BTC',
    above_others: 'above',
    below_others: 'below',
    small: `within ${least} pp`,
    unclear: 'unclear',
    too_few_days: 'too few days',
  };
  return names[verdict];
}

export function toneOfVerdict(verdict: ShownVerdict): Tone {
  return TONES[verdict];
}

/** `above_others`: the verdict and what the group is compared with. Null if it has no verdict. */
export function shownVerdict({
  verdict,
  comparedWith,
}: Pick<Standing, 'verdict' | 'comparedWith'>): ShownVerdict | null {
  return isSide(verdict) ? `${verdict}_${comparedWith}` : verdict;
}

/** The colour of a group, by its verdict. */
export function toneOf({ verdict }: Pick<Standing, 'verdict'>): Tone {
  if (!isSide(verdict)) return 'dim';
  return verdict === 'above' ? 'good' : 'bad';
}

/** Whether its cards are all of BTC, so that there is nothing to compare them with. */
export function isBtcItself({ figures }: Standing): boolean {
  return figures !== null && figures.cards_of_btc > 0 && figures.btc_sample === 0;
}

/** Whether there is something to say of a group: a verdict, or that all its cards are cards of BTC. */
export function hasVerdictWords(standing: Standing | null): standing is Standing {
  return standing !== null && (standing.verdict !== null || isBtcItself(standing));
}

/** The verdict on a type below the others and below BTC, which is the only reason to drop a type. */
export const BELOW_BOTH = 'below others and BTC';

export function isBelowBoth({ toDo }: Pick<Standing, 'toDo'>): boolean {
  return toDo === 'drop';
}

/** Whether nothing is measured, or too few days are. */
export function isTooEarly({ verdict }: Standing): boolean {
  return verdict === null || verdict === 'too_few_days';
}
