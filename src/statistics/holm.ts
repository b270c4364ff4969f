/** One adjustment of several tests: the chance that any of them is wrong has a bound. */
import { type Estimate, standardError } from './estimate.ts';
import { clean } from './quantile.ts';
import { twoSidedQuantile } from './student-t.ts';

/** An estimate among others that are tested together. */
export interface FamilyEstimate extends Estimate {
  /** Undefined if there are too few clusters for a test. */
  readonly adjusted: AdjustedTest | undefined;
}

export interface AdjustedTest {
  /** Two-sided, adjusted for the whole family. */
  readonly p: number;
  /** The level of the interval of this estimate alone that agrees with `p`. */
  readonly level: number;
}

/**
 * Holm (1979): bounds the chance of even one false difference by `level`, however the tests depend on each other.
 * @param estimates one family
 * @returns in the same order
 */
export function judgeFamily<Member extends Estimate>(
  estimates: readonly Member[],
  level: number,
): (Member & FamilyEstimate)[] {
  const order: { readonly p: number; readonly index: number }[] = [];
  for (const [index, { p }] of estimates.entries()) {
    if (p !== null) order.push({ p, index });
  }
  // Two groups that are compared with each other have the same p up to rounding: made clean, they keep their order.
  order.sort((a, b) => clean(a.p) - clean(b.p));
  const adjusted: AdjustedTest[] = [];
  let adjustedP = 0;
  let levelOfTest = level;
  for (const [place, { p, index }] of order.entries()) {
    const testsLeft = order.length - place;
    // The first test that is not significant sets the level of all after it.
    if (adjustedP < level) levelOfTest = level / testsLeft;
    adjustedP = Math.max(adjustedP, Math.min(1, p * testsLeft));
    adjusted[index] = { p: adjustedP, level: levelOfTest };
  }
  return estimates.map((estimate, i) => ({ ...estimate, adjusted: adjusted[i] }));
}

/** The normal quantile of a power of 80 %. */
export const POWER = 0.84;

/** The size that shows in four of five cases, in the unit of the estimate; null if nothing bounds it. */
export function showsInFamily(estimate: FamilyEstimate): number | null {
  const { adjusted, degreesOfFreedom } = estimate;
  const error = standardError(estimate);
  if (adjusted === undefined || error === null) return null;
  return (twoSidedQuantile(adjusted.level, degreesOfFreedom) + POWER) * error;
}
