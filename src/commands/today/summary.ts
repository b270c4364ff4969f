/** What a morning's look at a history shows. Pure. */
import type { StoredCard } from '../../history/layout.ts';
import { createdAt } from '../../history/layout.ts';
import { quantile, sortedOf } from '../../outcomes/quantile.ts';
import type { BigMove, SettledHorizon, Today, TypeToday } from '../../output/views/today.ts';
import { DAY, HOUR } from '../../runtime/units.ts';

/** So many days before the last one say what is usual. */
export const USUAL_DAYS = 28;

type Figures = Pick<Today, 'cards' | 'settled' | 'by_type' | 'biggest_moves'>;

/** More are not kept: who wants all has `signals ls --local --sort`. */
const MOST_MOVES = 10;

/** @param cards of the last `USUAL_DAYS + 1` days @param now epoch milliseconds UTC */
export function summarizeToday(cards: readonly StoredCard[], now: number): Figures {
  const types = [...new Set(cards.map(typeOf))];
  const byType = types.map((type) =>
    typeToday(
      type,
      cards.filter((card) => typeOf(card) === type),
      now,
    ),
  );
  return {
    cards: { last_24h: countSince(cards, now), usual: usualPerDay(cards, now) },
    settled: settledOf(cards, now),
    by_type: byType.sort((a, b) => b.cards - a.cards || b.usual - a.usual),
    biggest_moves: biggestMoves(cards, now),
  };
}

export function typeOf({ source_bot_type }: StoredCard): string {
  return String(source_bot_type);
}

function typeToday(type: string, cards: readonly StoredCard[], now: number): TypeToday {
  return {
    screener_type: type,
    cards: countSince(cards, now),
    usual: usualPerDay(cards, now),
    settled: settledOf(cards, now),
  };
}

/** Cards of the last 24 h. */
export function countSince(cards: readonly StoredCard[], now: number): number {
  return cards.filter((card) => createdAt(card) > now - DAY).length;
}

/** Cards a day, of the days before the last 24 h, from the first card there is on. */
export function usualPerDay(cards: readonly StoredCard[], now: number): number {
  const before = cards.map(createdAt).filter((at) => at <= now - DAY && at > now - (USUAL_DAYS + 1) * DAY);
  if (before.length === 0) return 0;
  const days = Math.max(1, Math.min(USUAL_DAYS, (now - DAY - Math.min(...before)) / DAY));
  return Number((before.length / days).toFixed(2));
}

function settledOf(cards: readonly StoredCard[], now: number): Today['settled'] {
  return { '1h': horizonOf(cards, '1h', HOUR, now), '24h': horizonOf(cards, '24h', DAY, now) };
}

interface Move {
  readonly card: StoredCard;
  readonly move: number;
  readonly btc: number | null;
}

/** Moves whose horizon ended within the last 24 h. */
function settledMoves(cards: readonly StoredCard[], name: '1h' | '24h', length: number, now: number): Move[] {
  return cards.flatMap((card) => {
    const end = createdAt(card) + length;
    const outcome = card.outcome as Record<string, unknown> | null | undefined;
    const move = outcome?.[`move_${name}_pct`];
    const btc = outcome?.[`btc_move_${name}_pct`];
    if (end > now || end <= now - DAY || outcome?.[`state_${name}`] !== 'available' || typeof move !== 'number')
      return [];
    return [{ card, move, btc: typeof btc === 'number' ? btc : null }];
  });
}

function horizonOf(cards: readonly StoredCard[], name: '1h' | '24h', length: number, now: number): SettledHorizon {
  const moves = settledMoves(cards, name, length, now);
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

function biggestMoves(cards: readonly StoredCard[], now: number): BigMove[] {
  return settledMoves(cards, '24h', DAY, now)
    .sort((a, b) => Math.abs(b.move) - Math.abs(a.move))
    .slice(0, MOST_MOVES)
    .map(({ card, move, btc }) => ({
      id: card.id,
      source_symbol: String(card.source_symbol),
      source_bot_type: typeOf(card),
      created_at: card.created_at,
      move_24h_pct: move,
      btc_move_24h_pct: btc,
    }));
}
