/** What a group's verdicts mean for its owner. `compareAt` alone asks, and leaves it out if the group may have stopped working. */
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
  withdrawn?: Pick<WithdrawnVerdict, 'verdict' | 'to'>,
): ToDo | undefined {
  if (comparedWith === 'others' && verdict === 'above') return 'keep';
  if (verdictVsBtc === null) return undefined;
  if (comparedWith === 'others' && verdict === 'below') return BELOW_OTHERS[verdictVsBtc];
  const toDo = NOT_BELOW_OTHERS[verdictVsBtc];
  return toDo === 'ahead_of_btc' && wasAboveOthers(withdrawn) ? undefined : toDo;
}

/**
 * Whether a group was above the others, and is not sure to be any more. It may have ended: its difference to BTC over all days
 * still includes the days in which it was above, so it is no reason to keep the group.
 */
function wasAboveOthers(withdrawn: Pick<WithdrawnVerdict, 'verdict' | 'to'> | undefined): boolean {
  return withdrawn?.verdict === 'above' && withdrawn.to === 'others';
}
