/**
 * Several tests that are read together: each p is adjusted, so that the chance of even one false finding is no larger than
 * the level that is chosen (Holm 1979), however the tests depend on each other.
 *
 * The smallest p is multiplied by the number of tests, the next one by one less, and so on; an adjusted p is never smaller
 * than the one before it. Of the p 0.01, 0.03 and 0.04: 0.01 × 3 = 0.03; 0.03 × 2 = 0.06; 0.04 × 1 = 0.04, raised to 0.06.
 * At the level 0.05 only the first of these tests passes.
 */
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
  /** At this level the interval of the estimate excludes 0 if the adjusted `p` passes, and only then. */
  readonly level: number;
}

/**
 * Adjusts each estimate's p for all of them.
 * @param estimates one family
 * @param level the chance of a false finding that the whole family may have
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
    // Of three tests the levels are 0.05 / 3, 0.05 / 2 and 0.05. The first test that does not pass sets the level of all after
    // it.
    if (adjustedP < level) levelOfTest = level / testsLeft;
    adjustedP = Math.max(adjustedP, Math.min(1, p * testsLeft));
    adjusted[index] = { p: adjustedP, level: levelOfTest };
  }
  return estimates.map((estimate, i) => ({ ...estimate, adjusted: adjusted[i] }));
}

/**
 * The standard normal quantile of 80 %. A true value of t standard errors passes a test in half of all cases, one of t + 0.84
 * in four of five.
 */
export const POWER_QUANTILE = 0.84;

/** The smallest true value that is found in four of five cases, in the unit of the estimate; null if nothing bounds it. */
export function showsInFamily(estimate: FamilyEstimate): number | null {
  const { adjusted, degreesOfFreedom } = estimate;
  const error = standardError(estimate);
  if (adjusted === undefined || error === null) return null;
  return (twoSidedQuantile(adjusted.level, degreesOfFreedom) + POWER_QUANTILE) * error;
}
