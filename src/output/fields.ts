/** Fields of what is printed, and the dotted names of nested ones: `outcome.move_1h_pct`. */
import type { Field } from './types.ts';

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
function route(value: unknown, keys: readonly string[]): string[] | undefined {
  if (keys.length === 0) return [];
  if (!isPlainObject(value)) return undefined;
  const whole = keys.join('.');
  if (Object.hasOwn(value, whole)) return [whole];
  const [first = '', ...rest] = keys;
  if (!Object.hasOwn(value, first)) return undefined;
  const further = route(value[first], rest);
  return further && [first, ...further];
}

export function read(value: PlainObject, path: string): unknown {
  return readKeys(value, keysOf(path));
}

export function readKeys(value: PlainObject, keys: readonly string[]): unknown {
  const [only = ''] = keys;
  // Most columns: a list of years has millions of them.
  if (keys.length === 1) return Object.hasOwn(value, only) ? value[only] : undefined;
  return route(value, keys)?.reduce<unknown>((inner, key) => (inner as PlainObject)[key], value);
}

/** Fields whose keys the document does not show: any `name.key` is a field of theirs. */
export function openFields(fields: readonly Field[]): string[] {
  const objects = fields.filter(({ kind }) => kind === 'object').map(({ name }) => name);
  return objects.filter((name) => !fields.some((field) => field.name.startsWith(`${name}.`)));
}

/** The fields that hold a value of their own: objects with listed fields are left out in favour of those. */
export function leafFields(fields: readonly Field[]): string[] {
  return fields.filter(({ kind }) => kind !== 'object').map(({ name }) => name);
}

/** Whether the output has such a field, or may have one: any key where the document shows none. */
export function hasField(fields: readonly Field[], field: string): boolean {
  if (fields.some(({ name }) => name === field)) return true;
  return openFields(fields).some(
    (name) => field.startsWith(`${name}.`) && keysOf(field).length > 1,
  );
}

/** The name that begins so, or takes the fewest edits, if few; the last part of a dotted name counts too. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  // No name is longer; a word may be of any length.
  const start = word.slice(0, 100);
  const isBeginning = (name: string) => start.length > 1 && name.startsWith(start);
  const distanceTo = (name: string): number => {
    if (isBeginning(name)) return 1;
    const lastPart = name.replace(/^.*\./, '');
    return Math.min(edits(start, name), edits(start, lastPart) + 0.5);
  };
  const distances = names.map((name) => ({ name, distance: distanceTo(name) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  if (best === undefined) return undefined;
  // Any short name is one or two edits from a word of one or two letters.
  if (start.length <= 2 && !isBeginning(best.name)) return undefined;
  const most = start.length < 4 ? 1 : Math.max(2, start.length / 3);
  return best.distance <= most ? best.name : undefined;
}

/** ` Did you mean 'x'?`, to go on after a sentence; empty where no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? '' : ` Did you mean '${near}'?`;
}

export function edits(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/**
 * The object with the asked fields alone, nested as the API nests them, in the order asked for. A field within a parent
 * that is null gives the null parent; a key that the object does not have is left out.
 */
export function project(value: PlainObject, fields: readonly string[] | undefined): PlainObject {
  if (fields === undefined) return value;
  const picked = emptyObject();
  for (const field of fields) {
    const keys = keysOf(field);
    pick(value, route(value, keys) ?? keys, picked);
  }
  return picked;
}

function pick(value: PlainObject, [key = '', ...rest]: readonly string[], into: PlainObject): void {
  if (!Object.hasOwn(value, key)) return;
  const inner = value[key];
  if (rest.length === 0 || !isPlainObject(inner)) {
    into[key] = inner;
  } else if (into[key] !== inner) {
    into[key] ??= emptyObject();
    pick(inner, rest, into[key] as PlainObject);
  }
}

/** Without a prototype, so that a field `__proto__` is one like any other. */
function emptyObject(): PlainObject {
  return Object.create(null) as PlainObject;
}
