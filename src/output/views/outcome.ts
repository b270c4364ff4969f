/** The figures of one horizon of an Outcome, as words and figures. Price movement, not trading profit. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import type { Outcome } from '../../api/contract/resources.ts';
import { type Measured, measuredAt } from '../../outcomes/row.ts';
import { NONE, percent } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

interface Compared extends Measured {
  /** move - btc, percentage points; null unless both were measured. */
  readonly difference: number | null;
}

export function measured(outcome: Outcome, horizon: HorizonName): Compared {
  const one = measuredAt(outcome, horizon);
  return { ...one, difference: one.move === null || one.btc === null ? null : one.move - one.btc };
}

/** The move, or the word that says why there is none. */
export function moveCell(outcome: Outcome, horizon: HorizonName, styles: Styles): string {
  const { state, move } = measured(outcome, horizon);
  if (move !== null || state === 'available') return percent(move, styles);
  return styles.dim(state === undefined ? NONE : safeText(state));
}
