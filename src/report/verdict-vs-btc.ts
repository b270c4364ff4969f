/** The colour of a type's dot in the pictures that compare with BTC. */
import type { Standing } from '../outcomes/standing.ts';
import type { Verdict } from '../statistics/rule.ts';

/** The verdict whose colour the dot has; null for a grey dot. */
export function colourVerdictVsBtc(standing: Standing): Verdict | null {
  const { verdict, comparedWith, verdictVsBtc, withdrawn, base, toDo } = standing;
  if (comparedWith === 'btc') return verdict;
  // The verdict vs other cards was withdrawn. The figure vs BTC also counts the days in which that verdict held, so that no
  // colour may confirm it.
  if (withdrawn !== undefined) return null;
  if (base.source === 'bought') return verdictVsBtc;
  // The dot is the service's median, and has no interval: it does not show how sure it is. So the dot is coloured only if the
  // heading of its row names the verdict vs BTC: `Below your other cards and BTC`. The heading of "keep" does not name it.
  const isInHeading = toDo !== undefined && toDo !== 'keep';
  return isInHeading ? verdictVsBtc : null;
}
