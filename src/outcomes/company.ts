import { HOUR } from '../runtime/units.ts';
import { groupBy, type Row } from './row.ts';

/** Cards after another of their type on the symbol within an hour, and the other types that came within an hour. */
export function companyOf(rows: readonly Row[]) {
  const repeats = new Set<Row>();
  const types = new Map<Row, Set<string>>();
  const meet = (row: Row, other: Row) => types.set(row, (types.get(row) ?? new Set()).add(other.type));
  for (const ofSymbol of groupBy(rows, ({ symbol }) => symbol).values()) {
    const byTime = ofSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    for (const [i, row] of byTime.entries()) {
      for (let j = i + 1; (byTime[j]?.at ?? Number.POSITIVE_INFINITY) <= row.at + HOUR; j += 1) {
        const later = byTime[j] as Row;
        if (later.type === row.type) repeats.add(later);
        else {
          meet(row, later);
          meet(later, row);
        }
      }
    }
  }
  return { repeats, types };
}

export type Company = ReturnType<typeof companyOf>;

const COINCIDES = 0.5;

/** @param own cards of one type @returns largest share first */
export function coincidesWith(own: readonly Row[], { types }: Company) {
  const counts = new Map<string, number>();
  for (const row of own) for (const type of types.get(row) ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([group, cards]) => ({ group, share: cards / own.length }))
    .filter(({ share }) => share >= COINCIDES)
    .sort((a, b) => b.share - a.share);
}
