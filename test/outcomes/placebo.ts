/** Invented histories whose truth is known: no card does better or worse than BTC but by chance. */
import {
  byHorizon,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { HistoryCard, Measured } from '../../src/outcomes/history-card.ts';
import { normalOf, randomOf } from '../support/history.ts';

const FIRST_DAY = Date.UTC(2026, 8, 1);

export interface World {
  readonly days: number;
  /** Cards on a day. */
  readonly perDay: (normal: () => number) => number;
  /** Of two moves of one day; for overlapping windows, of two that begin together. */
  readonly correlation: number;
  /** Whether the 24 h moves share hours of one market walk, so that they reach into the next day. */
  readonly overlaps?: boolean;
  readonly types?: number;
  /** Percentage points that type 0 truly has above BTC. */
  readonly effect?: number;
  /** Spread of the differences, percentage points: beside 1, everything is within the smallest difference that matters. */
  readonly scale?: number;
}

/** All horizons have a median move of 0, a median difference to BTC of 0 and a share above BTC of one half. */
export function placeboHistory(
  { days, perDay, correlation, overlaps, types = 1, effect = 0, scale = 1 }: World,
  seed: number,
): HistoryCard[] {
  const random = randomOf(seed * 7919 + 13);
  const normal = normalOf(random);
  const shift = Math.floor(random() * 6);
  const shared = Math.sqrt(correlation);
  const own = Math.sqrt(1 - correlation);
  const walk = (normal: () => number): ((hour: number) => number) => {
    const path = [0];
    for (let hour = 0; hour < 24 * (days + 1); hour += 1)
      path.push((path[hour] ?? 0) + normal() / Math.sqrt(24));
    return (hour) => (path[hour + 24] ?? 0) - (path[hour] ?? 0);
  };
  const daily = (normal: () => number): ((hour: number) => number) => {
    const common = Array.from({ length: days }, normal);
    return (hour) => common[Math.floor(hour / 24)] ?? 0;
  };
  const markets = byHorizon((name) => {
    const ofHorizon = normalOf(randomOf(seed * 7919 + horizonOf(name).millis));
    const moves = overlaps && name === MAIN_HORIZON ? walk : daily;
    return { btc: moves(ofHorizon), alts: moves(ofHorizon), own: ofHorizon };
  });
  const rows: HistoryCard[] = [];
  for (let day = 0; day < days; day += 1) {
    const count = perDay(normal);
    for (let i = 0; i < count; i += 1) {
      const hour = day * 24 + Math.floor(random() * 24);
      const type = Math.floor(random() * types);
      const bonus = type === 0 ? effect : 0;
      const measured = (horizon: HorizonName): Measured => {
        const market = markets[horizon];
        const ofBtc = market.btc(hour);
        const difference = scale * (shared * market.alts(hour) + own * market.own()) + bonus;
        return { state: 'available', move: ofBtc + difference, btc: ofBtc };
      };
      rows.push({
        id: rows.length + 1,
        symbol: 'AUSDT',
        type: `type_${type}`,
        at: FIRST_DAY + shift * DAY + hour * HOUR + Math.floor(random() * HOUR),
        isBought: true,
        outcomes: byHorizon(measured),
      });
    }
  }
  return rows;
}

/** A day's number of cards that varies by a factor of ten and more. */
export const unevenDays: World['perDay'] = (normal) => {
  const mean = Math.exp(2.5 + normal());
  return Math.max(1, Math.round(mean + Math.sqrt(mean) * normal()));
};

export const LONG_AGO_SETTLED = FIRST_DAY + 400 * DAY;
