/** Settings of any shape in words: the document shows no keys of `conditions`. */
import { groupBy } from '../../outcomes/row.ts';
import type { Advice } from '../../outcomes/tune-types.ts';
import { safeText } from '../safe-text.ts';

type Screeners = readonly { readonly active: boolean; readonly conditions: Readonly<Record<string, unknown>> }[];

/** A value that holds no object. A key and a name for each step to it; a place in a list belongs to the list's step. */
interface Setting {
  readonly keys: readonly string[];
  readonly names: readonly string[];
  readonly value: unknown;
}

/** `price: change pct 3, window minutes 15; max per 15 min 1`. */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  return groupTexts(settingsIn(conditions)).join('; ') || 'none';
}

/** The parts that differ: `price change pct 3 instead of 2.5; window minutes none instead of 15`. */
export function settingsChange(before: Screeners, after: Screeners): string {
  const [old, now] = [before, after].map(
    (settings) => new Map(settingsIn(settings.map(flat)).map((one) => [String(one.keys), one])),
  );
  const all = new Map([...(now ?? []), ...[...(old ?? [])].filter(([path]) => !now?.has(path))]);
  const told = (path: string, parts = now) => valueText(parts?.get(path)?.value);
  const differing = [...all].filter(([path]) => told(path) !== told(path, old));
  return differing
    .map(([path, { names }]) => `${names.join(' ')} ${told(path)} instead of ${told(path, old)}`)
    .join('; ');
}

/** Words of limits and units: sharing them says nothing. */
const UNITS = new Set(['min', 'max', 'minimum', 'maximum', 'least', 'most', 'pct', 'percent', 'usd']);

/**
 * The one setting of a number that shares most words with the number's name, its first one among them; undefined if none
 * or several do, or if the cut is not stricter than it is.
 */
export function likelySetting(settings: Screeners, { key, direction, value: cut }: Omit<Advice, 'type' | 'absolute'>) {
  const [first = '', ...more] = nameText(key).split(' ');
  const ranked = settings
    .flatMap(({ conditions }) => settingsIn(conditions))
    .flatMap(({ names, value }) => {
      const own = new Set(names.join(' ').split(' '));
      const shared = [first, ...more].filter((word) => own.has(word) && !UNITS.has(word)).length;
      return typeof value === 'number' && own.has(first) && shared > 0 ? [{ names, value, shared }] : [];
    })
    .toSorted((one, other) => other.shared - one.shared);
  const [best, next] = ranked;
  if (best === undefined || best.shared === next?.shared || best.value * cut <= 0) return undefined;
  const isStricter = direction === 'at_least' ? cut > best.value : cut < best.value;
  return isStricter ? { name: best.names.join(' '), now: valueText(best.value) } : undefined;
}

const flat = ({ active, conditions }: Screeners[number]) => ({ ...conditions, active });

function settingsIn(value: unknown, keys: readonly string[] = [], names: readonly string[] = []): Setting[] {
  const isList = Array.isArray(value);
  const entries = isObject(value) && !(isList && !value.some(isObject)) ? Object.entries(value) : [];
  if (entries.length === 0) return keys.length === 0 ? [] : [{ keys, names, value }];
  const replaced = (steps: readonly string[], last: string) => [...steps.slice(0, -1), last];
  return entries.flatMap(([key, inner], i) => {
    if (!isList) return settingsIn(inner, [...keys, key], [...names, nameText(key)]);
    const place = replaced(names, [...names.slice(-1), i + 1].join(' '));
    return settingsIn(inner, replaced(keys, `${keys.at(-1)}.${i}`), entries.length === 1 ? names : place);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param from the step that settings are told apart by: a group of them is in brackets within another */
function groupTexts(settings: readonly Setting[], from = 0): string[] {
  return [...groupBy(settings, ({ keys }) => keys[from]).values()].map((own) => {
    const { keys: steps = [], names = [] } = own[0] ?? {};
    const shared = steps.findIndex((key, i) => i > from && own.some(({ keys }) => keys[i] !== key));
    if (shared < 0) return `${names.slice(from).join(' ')} ${valueText(own.map(({ value }) => value))}`;
    const [name, inner] = [names.slice(from, shared).join(' '), groupTexts(own, shared).join(', ')];
    return from === 0 ? `${name}: ${inner}` : `${name} (${inner})`;
  });
}

/** As many interfaces write them, in keys and in values. */
const OPERATORS = new Map(Object.entries({ gte: '>=', lte: '<=', gt: '>', lt: '<' }));

const plainText = (text: string) => Array.from(text.split('_'), (word) => OPERATORS.get(word) ?? word).join(' ');

/** `perDay` and `per_day` are `per day`. */
function nameText(key: string): string {
  return safeText(plainText(key.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase()));
}

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(valueText).join(' and ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 20 });
  if (value === undefined || isObject(value) || value === null) return 'none';
  const text = String(value);
  return safeText(/^\p{Ll}+(_\p{Ll}+)*$/u.test(text) ? plainText(text) : text);
}
