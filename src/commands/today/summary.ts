/** What a morning's look at a history shows. Pure. */
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../outcomes/group.ts';
import { quantile, sortedOf } from '../../outcomes/quantile.ts';
import { cardsPerDay } from '../../outcomes/rate.ts';
import { type Move, movesOf, type Row } from '../../outcomes/row.ts';
import type { BigMove, SettledHorizon, Today } from '../../output/views/today.ts';
import { DAY, HOUR } from '../../runtime/units.ts';

/** So many days before the last one say what is usual. */
export const USUAL_DAYS = 28;

/** More are not kept: who wants all has `signals ls --local --sort`. */
const MOST_MOVES = 10;

/** @param cards of the last `USUAL_DAYS + 1` days @param now epoch milliseconds UTC */
export function summarizeToday(
  cards: readonly Row[],
  now: number,
): Pick<Today, 'cards' | 'settled' | 'by_type' | 'biggest_moves'> {
  const byType = [...groupBy(cards, ({ type }) => type)].map(([type, own]) => ({
    screener_type: type,
    cards: countSince(own, now),
    usual: usualPerDay(own, now),
    settled: settledOf(own, now),
  }));
  return {
    cards: { last_24h: countSince(cards, now), usual: usualPerDay(cards, now) },
    settled: settledOf(cards, now),
    by_type: byType.sort((a, b) => b.cards - a.cards || b.usual - a.usual),
    biggest_moves: biggestMoves(cards, now),
  };
}

/** Cards of the last 24 h. */
export function countSince(cards: readonly Row[], now: number): number {
  return cards.filter(({ at }) => at > now - DAY).length;
}

/** Cards a day, of the days before the last 24 h, from the first card there is on. */
export function usualPerDay(cards: readonly Row[], now: number): number {
  const times = cards.map(({ at }) => at);
  return Number(cardsPerDay(times, now - DAY, USUAL_DAYS).toFixed(2));
}

function settledOf(cards: readonly Row[], now: number): Today['settled'] {
  return { '1h': horizonOf(settledMoves(cards, '1h', now)), '24h': horizonOf(settledMoves(cards, '24h', now)) };
}

/** Moves whose horizon ended within the last 24 h. */
function settledMoves(cards: readonly Row[], name: '1h' | '24h', now: number): Move[] {
  const last = now - (name === '1h' ? HOUR : DAY);
  return movesOf(
    cards.filter(({ at }) => at <= last && at > last - DAY),
    name,
  );
}

function horizonOf(moves: readonly Move[]): SettledHorizon {
  const differences = moves.flatMap(({ move, btc }) => (btc === null ? [] : [move - btc]));
  return {
    sample: moves.length,
    median_move_pct: median(moves.map(({ move }) => move)),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: median(differences),
  };
}

function median(values: readonly number[]): number | null {
  // Differences of decimal fractions carry noise in their 16th digit.
  return values.length === 0 ? null : Number(quantile(sortedOf(values), 0.5).toPrecision(12));
}

function biggestMoves(cards: readonly Row[], now: number): BigMove[] {
  return settledMoves(cards, '24h', now)
    .sort((a, b) => Math.abs(b.move) - Math.abs(a.move))
    .slice(0, MOST_MOVES)
    .map(({ card, move, btc }) => ({
      id: card.id,
      source_symbol: card.symbol,
      source_bot_type: card.type,
      created_at: formatApiTime(card.at),
      move_24h_pct: move,
      btc_move_24h_pct: btc,
    }));
}
