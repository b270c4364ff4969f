/** Numbers that look random and are a function of their arguments alone: any moment can be asked for in any order. */

/** 32 well-mixed bits of two integers. */
export function hash(a: number, b: number): number {
  let h = Math.imul(a ^ 0x2c1b3c6d, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 14)) >>> 0;
}

export const chance = (a: number, b: number): number => hash(a, b) / 2 ** 32;

/** Of the standard normal distribution (Box and Muller). */
export function gaussian(a: number, b: number): number {
  const seed = hash(a, b);
  return Math.sqrt(-2 * Math.log(1 - chance(seed, 1))) * Math.cos(2 * Math.PI * chance(seed, 2));
}

export function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}

export function remembered<T>(make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
