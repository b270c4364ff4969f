import { dayNumber } from '../runtime/units.ts';
import { numberOf, productSum } from './clusters.ts';
import { lazily } from './figure.ts';
import type { Row } from './row.ts';

/** Share of some cards on each day, symbol, symbol of a day, and type of a day. */
export type Shares = Readonly<Record<'days' | 'symbols' | 'cells' | 'typeDays', Share>>;

interface Share {
  /** Days or numbers, near each other for one time: `squaresOf` makes an array of their range. */
  readonly keys: Int32Array;
  readonly first: number;
  readonly last: number;
  readonly values: Float64Array;
}

export type Contrast = readonly (readonly [of: Shares, weight: number])[];

/** Numbers for all cards at once, so that shares can be subtracted. @param rows oldest first */
export function sharesOfCards(rows: readonly Row[]): (cards: readonly Row[]) => Shares {
  const symbols = new Map<string, number>();
  const types = new Map<string, number>();
  for (const { symbol, type } of rows) {
    numberOf(symbols, symbol);
    numberOf(types, type);
  }
  return (cards) => {
    const days = cards.map(({ at }) => dayNumber(at));
    const symbolOf = cards.map(({ symbol }) => numberOf(symbols, symbol));
    return lazily({
      days: () => shareOf(days),
      symbols: () => shareOf(symbolOf),
      cells: () => shareOf(days.map((day, i) => day * symbols.size + (symbolOf[i] ?? 0))),
      typeDays: () => shareOf(days.map((day, i) => day * types.size + numberOf(types, cards[i]?.type ?? ''))),
    });
  };
}

function shareOf(keys: readonly number[]): Share {
  const counts = new Map<number, number>();
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const key of keys) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    first = Math.min(first, key);
    last = Math.max(last, key);
  }
  const values = Float64Array.from(counts.values(), (n) => n / keys.length);
  return { keys: Int32Array.from(counts.keys()), first, last, values };
}

/** Σ over keys of (Σ weight · share)². @param together so many keys in a row count as one */
export function squaresOf(contrast: Contrast, kind: keyof Shares, together = 1): number {
  const first = Math.min(...contrast.map(([{ [kind]: share }]) => share.first));
  const last = Math.max(...contrast.map(([{ [kind]: share }]) => share.last));
  const begin = Math.floor(first / together);
  const sums = new Float64Array(Math.floor(last / together) - begin + 1);
  for (const [{ [kind]: share }, weight] of contrast) {
    for (let i = 0; i < share.keys.length; i += 1) {
      const at = Math.floor((share.keys[i] ?? 0) / together) - begin;
      sums[at] = (sums[at] ?? 0) + weight * (share.values[i] ?? 0);
    }
  }
  return productSum(sums, sums);
}
