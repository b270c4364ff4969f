/** What a morning's look at a history shows. Pure. */
import { byHorizon, type HorizonName, horizonOf, MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { LEAST_CLUSTERS } from '../../outcomes/clustered-median.ts';
import { differencesOf, symbolsOfBtc } from '../../outcomes/differences.ts';
import type { GroupFigures } from '../../outcomes/figure-table.ts';
import { groupBy } from '../../outcomes/group.ts';
import { medianOf, quantile, sortedOf } from '../../outcomes/quantile.ts';
import { cardsPerDay, RATE_DAYS, twoDecimals } from '../../outcomes/rate.ts';
import { movesOf, type Row } from '../../outcomes/row.ts';
import type { Interval } from '../../outcomes/types.ts';
import type { Today } from '../../output/views/today.ts';
import { DAY } from '../../runtime/units.ts';

const MOST_CARDS = 10;

/**
 * @param cards of the last `RATE_DAYS + 1` days
 * @param until when the history ends, epoch milliseconds UTC: of what came since, nothing is known
 * @param compared the figures of each screener type, as on every screen
 */
export function summarizeToday(
  cards: readonly Row[],
  until: number,
  compared: ReadonlyMap<string | null, GroupFigures>,
): Pick<Today, 'cards' | 'newest' | 'settled' | 'by_type' | 'biggest_moves'> {
  const byType = [...groupBy(cards, ({ type }) => type)].map(([type, own]) => ({
    screener_type: type,
    cards: countSince(own, until),
    usual: compared.get(type)?.cards_per_day ?? 0,
    settled: settledOf(own, until),
    verdict: compared.get(type)?.horizons[MAIN_HORIZON].shown_verdict ?? null,
  }));
  const newest = cards.filter(({ at }) => at > until - DAY).sort((a, b) => b.at - a.at);
  return {
    cards: {
      last_24h: countSince(cards, until),
      usual: usualPerDay(cards, until),
      usual_range: usualRange(cards, until),
    },
    newest: newest.slice(0, MOST_CARDS).map(cardOf),
    settled: settledOf(cards, until),
    by_type: byType.sort((a, b) => b.cards - a.cards || b.usual - a.usual),
    biggest_moves: movesOf(settledIn(cards, '24h', until), '24h')
      .sort((a, b) => Math.abs(b.move) - Math.abs(a.move))
      .slice(0, MOST_CARDS)
      .map(({ card, move, btc }) => ({ ...cardOf(card), move_24h_pct: move, btc_move_24h_pct: btc })),
  };
}

/** Cards of the 24 h before. */
export function countSince(cards: readonly Row[], until: number): number {
  return cards.filter(({ at }) => at > until - DAY && at <= until).length;
}

export function usualPerDay(cards: readonly Row[], until: number): number {
  return twoDecimals(cardsPerDay(cards, until - DAY));
}

/** Fewer days before say nothing of what is usual. */
const LEAST_DAYS = 14;

/**
 * Within which 95 % of the daily counts lie of the 28 days before the last 24 h, or of as many as there are: their
 * quantiles of type 7. Null where there are fewer than 14.
 */
function usualRange(cards: readonly Row[], until: number): Interval | null {
  const first = cards.reduce((least, { at }) => Math.min(least, at), until);
  const days = Math.min(RATE_DAYS, Math.floor((until - DAY - first) / DAY));
  if (days < LEAST_DAYS) return null;
  const counts = Array.from({ length: days }, (_, day) => countSince(cards, until - (day + 1) * DAY));
  const sorted = sortedOf(counts);
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

function settledOf(cards: readonly Row[], until: number): Today['settled'] {
  return byHorizon((name) => ofHorizon(cards, name, until));
}

function ofHorizon(cards: readonly Row[], name: HorizonName, until: number): Today['settled'][HorizonName] {
  const settled = settledIn(cards, name, until);
  const moves = movesOf(settled, name).map(({ move }) => move);
  const differences = differencesOf(settled, name, symbolsOfBtc(cards)).map(({ value }) => value);
  return {
    sample: moves.length,
    median_move_pct: medianOfEnough(moves),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: medianOfEnough(differences),
  };
}

/** Cards whose horizon ended within the last 24 h. */
function settledIn(cards: readonly Row[], name: HorizonName, until: number): Row[] {
  const last = until - horizonOf(name).millis;
  return cards.filter(({ at }) => at <= last && at > last - DAY);
}

function medianOfEnough(values: readonly number[]): number | null {
  return values.length < LEAST_CLUSTERS ? null : medianOf(values);
}

function cardOf({ id, symbol, type, at }: Row): Today['newest'][number] {
  return { id, source_symbol: symbol, source_bot_type: type, created_at: formatApiTime(at) };
}
