/** The figures of one horizon of an Outcome, as words and figures. Price movement, not trading profit. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import type { Outcome, SignalCard } from '../../api/contract/resources.ts';
import { parseApiTime } from '../../api/time.ts';
import { measuredAt } from '../../outcomes/row.ts';
import { NONE, percent } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

/** @returns `difference`: move - btc, percentage points; null unless both were measured */
export function measured(outcome: Partial<Outcome>, horizon: HorizonName) {
  const one = measuredAt(outcome, horizon);
  return { ...one, difference: one.move === null || one.btc === null ? null : one.move - one.btc };
}

/** When a horizon is over; a history buys both when the longer one is. Epoch milliseconds UTC. */
export function outcomeDue(
  { created_at }: Pick<SignalCard, 'created_at'>,
  horizon: HorizonName = MAIN_HORIZON,
): number {
  return (parseApiTime(created_at) ?? 0) + horizonOf(horizon).millis;
}

/** The move, or the word that says why there is none. */
export function moveCell(outcome: Partial<Outcome>, horizon: HorizonName, styles: Styles): string {
  const { state, move } = measured(outcome, horizon);
  if (move !== null || state === 'available') return percent(move, styles);
  return styles.dim(state === undefined ? NONE : safeText(state));
}
