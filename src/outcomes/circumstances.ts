/** Numbers that are known at every trigger from the list of cards alone, bought or not. */
import { dayNumber, HOUR } from '../runtime/units.ts';
import { groupBy } from './group.ts';
import type { Row } from './row.ts';

/** What each is, in words. */
export const CIRCUMSTANCES: Readonly<Record<string, string>> = {
  cards_1h: 'your cards of any type in the hour before',
  same_symbol_1h: 'cards of your other types on the symbol in the hour before',
  nth_of_day: "the card's place among its type's cards on the symbol that UTC day",
};

/**
 * The same rows, each with its circumstances. A number of `entry_context` wins over one of the same name.
 * @param rows all cards of the account in the time asked for, and those of the day before it
 */
export function withCircumstances(rows: readonly Row[]): Row[] {
  const inOrder = rows.toSorted((a, b) => a.at - b.at || a.id - b.id);
  const ofSymbols = [...groupBy(inOrder, ({ symbol }) => symbol).values()];
  const ofTypes = ofSymbols.flatMap((own) => [...groupBy(own, ({ type }) => type).values()]);
  const ofDays = ofTypes.flatMap((own) => [...groupBy(own, ({ at }) => dayNumber(at)).values()]);
  const [any, onSymbol, ofType] = [[inOrder], ofSymbols, ofTypes].map(hourBefore);
  const nth = new Map(ofDays.flatMap((own) => own.map((row, i) => [row, i + 1] as const)));
  const numbers: { readonly [name: string]: (row: Row) => number } = {
    cards_1h: (row) => any?.get(row) ?? 0,
    same_symbol_1h: (row) => (onSymbol?.get(row) ?? 0) - (ofType?.get(row) ?? 0),
    nth_of_day: (row) => nth.get(row) ?? 1,
  };
  const isFree = (name: string) => rows.every(({ context = {} }) => !Object.hasOwn(context, name));
  const named = Object.entries(numbers).filter(([name]) => isFree(name));
  return rows.map((row) => ({ ...row, circumstances: Object.fromEntries(named.map(([name, of]) => [name, of(row)])) }));
}

/** How many cards of its group came in the hour before each. @param groups each oldest first */
function hourBefore(groups: readonly (readonly Row[])[]): ReadonlyMap<Row, number> {
  const counts = new Map<Row, number>();
  for (const cards of groups) {
    let [first, next] = [0, 0];
    for (const card of cards) {
      while ((cards[next]?.at ?? card.at) < card.at) next += 1;
      while ((cards[first]?.at ?? card.at) < card.at - HOUR) first += 1;
      counts.set(card, next - first);
    }
  }
  return counts;
}
