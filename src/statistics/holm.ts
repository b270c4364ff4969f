/** One adjustment of several tests: the chance that any of them is wrong has a bound. */
import { type Estimate, LEVEL, standardError } from './estimate.ts';
import { clean } from './quantile.ts';
import { twoSidedQuantile } from './student-t.ts';

/** An estimate among others that are tested together. */
export interface FamilyEstimate extends Estimate {
  /** Undefined if there are too few clusters for a test. */
  readonly adjusted: AdjustedTest | undefined;
  /** Of the whole family. */
  readonly level: number;
}

export interface AdjustedTest {
  /** Two-sided, adjusted for the whole family. */
  readonly p: number;
  /** The level of an own interval that agrees with this `p`. */
  readonly level: number;
}

/**
 * Holm (1979): bounds the chance of even one false difference by `level`, however the tests depend on each other.
 * @param estimates one family @returns in the same order
 */
export function judgeFamily<One extends Estimate>(
  estimates: readonly One[],
  level: number,
): (One & FamilyEstimate)[] {
  const order = estimates.flatMap(({ p }, index) => (p === null ? [] : [{ p, index }]));
  // Of two groups that are compared with each other both have one p: neighbouring floats give no order.
  order.sort((a, b) => clean(a.p) - clean(b.p));
  const adjusted: AdjustedTest[] = [];
  let largest = 0;
  let levelOfTest = level;
  for (const [place, { p, index }] of order.entries()) {
    const left = order.length - place;
    // The first test that fails sets the level of all after it.
    if (largest < level) levelOfTest = level / left;
    largest = Math.max(largest, Math.min(1, p * left));
    adjusted[index] = { p: largest, level: levelOfTest };
  }
  return estimates.map((estimate, i) => ({ ...estimate, level, adjusted: adjusted[i] }));
}

/**
 * On which side of 0 an estimate lies, if that is known.
 * @param before what was said of it until now: it stays while its own p is below `LEVEL`
 */
export function sideOf(
  estimate: FamilyEstimate,
  before: 'above' | 'below' | undefined,
): 'above' | 'below' | undefined {
  const { value, p, adjusted, level } = estimate;
  const side = value > 0 ? 'above' : 'below';
  const isKept = before === side && (p ?? 1) < LEVEL;
  const isFound = adjusted !== undefined && adjusted.p < level;
  return isKept || isFound ? side : undefined;
}

/** The normal quantile of a power of 80 %. */
const POWER = 0.84;

/** The size that shows in four of five cases, in the unit of the estimate; null if nothing bounds it. */
export function showsInFamily(estimate: FamilyEstimate): number | null {
  const { adjusted, degreesOfFreedom } = estimate;
  const error = standardError(estimate);
  if (adjusted === undefined || error === null) return null;
  return (twoSidedQuantile(adjusted.level, degreesOfFreedom) + POWER) * error;
}
