/**
 * Fields of what is printed. A field within an object has a dotted name, `outcome.move_1h_pct`; the keys that lead to
 * it, one after another, are its route: `['outcome', 'move_1h_pct']`.
 */
import type { Field } from './types.ts';

/** An object as JSON has them: neither an array nor null. */
export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys between the dots of a name, without empty ones. */
export function keysOf(name: string): string[] {
  return name.split('.').filter((key) => key !== '');
}

/**
 * The route to a field; undefined if the value has no such field. A key may itself contain dots:
 * `entry_context.rsi.14` is found as `['entry_context', 'rsi.14']`, too.
 */
function routeTo(value: unknown, keys: readonly string[]): string[] | undefined {
  if (keys.length === 0) return [];
  if (!isPlainObject(value)) return undefined;
  const dottedKey = keys.join('.');
  if (Object.hasOwn(value, dottedKey)) return [dottedKey];
  const [firstKey = '', ...innerKeys] = keys;
  if (!Object.hasOwn(value, firstKey)) return undefined;
  const innerRoute = routeTo(value[firstKey], innerKeys);
  if (innerRoute === undefined) return undefined;
  return [firstKey, ...innerRoute];
}

/** The value of a field by its dotted name; undefined if there is no such field. */
export function read(value: PlainObject, name: string): unknown {
  return readKeys(value, keysOf(name));
}

/** As `read`, by the keys of the name: a caller that reads the field of many values takes the name apart once. */
export function readKeys(value: PlainObject, keys: readonly string[]): unknown {
  // The short way for the usual case: a list of years has millions of cells, and most fields have one key.
  if (keys.length === 1) {
    const [key = ''] = keys;
    return Object.hasOwn(value, key) ? value[key] : undefined;
  }
  const route = routeTo(value, keys);
  if (route === undefined) return undefined;
  let inner: unknown = value;
  for (const key of route) inner = (inner as PlainObject)[key];
  return inner;
}

/** The names of the objects whose keys the document does not show: for any key, `name.key` is a field. */
export function openFields(fields: readonly Field[]): string[] {
  const isOpen = ({ kind, name }: Field) => {
    const hasListedKeys = fields.some((field) => field.name.startsWith(`${name}.`));
    return kind === 'object' && !hasListedKeys;
  };
  return fields.filter(isOpen).map(({ name }) => name);
}

/** The names of the fields that are no objects. An object is represented by the fields within it, if they are listed. */
export function leafFields(fields: readonly Field[]): string[] {
  return fields.filter(({ kind }) => kind !== 'object').map(({ name }) => name);
}

/** Whether the output has a field of this name, or may have it: an object whose keys are not shown may have any key. */
export function hasField(fields: readonly Field[], name: string): boolean {
  if (fields.some((field) => field.name === name)) return true;
  // `entry_context.` names no key.
  const namesKey = keysOf(name).length > 1;
  return namesKey && openFields(fields).some((object) => name.startsWith(`${object}.`));
}

/**
 * A copy of the object with some of its fields, nested as the API nests them, in the order of `names`. If an object on the
 * way to a field is null, that null is copied. A field that the object does not have is left out.
 * @param names dotted, from `--fields`; undefined for the whole object
 */
export function project(value: PlainObject, names: readonly string[] | undefined): PlainObject {
  if (names === undefined) return value;
  const projected = emptyObject();
  for (const name of names) {
    const keys = keysOf(name);
    // A field within null has no route; its keys lead as far as that null.
    const route = routeTo(value, keys) ?? keys;
    copyField(value, route, projected);
  }
  return projected;
}

/** Copies the value at the end of a route, and around it the objects that the route goes through. */
function copyField(from: PlainObject, route: readonly string[], to: PlainObject): void {
  const [key = '', ...innerRoute] = route;
  if (!Object.hasOwn(from, key)) return;
  const value = from[key];
  if (innerRoute.length === 0 || !isPlainObject(value)) {
    to[key] = value;
    return;
  }
  // An earlier name has copied this object as a whole.
  if (to[key] === value) return;
  to[key] ??= emptyObject();
  copyField(value, innerRoute, to[key] as PlainObject);
}

/** Without a prototype, so that `__proto__` is a field like any other. */
function emptyObject(): PlainObject {
  return Object.create(null) as PlainObject;
}
