import { quantile, type Sorted } from '../outcomes/quantile.ts';
import type { Row } from '../outcomes/row.ts';
import type { HorizonName } from '../outcomes/types.ts';

/** What was measured after a card, percent. */
export interface Move {
  readonly card: Row;
  readonly move: number;
  /** BTC's over the same time; null where it was not measured. */
  readonly btc: number | null;
}

/** The measured moves of one horizon, in the order of their cards. */
export function movesOf(cards: readonly Row[], horizon: HorizonName): Move[] {
  const moves: Move[] = [];
  for (const card of cards) {
    const { state, move = null, btc = null } = card.measured?.[horizon] ?? {};
    if (state === 'available' && move !== null) moves.push({ card, move, btc });
  }
  return moves;
}

/** The ends of the middle `share` of values (quantiles of type 7), so that a few extreme ones do not flatten a picture. */
export function central(sorted: Sorted, share: number): [number, number] {
  const tail = (1 - share) / 2;
  return sorted.length === 0 ? [0, 0] : [quantile(sorted, tail), quantile(sorted, 1 - tail)];
}
