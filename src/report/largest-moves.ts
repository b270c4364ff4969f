import { html, type Markup } from './markup.ts';
import { signed } from './scales.ts';
import { numbersTable, section } from './section.ts';

export interface LargeMove {
  readonly id: number;
  readonly symbol: string;
  readonly type: string;
  /** Trigger, epoch milliseconds UTC. */
  readonly at: number;
  /** Percent. */
  readonly move: number;
  /** BTC's, percent; null where it was not measured. */
  readonly btc: number | null;
}

/** @param up the largest first; @param down the lowest first */
export function largestMovesSection(up: readonly LargeMove[], down: readonly LargeMove[], horizon: string): Markup {
  const first = up[0];
  const last = down[0];
  return section({
    id: 'largest',
    title: 'The largest moves',
    says:
      first === undefined && last === undefined
        ? `No move after ${horizon} is measured yet.`
        : `After ${horizon} the moves lie between ${signed((last ?? first)?.move ?? 0)} % (${(last ?? first)?.symbol}) and ${signed((first ?? last)?.move ?? 0)} % (${(first ?? last)?.symbol}). A single move says nothing of a screener.`,
    picture: [up, down].filter((moves) => moves.length > 0).map((moves) => tableOf(moves)),
  });
}

function tableOf(moves: readonly LargeMove[]): Markup {
  const rows = moves.map(({ id, symbol, type, at, move, btc }) => [
    symbol,
    type,
    `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
    signed(move),
    btc === null ? '' : signed(btc),
    String(id),
  ]);
  return html`<div class="wide" role="region" aria-label="Largest moves" tabindex="0">${numbersTable(['Symbol', 'Type', 'Trigger, UTC', 'Move, %', "BTC's, %", 'Card'], rows)}</div>
`;
}
