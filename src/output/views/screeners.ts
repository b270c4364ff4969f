/** Screeners, and settings of any shape in words: the document shows no keys of `conditions`. */

import { ScreenerItem } from '../../api/contract/resources.ts';
import { groupBy } from '../../base/collections.ts';
import type { Advice } from '../../outcomes/tune-types.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { textColumn } from './parts.ts';

export const screenersView: View<ScreenerItem> = {
  fields: fieldsOf(ScreenerItem),
  columns: [textColumn('TYPE', 0, screenerName), settingsColumn()],
  empty: 'You have no screeners configured.',
};

export function screenerName({
  type,
  active,
}: {
  readonly type: string;
  readonly active: boolean | null;
}): string {
  return `${safeText(type)}${active === false ? ' (off)' : ''}`;
}

export function settingsColumn<
  T extends { readonly conditions: ScreenerItem['conditions'] | null },
>(): Column<T> {
  const cell: Column<T>['cell'] = ({ conditions }, { styles }) =>
    conditions === null ? styles.dim(NONE) : settingsText(conditions);
  return textColumn('SETTINGS', 0, cell, { below: true });
}

type Screeners = readonly {
  readonly active: boolean;
  readonly conditions: Readonly<Record<string, unknown>>;
}[];

/** A value that holds no object, and the names of the steps to it, each with its place if it is one of several. */
interface Setting {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: unknown;
}

/** `price: change pct 3, window minutes 15; max per 15 min 1`. */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  const parts = [...groupBy(settingsIn(conditions), ({ names: [first] }) => first)].map(
    ([first, own]) => {
      const [inner, ...more] = own.map(({ names, value }) =>
        [...names.slice(1), valueText(value)].join(' '),
      );
      return more.length === 0 ? `${first} ${inner}` : `${first}: ${[inner, ...more].join(', ')}`;
    },
  );
  return parts.join('; ') || 'none';
}

/** The parts that differ: `price change pct 3 instead of 2.5; window minutes none instead of 15`. */
export function settingsChange(before: Screeners, after: Screeners): string {
  const byPath = (screeners: Screeners) => {
    const settings = settingsIn(
      screeners.map(({ active, conditions }) => ({ ...conditions, active })),
    );
    return new Map(
      settings.map((one) => [one.path, { name: one.names.join(' '), text: valueText(one.value) }]),
    );
  };
  const [old, now] = [byPath(before), byPath(after)];
  const told = [...new Map([...now, ...old])].map(([path, { name }]) => {
    const [then = 'none', text = 'none'] = [old.get(path)?.text, now.get(path)?.text];
    return then === text ? '' : `${now.get(path)?.name ?? name} ${text} instead of ${then}`;
  });
  return told.filter(Boolean).join('; ');
}

/** Words of limits and units: sharing them says nothing. */
const UNITS = new Set([
  'min',
  'max',
  'minimum',
  'maximum',
  'least',
  'most',
  'pct',
  'percent',
  'usd',
]);

/**
 * The one setting of a number that shares most words with the number's name, its first one among them; undefined if none
 * or several do, or if the cut is not stricter than it is.
 */
export function likelySetting(
  settings: Screeners,
  { key, direction, value: cut }: Omit<Advice, 'type' | 'absolute'>,
) {
  const [first = '', ...more] = nameText(key).split(' ');
  const ranked = settings
    .flatMap(({ conditions }) => settingsIn(conditions))
    .flatMap(({ names, value }) => {
      const own = new Set(names.join(' ').split(' '));
      const shared = [first, ...more].filter((word) => own.has(word) && !UNITS.has(word)).length;
      return typeof value === 'number' && own.has(first) && shared > 0
        ? [{ names, value, shared }]
        : [];
    })
    .toSorted((one, other) => other.shared - one.shared);
  const [best, next] = ranked;
  if (best === undefined || best.shared === next?.shared || best.value * cut <= 0) return undefined;
  const isStricter = direction === 'at_least' ? cut > best.value : cut < best.value;
  return isStricter ? { name: best.names.join(' '), now: valueText(best.value) } : undefined;
}

function settingsIn(value: unknown, names: readonly string[] = [], path = ''): Setting[] {
  const isList = Array.isArray(value);
  const entries =
    isObject(value) && !(isList && !value.some(isObject)) ? Object.entries(value) : [];
  if (entries.length === 0) return names.length === 0 ? [] : [{ path, names, value }];
  return entries.flatMap(([key, inner], i) => {
    const place = [...names.slice(-1), i + 1].join(' ');
    const placed = entries.length === 1 ? names : [...names.slice(0, -1), place];
    return settingsIn(inner, isList ? placed : [...names, nameText(key)], `${path}.${key}`);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** As many interfaces write them, in keys and in values. */
const OPERATORS = new Map(Object.entries({ gte: '>=', lte: '<=', gt: '>', lt: '<' }));

const plainText = (text: string) =>
  Array.from(text.split('_'), (word) => OPERATORS.get(word) ?? word).join(' ');

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
