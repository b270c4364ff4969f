/**
 * What is compared: a card's move less BTC's, and that less what the other cards of its day did.
 */
import { HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { dayNumber } from '../runtime/units.ts';
import type { Clustered } from './clusters.ts';
import { groupBy } from './group.ts';
import { quantile } from './quantile.ts';
import { isMeasured, type Measured, type Row } from './row.ts';

/**
 * To 10 decimals: what is left of decimal fractions in their 16th digit (1.2 - 0.7, or a server's 0.30000000000000004) is
 * no difference, and would flip a score.
 */
function cleanDifference(of: number, less: number): number {
  const difference = of - less;
  return Math.abs(difference) < 1e5 ? Math.round(difference * 1e10) / 1e10 + 0 : difference;
}

/** A figure to 12 digits: more than the data's. */
export function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** Percentage points; null where the card's move or BTC's was not measured. */
export function differenceOf(one: Measured): number | null {
  return isMeasured(one) && one.btc !== null ? cleanDifference(one.move, one.btc) : null;
}

/** One card's difference to BTC's move, percentage points. */
export interface Difference extends Clustered {
  readonly card: Row;
}

/**
 * The symbols that are BTC itself: all their differences, at both horizons, are exactly zero. They say nothing of a
 * screener.
 */
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

/** Those of one horizon, in the order of their cards; none of `ofBtc` (as `symbolsOfBtc` names them). */
export function differencesOf(rows: readonly Row[], horizon: HorizonName, ofBtc: ReadonlySet<string>): Difference[] {
  const differences: Difference[] = [];
  for (const card of rows) {
    const value = card.measured === undefined ? null : differenceOf(card.measured[horizon]);
    if (value === null || ofBtc.has(card.symbol)) continue;
    differences.push({ card, value, day: dayNumber(card.at), symbol: card.symbol });
  }
  return differences;
}

/** With fewer others on its day a card is not compared with them. */
const LEAST_OTHERS = 3;

/**
 * Each difference less the median of its UTC day's differences in other groups: what the market did to all cards of the
 * day cancels. Those with fewer than 3 others are left out.
 */
export function differencesToOthers(
  differences: readonly Difference[],
  groupOf: (card: Row) => string | number,
): Difference[] {
  return [...groupBy(differences, ({ day }) => day).values()].flatMap((ofDay) => {
    const inOrder = ofDay.toSorted((one, other) => one.value - other.value);
    return [...groupBy(inOrder, ({ card }) => groupOf(card))].flatMap(([group, own]) => {
      const median = medianOfOthers(inOrder, group, groupOf);
      if (median === null) return [];
      return own.map(({ card, value, day, symbol }) => ({ card, value: cleanDifference(value, median), day, symbol }));
    });
  });
}

/** @param inOrder differences of one day, lowest first */
function medianOfOthers<G>(inOrder: readonly Difference[], group: G, groupOf: (card: Row) => G): number | null {
  const others: number[] = [];
  for (const { card, value } of inOrder) if (groupOf(card) !== group) others.push(value);
  return others.length < LEAST_OTHERS ? null : quantile(others, 0.5);
}

/** Whether a day has enough others of a group to be compared with. @param own its differences @param all of all groups */
export function hasOthers(own: readonly Difference[], all: ReadonlyMap<number, number>): (day: number) => boolean {
  const counts = countsByDay(own);
  return (day) => (all.get(day) ?? 0) - (counts.get(day) ?? 0) >= LEAST_OTHERS;
}

export function countsByDay(differences: readonly Difference[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { day } of differences) counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}
