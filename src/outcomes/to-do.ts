/** What a group's verdicts mean for its owner. Nobody asks this of a group that may have stopped working (`mayHaveStopped`). */
import type { Verdict } from '../statistics/rule.ts';
import type { WithdrawnVerdict } from './findings.ts';
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
 * @param verdict the verdict of the comparison that decides
 * @param comparedWith what that comparison is with
 * @param verdictVsBtc the verdict against BTC
 * @param withdrawn the group's last verdict above or below, if it was withdrawn
 * @returns undefined if nothing follows
 */
export function toDoOf(
  verdict: Verdict | null,
  comparedWith: ComparedWith,
  verdictVsBtc: Verdict | null,
  withdrawn?: Pick<WithdrawnVerdict, 'verdict' | 'comparedWith'>,
): ToDo | undefined {
  if (comparedWith === 'others' && verdict === 'above') return 'keep';
  if (verdictVsBtc === null) return undefined;
  if (comparedWith === 'others' && verdict === 'below') return BELOW_OTHERS[verdictVsBtc];
  const toDo = NOT_BELOW_OTHERS[verdictVsBtc];
  if (toDo === 'ahead_of_btc' && wasAboveOthers(withdrawn)) return undefined;
  return toDo;
}

/**
 * Whether the verdict that the group is above the others was withdrawn. Its lead may be over. Its difference to BTC still includes
 * the good days: that is no reason to keep the group.
 */
function wasAboveOthers(
  withdrawn: Pick<WithdrawnVerdict, 'verdict' | 'comparedWith'> | undefined,
): boolean {
  return withdrawn?.verdict === 'above' && withdrawn.comparedWith === 'others';
}
