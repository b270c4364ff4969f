import { HOUR } from '../runtime/units.ts';
import { groupBy } from './group.ts';
import type { Row } from './row.ts';

interface Company {
  /** Another card of the type came on the symbol within the hour before. */
  readonly repeats: boolean;
  /** Other types of which a card came on the symbol within an hour. */
  readonly types: ReadonlySet<string>;
}

const NOBODY: Company = { repeats: false, types: new Set() };

export function companyOf(rows: readonly Row[]): ReadonlyMap<Row, Company> {
  const company = new Map<Row, Company>();
  for (const ofSymbol of groupBy(rows, ({ symbol }) => symbol).values()) {
    const byTime = ofSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    let first = 0;
    for (const [i, row] of byTime.entries()) {
      while ((byTime[first]?.at ?? row.at) < row.at - HOUR) first += 1;
      let types: Set<string> | undefined;
      let repeats = false;
      for (let j = first; (byTime[j]?.at ?? Number.POSITIVE_INFINITY) <= row.at + HOUR; j += 1) {
        const type = byTime[j]?.type ?? row.type;
        if (type !== row.type) {
          types ??= new Set();
          types.add(type);
        } else if (j < i) repeats = true;
      }
      company.set(row, types === undefined && !repeats ? NOBODY : { repeats, types: types ?? NOBODY.types });
    }
  }
  return company;
}

const COINCIDES = 0.5;

/** @param own cards of one type @returns largest share first */
export function coincidesWith(own: readonly Row[], company: ReadonlyMap<Row, Company>) {
  const counts = new Map<string, number>();
  for (const row of own)
    for (const type of company.get(row)?.types ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([group, cards]) => ({ group, share: cards / own.length }))
    .filter(({ share }) => share >= COINCIDES)
    .sort((a, b) => b.share - a.share);
}
