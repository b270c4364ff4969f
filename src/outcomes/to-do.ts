/** What a group's verdicts mean for its owner. It is decided here and nowhere else. */
import type { Verdict } from '../statistics/rule.ts';
import type { ComparedWith } from './types.ts';

export const TO_DO = [
  'keep',
  'drop',
  'behind_others_ahead_of_btc',
  'ahead_of_btc',
  'behind_btc',
] as const;
export type ToDo = (typeof TO_DO)[number];

/** By the verdict against BTC, for a group that is not below the others. */
const NOT_BELOW_OTHERS: Readonly<Partial<Record<Verdict, ToDo>>> = {
  above: 'ahead_of_btc',
  below: 'behind_btc',
};

/** By the verdict against BTC, for a group that is below the others. */
const BELOW_OTHERS: Readonly<Partial<Record<Verdict, ToDo>>> = {
  above: 'behind_others_ahead_of_btc',
  below: 'drop',
};

/**
 * What the owner of a group should do. A group above the others is worth keeping, whatever it does against BTC.
 * @param word the verdict of the comparison that decides
 * @param comparedWith what that comparison is with
 * @param wordVsBtc the verdict against BTC
 * @returns undefined if nothing follows
 */
export function toDoOf(
  word: Verdict | null,
  comparedWith: ComparedWith,
  wordVsBtc: Verdict | null,
): ToDo | undefined {
  if (comparedWith === 'others' && word === 'above') return 'keep';
  if (wordVsBtc === null) return undefined;
  const isBelowOthers = comparedWith === 'others' && word === 'below';
  return isBelowOthers ? BELOW_OTHERS[wordVsBtc] : NOT_BELOW_OTHERS[wordVsBtc];
}
