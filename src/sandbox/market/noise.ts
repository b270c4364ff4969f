/** Numbers that look random and are a function of their arguments alone: any moment can be asked for in any order. */

import { DAY } from '../../runtime/units.ts';
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
  /** Small changes get smaller and large ones larger, with the same spread: markets jump. */
  readonly jumpy: boolean;
  /** How lively it is in the span of eight hours with this number; multiplies the fast waves. */
  readonly activity?: (span: number) => number;
}

const SPAN = DAY / 3;

/**
 * A random walk that can be read at any time (epoch milliseconds) without walking: a sum of smooth waves of random
 * height whose size grows with the root of their period, as a walk's spread grows with the root of time.
 */
export function walk(options: WalkOptions): (at: number) => number {
  const count = options.waves;
  const shape = options.jumpy ? Math.sqrt(7) : Math.sqrt(3);
  const numbers = Array.from({ length: count }, (_, number) => number);
  const seeds = Int32Array.from(numbers, (number) => hash(options.seed, number));
  const periods = Float64Array.from(numbers, (number) => options.shortest * 2 ** number);
  // Measured: with the factor 0.5 the spread of changes over a day is about `perDay`.
  const sizes = periods.map((period) => options.perDay * Math.sqrt(period / DAY) * 0.5 * shape);
  const shifts = periods.map((period, number) => chance(seeds[number] ?? 0, -1) * period);
  // The two heights around the last place asked for: a scan in order of time needs the same ones many times.
  const known = new Float64Array(count).fill(Number.NaN);
  const left = new Float64Array(count);
  const right = new Float64Array(count);

  const height = (number: number, index: number): number => {
    const value = chance(seeds[number] ?? 0, index) * 2 - 1;
    const period = periods[number] ?? DAY;
    const scaled = (sizes[number] ?? 0) * (options.jumpy ? value * value * value : value);
    if (options.activity === undefined || period > SPAN / 2) return scaled;
    return scaled * options.activity(Math.floor((index * period) / SPAN));
  };

  const move = (number: number, index: number): void => {
    left[number] = index === (known[number] ?? 0) + 1 ? (right[number] ?? 0) : height(number, index);
    right[number] = height(number, index + 1);
    known[number] = index;
  };

  return (at) => {
    let sum = 0;
    for (let number = 0; number < count; number++) {
      const place = (at + (shifts[number] ?? 0)) / (periods[number] ?? DAY);
      const index = Math.floor(place);
      if (index !== known[number]) move(number, index);
      const part = place - index;
      const low = left[number] ?? 0;
      sum += low + ((right[number] ?? 0) - low) * part * part * (3 - 2 * part);
    }
    return sum;
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
    if (place !== Math.floor(place)) return read(at);
    const slot = place & 15;
    if (places[slot] !== place) {
      values[slot] = read(at);
      places[slot] = place;
    }
    return values[slot] ?? read(at);
  };
}
