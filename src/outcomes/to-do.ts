/** What a group's words mean for its owner: one table, nothing else decides it. */
import type { Word } from '../statistics/rule.ts';
import type { ComparedWith } from './types.ts';

export const TO_DO = [
  'keep',
  'drop',
  'behind_others_ahead_of_btc',
  'ahead_of_btc',
  'behind_btc',
] as const;
export type ToDo = (typeof TO_DO)[number];

/** What a group says by its word against BTC alone. */
const BY_BTC: Readonly<Partial<Record<Word, ToDo>>> = {
  above: 'ahead_of_btc',
  below: 'behind_btc',
};

/** Of a group that is below the others. */
const BELOW_OTHERS: Readonly<Partial<Record<Word, ToDo>>> = {
  above: 'behind_others_ahead_of_btc',
  below: 'drop',
};

/**
 * Above the others: worth keeping, whatever BTC did.
 * @param word against what `to` names @param wordVsBtc of the bought outcomes
 * @returns undefined: nothing
 */
export function toDoOf(
  word: Word | null,
  to: ComparedWith,
  wordVsBtc: Word | null,
): ToDo | undefined {
  if (to === 'others' && word === 'above') return 'keep';
  if (wordVsBtc === null) return undefined;
  return to === 'others' && word === 'below' ? BELOW_OTHERS[wordVsBtc] : BY_BTC[wordVsBtc];
}
