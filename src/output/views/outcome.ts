/** The figures of one horizon of an Outcome, as words and figures. Price movement, not trading profit. */
import type { Outcome } from '../../api/contract/resources.ts';
import type { HorizonName } from '../../outcomes/types.ts';
import { NONE, percent, percentagePoints } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Styles } from '../types.ts';

interface Measured {
  /** `pending`, `missing` or `available`; another word where the API has a new one. */
  readonly state: string;
  /** Percent. */
  readonly move: number | null;
  /** Percent. */
  readonly btc: number | null;
  /** move - btc, percentage points; null unless both were measured. */
  readonly difference: number | null;
}

export function measured(outcome: Outcome, horizon: HorizonName): Measured {
  const [state, move, btc] =
    horizon === '1h'
      ? [outcome.state_1h, outcome.move_1h_pct, outcome.btc_move_1h_pct]
      : [outcome.state_24h, outcome.move_24h_pct, outcome.btc_move_24h_pct];
  return { state, move, btc, difference: move === null || btc === null ? null : move - btc };
}

/** The move, or the word that says why there is none. */
export function moveCell(outcome: Outcome | null, horizon: HorizonName, styles: Styles): string {
  if (outcome === null) return styles.dim('none');
  const { state, move } = measured(outcome, horizon);
  if (move !== null || state === 'available') return percent(move, styles);
  return styles.dim(safeText(state));
}

export function differenceCell(outcome: Outcome | null | undefined, horizon: HorizonName, styles: Styles): string {
  const difference = outcome == null ? null : measured(outcome, horizon).difference;
  return difference === null ? styles.dim(NONE) : percentagePoints(difference, styles);
}
