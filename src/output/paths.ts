/**
 * Dotted names of nested fields: `outcome.move_1h_pct`. A dot within a key is written `\.`, a backslash `\\`, so that
 * no two fields of an object share a name.
 */

/** An object as JSON has them: no array, no null, and made from a literal or by a parser. */
export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function pathOf(keys: readonly string[]): string {
  return keys.map((key) => (/[.\\]/.test(key) ? key.replace(/[.\\]/g, '\\$&') : key)).join('.');
}

export function keysOf(path: string): string[] {
  const parts = path.match(/(?:\\.|[^.\\]|\\$)+/gs) ?? [];
  return parts.map((part) => part.replace(/\\(.)/gs, '$1'));
}

/**
 * The route to a value: the keys to follow one after another, or undefined where the value has no such field. A key
 * that itself contains dots is found without escaping too, so `entry_context.rsi.14` works either way.
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
  const found = route(value, keysOf(path));
  return found?.reduce<unknown>((inner, key) => (inner as PlainObject)[key], value);
}

/**
 * Every leaf of an object under its dotted name, in key order. Arrays and empty objects are leaves.
 */
export function flatten(value: PlainObject): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const visit = (object: PlainObject, above: readonly string[]) => {
    for (const [key, inner] of Object.entries(object)) {
      const keys = [...above, key];
      if (isPlainObject(inner) && Object.keys(inner).length > 0) visit(inner, keys);
      else leaves.set(pathOf(keys), inner);
    }
  };
  visit(value, []);
  return leaves;
}
