/**
 * Student's t, for any number of degrees of freedom from 1 up, whole or not. It is written here because the packages for it
 * are exact to 8 digits only, or 400 kB large.
 */

/**
 * P(|T| >= t): 0.05 for t = 2.228 and 10 degrees of freedom. It is the regularized incomplete beta function I_x(df/2, 1/2) at
 * x = df / (df + t²).
 */
export function twoSidedTail(t: number, df: number): number {
  const x = df / (df + t * t);
  // This is 1 − x. A subtraction would lose digits.
  const y = (t * t) / (df + t * t);
  if (x <= 0) return 0;
  const a = df / 2;
  // The fraction converges quickly for small x only. For large x: I_x(a, b) = 1 − I_y(b, a).
  const isSmall = x <= (a + 1) / (a + 2.5);
  return isSmall ? betaByFraction(x, y, a, 0.5) : 1 - betaByFraction(y, x, 0.5, a);
}

/** P(T <= t) */
export function cumulative(t: number, df: number): number {
  const tail = twoSidedTail(t, df) / 2;
  return t > 0 ? 1 - tail : tail;
}

/**
 * Each step of Newton's method squares the error. So after a step of 1e-9 in the logarithm of t, an error of about 1e-18 is
 * left: less than the last digit of t.
 */
const LAST_STEP = 1e-9;

/** A step changes the logarithm of t by at most 2, because far from the root the slope misleads. */
const LONGEST_STEP = 2;

/**
 * The t with P(|T| >= t) = `probability`: 2.228 for 0.05 and 10 degrees of freedom. By Newton's method on the logarithm of the
 * tail against the logarithm of t, which is nearly a straight line.
 */
export function twoSidedQuantile(probability: number, df: number): number {
  let t = 1;
  // Some ten steps are enough. The limit of 60 makes sure that the loop ends.
  for (let step = 0; step < 60; step += 1) {
    const tail = twoSidedTail(t, df);
    const slope = (-2 * density(t, df) * t) / tail;
    const change = (Math.log(probability) - Math.log(tail)) / slope;
    t *= Math.exp(Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, change)));
    if (Math.abs(change) < LAST_STEP) break;
  }
  return t;
}

function density(t: number, df: number): number {
  const logPower = ((df + 1) / 2) * Math.log1p((t * t) / df);
  return Math.exp(-logBeta(df / 2, 0.5) - logPower) / Math.sqrt(df);
}

/** I_x(a, b) by the continued fraction of Abramowitz & Stegun 26.5.8, with Lentz's method. @param y 1 − x */
function betaByFraction(x: number, y: number, a: number, b: number): number {
  let c = 1;
  let d = 0;
  let fraction = 1;
  for (let i = 1; i <= 10_000; i += 1) {
    const m = Math.floor(i / 2);
    const evenTerm = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const oddTerm = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const term = i % 2 === 0 ? evenTerm : oddTerm;
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    fraction *= c * d;
    // This term changed nothing, and later ones are smaller.
    if (c * d === 1) break;
  }
  return Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b)) / (a * fraction);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** From here up Stirling's series is exact enough: the first term that is left out is at most 6.4e-16. */
const STIRLING_FROM = 10;

/** log Γ(x) by Stirling's series. A smaller x is moved up by Γ(x) = Γ(x + 1) / x. */
function logGamma(x: number): number {
  let product = 1;
  let z = x;
  for (; z < STIRLING_FROM; z += 1) product *= z;
  const square = 1 / (z * z);
  const series =
    (1 / 12 -
      square *
        (1 / 360 -
          square *
            (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - (square * 691) / 360_360))))) /
    z;
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}
