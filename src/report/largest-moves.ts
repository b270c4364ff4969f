import { formatApiTime } from '../api/time.ts';
import { sortedOf } from '../outcomes/quantile.ts';
import type { Move } from '../outcomes/row.ts';
import { minuteTime } from '../output/format.ts';
import { signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { numbersTable, scrollable, section } from './section.ts';

const MANY = 8;

/** The largest and the lowest moves after 24 h. */
export function largestMovesSection(moves: readonly Move[]): Markup {
  const up = largest(moves, 1);
  // In a small history the two would tell the same moves twice.
  const down = moves.length > MANY ? largest(moves, -1) : [];
  const first = up[0];
  const last = down[0] ?? up.at(-1);
  return section({
    id: 'largest',
    title: 'The largest moves',
    says:
      first === undefined || last === undefined
        ? 'No move after 24 h is measured yet.'
        : `After 24 h the moves lie between ${signed(last.move)} % (${label(last.card.symbol)}) and ${signed(first.move)} % (${label(first.card.symbol)}). A single move says nothing of a screener.`,
    picture: [
      up.length > 0 && tableOf(down.length > 0 ? 'Upwards' : 'All of them', up),
      down.length > 0 && tableOf('Downwards', down),
    ],
  });
}

/** @param sign 1 for the largest, −1 for the lowest */
function largest(moves: readonly Move[], sign: 1 | -1): Move[] {
  const sorted = sortedOf(moves.map(({ move }) => sign * move));
  // The few that are large enough are put in order, not all.
  const least = sorted.at(-MANY) ?? Number.NEGATIVE_INFINITY;
  return moves
    .filter(({ move }) => sign * move >= least)
    .sort((a, b) => sign * (b.move - a.move) || sign * (a.card.id - b.card.id))
    .slice(0, MANY);
}

function tableOf(title: string, moves: readonly Move[]): Markup {
  const rows = moves.map(({ card, move, btc }) => [
    label(card.symbol),
    signed(move),
    signed(btc),
    label(card.type),
    minuteTime(formatApiTime(card.at)),
    String(card.id),
  ]);
  const head = ['Symbol', 'Move, %', "BTC's, %", 'Type', 'Trigger, UTC', 'Card'];
  return html`<h3>${title}</h3>
${scrollable(`Largest moves: ${title.toLowerCase()}`, numbersTable(head, rows))}`;
}
