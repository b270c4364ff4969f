/** Settings of any shape in words: the document shows no keys of `conditions`. */
import { safeText } from '../safe-text.ts';

type Settings = readonly { readonly active: boolean; readonly conditions: Readonly<Record<string, unknown>> }[];

/** A value that holds no object. Places in a list are words only where there are several. */
interface Setting {
  readonly path: readonly string[];
  readonly words: readonly string[];
  readonly value: unknown;
}

/** `price change pct 3; window minutes 15; max per 15 min 1`. */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  return inWords(partsOf(conditions), ({ value }) => valueText(value)) || 'none';
}

/** The parts that differ: `price change pct 3 instead of 2.5; window minutes none instead of 15`. */
export function settingsChange(before: Settings, after: Settings): string {
  const [old, now] = [before, after].map(
    (settings) => new Map(partsOf(settings.map(flat)).map((one) => [String(one.path), one])),
  );
  const all = new Map([...(now ?? []), ...[...(old ?? [])].filter(([path]) => !now?.has(path))]);
  const told = (path: string, parts = now) => valueText(parts?.get(path)?.value);
  const differing = [...all].filter(([path]) => told(path) !== told(path, old)).map(([, part]) => part);
  return inWords(differing, ({ path }) => `${told(String(path))} instead of ${told(String(path), old)}`);
}

/** Keys and texts at any depth: what a setting may be called by. */
export function settingNames(settings: Settings): Set<string> {
  const parts = partsOf(settings.map(({ conditions }) => conditions));
  return new Set(parts.flatMap(({ path, value }) => (typeof value === 'string' ? [...path, value] : path)));
}

const flat = ({ active, conditions }: Settings[number]) => ({ ...conditions, active });

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

/** What a part has in common with the one before it stands there alone. */
function inWords(parts: readonly Setting[], told: (part: Setting) => string): string {
  const above = (part?: Setting) => part && String(part.path.slice(0, -1));
  return parts
    .map((part, i) => `${above(part) === above(parts[i - 1]) ? part.words.at(-1) : part.words.join(' ')} ${told(part)}`)
    .join('; ');
}

/** `perDay` and `per_day` are `per day`. */
function nameText(key: string): string {
  return safeText(key.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' ')).toLowerCase();
}

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(valueText).join(', ');
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 20 });
  return value === undefined || isObject(value) || value === null ? 'none' : safeText(value);
}
