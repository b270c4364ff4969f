/** Numbers that are known at every trigger from the list of cards alone, bought or not. */
import { dayNumber, HOUR } from '../runtime/units.ts';
import { groupBy, type Row } from './row.ts';
import { CIRCUMSTANCES } from './types.ts';

interface Around {
  readonly row: Row;
  readonly numbers: { cards_1h?: number; same_symbol_1h?: number; nth_of_day?: number };
}

/**
 * The circumstances of a row, worked out when the first one is asked for. A number of `entry_context` wins over one of
 * the same name.
 * @param rows all cards of the account in the time asked for, and those of the day before it: may grow until then
 */
export function circumstancesAmong(rows: readonly Row[]): NonNullable<Row['circumstances']> {
  let known: ReadonlyMap<number, Around['numbers']> | undefined;
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

function circumstancesOf(rows: readonly Row[]): Map<number, Around['numbers']> {
  const all = rows.map((row): Around => ({ row, numbers: {} }));
  const inOrder = all.sort(({ row: a }, { row: b }) => a.at - b.at || a.id - b.id);
  countHour(inOrder, ({ numbers }, before) => {
    numbers.cards_1h = before;
  });
  for (const onSymbol of groupBy(inOrder, ({ row }) => row.symbol).values()) {
    countHour(onSymbol, ({ numbers }, before) => {
      numbers.same_symbol_1h = before;
    });
    for (const ofType of groupBy(onSymbol, ({ row }) => row.type).values()) countOwn(ofType);
  }
  const names = Object.keys(CIRCUMSTANCES) as (keyof Around['numbers'])[];
  const taken = names.filter((name) =>
    rows.some(({ context }) => context !== undefined && Object.hasOwn(context, name)),
  );
  for (const { numbers } of all) for (const name of taken) delete numbers[name];
  return new Map(all.map(({ row, numbers }) => [row.id, numbers]));
}

/** @param cards of one type on one symbol, oldest first */
function countOwn(cards: readonly Around[]): void {
  countHour(cards, ({ numbers }, before) => {
    numbers.same_symbol_1h = (numbers.same_symbol_1h ?? 0) - before;
  });
  let [day, nth] = [Number.NaN, 0];
  for (const { row, numbers } of cards) {
    nth = dayNumber(row.at) === day ? nth + 1 : 1;
    day = dayNumber(row.at);
    numbers.nth_of_day = nth;
  }
}

/** Says of each how many came in the hour before. @param cards oldest first */
function countHour(cards: readonly Around[], say: (one: Around, before: number) => void): void {
  const timeOf = (place: number) => cards[place]?.row.at ?? Number.POSITIVE_INFINITY;
  let [first, next] = [0, 0];
  for (const one of cards) {
    while (timeOf(next) < one.row.at) next += 1;
    while (timeOf(first) < one.row.at - HOUR) first += 1;
    say(one, next - first);
  }
}
