/** The items by key, the keys in the order in which they are first met. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** A function that makes the value of each key when the key is first asked for, and keeps it. */
export function oncePerKey<K, T>(make: (key: K) => T): (key: K) => T {
  const entries = new Map<K, { readonly value: T }>();
  return (key) => {
    const entry = entries.get(key);
    if (entry !== undefined) return entry.value;
    const value = make(key);
    entries.set(key, { value });
    return value;
  };
}

/** A function that makes its value when it is first called, and keeps it. */
export function once<T>(make: () => T): () => T {
  let entry: { readonly value: T } | undefined;
  return () => {
    entry ??= { value: make() };
    return entry.value;
  };
}

/** An object whose fields get their values when they are first read. @param makers a function for each field */
export function lazily<T extends object>(
  makers: { readonly [Name in keyof T]: () => T[Name] },
): Readonly<T> {
  const object = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[]) {
    const get = () => {
      const value = makers[name]();
      // The value takes the place of the getter, so that it is not made again.
      Object.defineProperty(object, name, { enumerable: true, value });
      return value;
    };
    Object.defineProperty(object, name, { enumerable: true, configurable: true, get });
  }
  return object;
}

/**
 * A copy that shares no object with the value. The value may hold only what JSON can hold. `structuredClone` could copy it,
 * too, but takes two to three times as long.
 */
export function deepCopy<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  // The spread makes a key `__proto__`, if the value has it. An assignment alone would set the prototype instead.
  const copy = { ...value } as Record<string, unknown>;
  for (const key of Object.keys(copy)) copy[key] = deepCopy(copy[key]);
  return copy as T;
}

/** Whether a value is the wanted one. @param filter the wanted value; undefined if every value is wanted */
export function matches<T>(value: T, filter: T | undefined): boolean {
  return filter === undefined || value === filter;
}

/** The keys of an object whose type names them all. */
export function objectKeys<T extends object>(value: T): (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}
