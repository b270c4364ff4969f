/** Numbers that look random and are a function of their arguments alone: any moment can be asked for in any order. */

/** 32 well-mixed bits of two integers. */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x2c1b3c6d, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 14)) >>> 0;
}

/** 0 <= chance < 1 */
export const chance = (a: number, b: number): number => hash(a, b) / 2 ** 32;

export interface WalkOptions {
  readonly seed: number;
  /** Typical change over a day. */
  readonly perDay: number;
  /** Period of the fastest of its waves, milliseconds. */
  readonly shortest: number;
  /** Each wave has twice the period of the one before. */
  readonly waves: number;
  /** Values below it stay as they are, larger ones become rarer and larger: markets jump. 1 is plain, 3 is jumpy. */
  readonly tail: number;
  /** How lively it is in the span of eight hours with this number; multiplies the fast waves. */
  readonly activity?: (span: number) => number;
}

const DAY = 86_400_000;
export const SPAN = DAY / 3;

/**
 * A random walk that can be read at any time (epoch milliseconds) without walking: a sum of smooth waves of random
 * height whose size grows with the root of their period, as a walk's spread grows with the root of time.
 */
export function walk(options: WalkOptions): (at: number) => number {
  const waves = Array.from({ length: options.waves }, (_, number) => wave(options, number));
  return (at) => {
    let sum = 0;
    for (const one of waves) sum += one(at);
    return sum;
  };
}

function wave(options: WalkOptions, number: number): (at: number) => number {
  const { tail, activity } = options;
  const seed = hash(options.seed, number);
  const period = options.shortest * 2 ** number;
  // Measured: with this factor the spread of changes over a day is `perDay`.
  const size = options.perDay * Math.sqrt(period / DAY) * 0.5 * Math.sqrt(2 * tail + 1);
  const shift = chance(seed, -1) * period;
  const lively = activity !== undefined && period <= SPAN / 2 ? activity : undefined;

  const height = (index: number): number => {
    const value = chance(seed, index) * 2 - 1;
    const scaled = size * Math.sign(value) * Math.abs(value) ** tail;
    return lively === undefined ? scaled : scaled * lively(Math.floor((index * period) / SPAN));
  };

  // The last two heights are kept: a scan in order of time asks for the same ones many times.
  let known = Number.NaN;
  let left = 0;
  let right = 0;
  return (at) => {
    const place = (at + shift) / period;
    const index = Math.floor(place);
    if (index !== known) {
      left = index === known + 1 ? right : height(index);
      right = height(index + 1);
      known = index;
    }
    const part = place - index;
    return left + (right - left) * part * part * (3 - 2 * part);
  };
}

/**
 * Remembers the latest values on a grid: a scan in order of time looks back a little at every step, and going back and
 * forth would make every wave work out its heights again.
 */
export function remembered(read: (at: number) => number, grid: number): (at: number) => number {
  const places = new Float64Array(16).fill(Number.NaN);
  const values = new Float64Array(16);
  return (at) => {
    const place = at / grid;
    if (!Number.isInteger(place)) return read(at);
    const slot = place % 16;
    if (places[slot] !== place) {
      values[slot] = read(at);
      places[slot] = place;
    }
    return values[slot] ?? read(at);
  };
}
