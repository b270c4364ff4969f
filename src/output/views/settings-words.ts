/** Settings of any shape in words: the document shows no keys of `conditions`. */
import { safeText } from '../safe-text.ts';

type Screeners = readonly { readonly active: boolean; readonly conditions: Readonly<Record<string, unknown>> }[];

/** A value that holds no object. Places in a list are words only where there are several. */
interface Setting {
  readonly path: readonly string[];
  readonly words: readonly string[];
  readonly value: unknown;
}

/** `price: change pct 3, window minutes 15; max per 15 min 1`. */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  return entriesOf(conditions).map(topText).join('; ') || 'none';
}

/** The parts that differ: `price change pct 3 instead of 2.5; window minutes none instead of 15`. */
export function settingsChange(before: Screeners, after: Screeners): string {
  const [old, now] = [before, after].map(
    (settings) => new Map(partsOf(settings.map(flat)).map((one) => [String(one.path), one])),
  );
  const all = new Map([...(now ?? []), ...[...(old ?? [])].filter(([path]) => !now?.has(path))]);
  const told = (path: string, parts = now) => valueText(parts?.get(path)?.value);
  const differing = [...all].filter(([path]) => told(path) !== told(path, old)).map(([, part]) => part);
  return differing
    .map(({ path, words }) => `${words.join(' ')} ${told(String(path))} instead of ${told(String(path), old)}`)
    .join('; ');
}

/** Keys and texts at any depth: what a setting may be called by. */
export function settingNames(settings: Screeners): Set<string> {
  const parts = partsOf(settings.map(({ conditions }) => conditions));
  return new Set(parts.flatMap(({ path, value }) => (typeof value === 'string' ? [...path, value] : path)));
}

const flat = ({ active, conditions }: Screeners[number]) => ({ ...conditions, active });

function partsOf(value: unknown, path: readonly string[] = [], words: readonly string[] = []): Setting[] {
  const isList = Array.isArray(value);
  const entries = isObject(value) && !(isList && !value.some(isObject)) ? Object.entries(value) : [];
  if (entries.length === 0) return path.length === 0 ? [] : [{ path, words, value }];
  return entries.flatMap(([key, inner], i) => {
    const name = isList ? String(i + 1) : nameText(key);
    return partsOf(inner, [...path, key], isList && entries.length === 1 ? words : [...words, name]);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value that holds objects is a group of more entries, at least two. */
type Words = { readonly name: string } & ({ readonly group: readonly Words[] } | { readonly text: string });

const topText = (entry: Words) =>
  'group' in entry ? `${entry.name}: ${entry.group.map(innerText).join(', ')}` : innerText(entry);

const innerText = (entry: Words): string =>
  'group' in entry ? `${entry.name} (${entry.group.map(innerText).join(', ')})` : `${entry.name} ${entry.text}`;

function entriesOf(value: object, name = ''): Words[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = Array.isArray(value) ? (value.length === 1 ? name : `${name} ${Number(key) + 1}`) : nameText(key);
    if (Array.isArray(inner))
      return inner.some(isObject) ? entriesOf(inner, own) : [{ name: own, text: valueText(inner) }];
    const group = isObject(inner) ? entriesOf(inner) : [];
    const [first] = group;
    if (first === undefined) return [{ name: own, text: valueText(inner) }];
    return [group.length === 1 ? { ...first, name: `${own} ${first.name}` } : { name: own, group }];
  });
}

/** `perDay` and `per_day` are `per day`. */
function nameText(key: string): string {
  return safeText(key.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ')).toLowerCase();
}

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(valueText).join(' and ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 20 });
  if (value === undefined || isObject(value) || value === null) return 'none';
  const text = String(value);
  return safeText(/^\p{Ll}+(_\p{Ll}+)+$/u.test(text) ? text.replaceAll('_', ' ') : text);
}
