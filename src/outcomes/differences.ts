import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { dayNumber } from '../runtime/units.ts';
import type { Clustered } from '../statistics/clusters.ts';
import { quantile } from '../statistics/quantile.ts';
import { groupBy, isMeasured, type Measured, type Row } from './row.ts';

/** Rounding to 10 decimals keeps the 16th digit of 1.2 - 0.7 from flipping a score. */
function cleanDifference(of: number, less: number): number {
  const difference = of - less;
  return Math.abs(difference) < 1e5 ? Math.round(difference * 1e10) / 1e10 + 0 : difference;
}

/** Percentage points; null if the move or BTC's was not measured. */
export function differenceOf(one: Measured): number | null {
  return isMeasured(one) && one.btc !== null ? cleanDifference(one.move, one.btc) : null;
}

/** Percentage points less BTC's. */
export interface Difference extends Clustered {
  readonly card: Row;
}

/** Symbols that are BTC itself: their differences are all zero and say nothing of a screener. */
export function symbolsOfBtc(rows: readonly Row[]): ReadonlySet<string> {
  const areZero = new Map<string, boolean>();
  for (const { symbol, measured } of rows) {
    if (measured === undefined || areZero.get(symbol) === false) continue;
    for (const name of HORIZON_NAMES) {
      const difference = differenceOf(measured[name]);
      if (difference !== null) areZero.set(symbol, difference === 0 && areZero.get(symbol) !== false);
    }
  }
  return new Set([...areZero].flatMap(([symbol, isZero]) => (isZero ? [symbol] : [])));
}

export function valueOfCard(card: Row, value: number): Difference {
  return { card, value, day: dayNumber(card.at), symbol: card.symbol };
}

export function differencesOf(rows: readonly Row[], horizon: HorizonName, ofBtc: ReadonlySet<string>): Difference[] {
  const differences: Difference[] = [];
  for (const card of rows) {
    const value = card.measured === undefined ? null : differenceOf(card.measured[horizon]);
    if (value !== null && !ofBtc.has(card.symbol)) differences.push(valueOfCard(card, value));
  }
  return differences;
}

const LEAST_OTHERS = 3;

/** Differences less the median of their UTC day's in other groups, so that the market's part cancels. */
export function differencesToOthers(
  differences: readonly Difference[],
  groupOf: (card: Row) => string | number | null,
): Difference[] {
  return [...groupBy(differences, ({ day }) => day).values()].flatMap((ofDay) => {
    const inOrder = ofDay.toSorted((one, other) => one.value - other.value);
    const groups = inOrder.map(({ card }) => groupOf(card));
    return [...new Set(groups)].flatMap((group) => {
      const others = inOrder.filter((_, i) => groups[i] !== group).map(({ value }) => value);
      if (others.length < LEAST_OTHERS) return [];
      const median = quantile(others, 0.5);
      const own = inOrder.filter((_, i) => groups[i] === group);
      return own.map(({ card, value }) => valueOfCard(card, cleanDifference(value, median)));
    });
  });
}

/** Says on which days a group is compared. @param all differences of all groups @param own of the group */
export function hasOthers(all: readonly Difference[], own: readonly Difference[]): (day: number) => boolean {
  const others = new Map<number, number>();
  for (const { day } of all) others.set(day, (others.get(day) ?? 0) + 1);
  for (const { day } of own) others.set(day, (others.get(day) ?? 0) - 1);
  return (day) => (others.get(day) ?? 0) >= LEAST_OTHERS;
}
