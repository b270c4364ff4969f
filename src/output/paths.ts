/** Dotted names of nested fields: `outcome.move_1h_pct`. */

/** An object as JSON has them: no array, no null, and made from a literal or by a parser. */
export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function keysOf(path: string): string[] {
  return path.split('.').filter((key) => key !== '');
}

/**
 * The route to a value: the keys to follow one after another, or undefined where the value has no such field. A key
 * that itself contains dots is found too: `entry_context.rsi.14`.
 */
export function route(value: unknown, keys: readonly string[]): string[] | undefined {
  if (keys.length === 0) return [];
  if (!isPlainObject(value)) return undefined;
  const whole = keys.join('.');
  if (Object.hasOwn(value, whole)) return [whole];
  const [first = '', ...rest] = keys;
  if (!Object.hasOwn(value, first)) return undefined;
  const further = route(value[first], rest);
  return further && [first, ...further];
}

/** The value under a dotted name; undefined where there is none. */
export function read(value: PlainObject, path: string): unknown {
  return readKeys(value, keysOf(path));
}

export function readKeys(value: PlainObject, keys: readonly string[]): unknown {
  return route(value, keys)?.reduce<unknown>((inner, key) => (inner as PlainObject)[key], value);
}
