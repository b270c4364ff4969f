/**
 * Several tests that are read together: each p is adjusted, so that the chance of even one false finding is no larger than
 * the level that is chosen (Holm 1979), however the tests depend on each other.
 *
 * The smallest p is multiplied by the number of tests, the next one by one less, and so on; an adjusted p is never smaller
 * than the one before it. For the p 0.01, 0.03 and 0.04: 0.01 × 3 = 0.03; 0.03 × 2 = 0.06; 0.04 × 1 = 0.04, raised to 0.06.
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
 * @param level the largest chance of any false finding in the whole family
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
  // Two groups that are compared with each other have the same p, except for rounding errors. `clean` removes these errors, so
  // that equal p keep their order.
  order.sort((a, b) => clean(a.p) - clean(b.p));
  const adjusted: AdjustedTest[] = [];
  // Before the first test it is 0, which passes.
  let previousP = 0;
  let levelOfTest = level;
  for (const [place, { p, index }] of order.entries()) {
    const testsLeft = order.length - place;
    // If three tests all pass, their levels are 0.05 / 3, 0.05 / 2 and 0.05. After the first test that does not pass, all tests
    // have the level of that test.
    if (previousP < level) levelOfTest = level / testsLeft;
    const adjustedP = Math.max(previousP, Math.min(1, p * testsLeft));
    adjusted[index] = { p: adjustedP, level: levelOfTest };
    previousP = adjustedP;
  }
  return estimates.map((estimate, i) => ({ ...estimate, adjusted: adjusted[i] }));
}

/**
 * The standard normal quantile of 80 %. To pass a test, an estimate must be t standard errors from 0. If the true value is t
 * standard errors, it passes in half of all cases; if the true value is t + 0.84, in four of five.
 */
export const POWER_QUANTILE = 0.84;

/**
 * The smallest true value that is found in four of five cases, in the unit of the estimate; null if the estimate has no test.
 */
export function smallestShown(estimate: FamilyEstimate): number | null {
  const { adjusted, degreesOfFreedom } = estimate;
  const error = standardError(estimate);
  if (adjusted === undefined || error === null) return null;
  return (twoSidedQuantile(adjusted.level, degreesOfFreedom) + POWER_QUANTILE) * error;
}
