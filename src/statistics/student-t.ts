/** Student's t for any degrees of freedom from 1 up; packages are 8 digits exact only, or 400 kB. */

/** P(|T| >= t): the regularized incomplete beta function I_x(df/2, 1/2) at x = df / (df + t²). */
export function twoSidedTail(t: number, df: number): number {
  // 1 - x would lose digits.
  const [x, y] = [df / (df + t * t), (t * t) / (df + t * t)];
  if (x <= 0 || y <= 0) return x <= 0 ? 0 : 1;
  const a = df / 2;
  return x <= (a + 1) / (a + 2.5) ? betaByFraction(x, y, a, 0.5) : 1 - betaByFraction(y, x, 0.5, a);
}

/** P(T <= t) */
export function cumulative(t: number, df: number): number {
  const tail = twoSidedTail(t, df) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** A step of Newton's method squares the error: after one this small, relative to t, no digit changes any more. */
const LAST_STEP = 1e-9;

/** Newton's method on log against log, where the tail is nearly straight. @param probability P(|T| >= t) */
export function twoSidedQuantile(probability: number, df: number): number {
  let t = 1;
  for (let step = 0; step < 60; step += 1) {
    const tail = twoSidedTail(t, df);
    const slope = (-2 * density(t, df) * t) / tail;
    const change = (Math.log(probability) - Math.log(tail)) / slope;
    t *= Math.exp(Math.max(-2, Math.min(2, change)));
    if (Math.abs(change) < LAST_STEP) break;
  }
  return t;
}

function density(t: number, df: number): number {
  return (
    Math.exp(-logBeta(df / 2, 0.5) - ((df + 1) / 2) * Math.log1p((t * t) / df)) / Math.sqrt(df)
  );
}

/** Abramowitz & Stegun 26.5.8, by Lentz's method. @param y 1 - x */
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
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b)) / (a * fraction);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series from 10 up, reached by the recurrence; the next term is below 1e-15 there. */
function logGamma(x: number): number {
  let product = 1;
  let z = x;
  for (; z < 10; z += 1) product *= z;
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
