/** Numbers that are known at every trigger from the list of cards alone, bought or not: `CIRCUMSTANCES` names them. */
import { dayNumber, HOUR } from '../runtime/units.ts';
import { oncePerKey } from '../statistics/clusters.ts';
import type { Circumstances, Row } from './row.ts';

/**
 * The circumstances of a row, worked out when the first one is asked for.
 * @param rows all cards of the account in the time asked for, and those of the day before it: may grow until then
 */
export function circumstancesAmong(rows: readonly Row[]): NonNullable<Row['circumstances']> {
  let known: ReadonlyMap<number, Circumstances> | undefined;
  return ({ id }) => {
    known ??= circumstancesOf(rows);
    return known.get(id);
  };
}

/** The same rows, each with its circumstances. */
export function withCircumstances(rows: readonly Row[]): Row[] {
  const circumstances = circumstancesAmong(rows);
  return rows.map((row) => ({ ...row, circumstances }));
}

function circumstancesOf(rows: readonly Row[]): Map<number, Circumstances> {
  const ofAll = countHour();
  const ofSymbol = oncePerKey((_symbol: string) => countHour());
  const ofOwn = oncePerKey((_symbol: string) =>
    oncePerKey((_type: string) => ({ ofHour: countHour(), ofDay: countDay() })),
  );
  const inOrder = rows.toSorted((a, b) => a.at - b.at || a.id - b.id);
  return new Map(
    inOrder.map(({ id, at, symbol, type }) => {
      const own = ofOwn(symbol)(type);
      const onSymbol = ofSymbol(symbol)(at) - own.ofHour(at);
      return [id, { cards_1h: ofAll(at), same_symbol_1h: onSymbol, nth_of_day: own.ofDay(at) }];
    }),
  );
}

/** Takes the times of cards, oldest first, and says of each how many came in the hour before. */
function countHour(): (at: number) => number {
  const times: number[] = [];
  let [first, next] = [0, 0];
  return (at) => {
    times.push(at);
    while ((times[next] ?? at) < at) next += 1;
    while ((times[first] ?? at) < at - HOUR) first += 1;
    return next - first;
  };
}

/** Takes the times of cards, oldest first, and says of each its place on its UTC day. */
function countDay(): (at: number) => number {
  let [day, nth] = [Number.NaN, 0];
  return (at) => {
    nth = dayNumber(at) === day ? nth + 1 : 1;
    day = dayNumber(at);
    return nth;
  };
}
