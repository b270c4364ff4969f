import type { Outcome } from '../../api/contract/resources.ts';
import { HORIZON_NAMES } from '../../outcomes/types.ts';
import type { Pair, RenderContext } from '../types.ts';
import { measured } from './outcome.ts';

/** Blocks on either side of zero. */
const HALF = 12;

/** The move and BTC's move of each measured horizon as bars from a common zero, on one scale. */
export function moveBars(outcome: Outcome, render: RenderContext): string {
  const moves = HORIZON_NAMES.flatMap((horizon) => {
    const { move, btc } = measured(outcome, horizon);
    const named: [string, number | null][] = [
      [`${horizon} move`, move],
      [`${horizon} BTC`, btc],
    ];
    return move === null ? [] : named.filter((pair): pair is [string, number] => pair[1] !== null);
  });
  const largest = Math.max(0, ...moves.map(([, move]) => Math.abs(move)));
  if (largest === 0) return '';
  return render.pairs(moves.map(([name, move]): Pair => [name, signedBar(move / largest, render)]));
}

function signedBar(share: number, { styles, unicode }: RenderContext): string {
  const [block, zero] = unicode ? ['█', '│'] : ['#', '|'];
  const length = Math.max(share === 0 ? 0 : 1, Math.round(Math.abs(share) * HALF));
  const filled = block.repeat(length);
  return share < 0
    ? `${' '.repeat(HALF - length)}${styles.bad(filled)}${zero}`
    : `${' '.repeat(HALF)}${zero}${styles.good(filled)}`;
}
