import { ScreenerItem } from '../../api/contract/resources.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE } from '../format.ts';
import { isPlainObject } from '../paths.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import type { Column, RenderContext, View } from '../types.ts';
import { textColumn } from './parts.ts';

type Conditions = Record<string, unknown>;

export const screenersView: View<ScreenerItem> = {
  fields: fieldsOf(ScreenerItem),
  columns: [
    textColumn('TYPE', 0, ({ type }) => safeText(type)),
    textColumn('ACTIVE', 0, ({ active }, { styles }) => (active ? styles.good('yes') : styles.dim('no'))),
    conditionsColumn(),
  ],
  // In a pipe each row says all of its own.
  footer: (rows, { width }) => (width === undefined ? undefined : sharedSentence(rows)),
  empty: 'You have no screeners configured.',
};

interface Configured {
  /** null where they are not known. */
  readonly conditions: Conditions | null;
}

/** The conditions of each; on a terminal without those that all of them have, which are said below the table. */
export function conditionsColumn<T extends Configured>(): Column<T> {
  const cell = ({ conditions }: T, { styles, width }: RenderContext, rows: readonly T[]) => {
    if (conditions === null) return styles.dim(NONE);
    return (width === undefined ? conditionsText(conditions) : ownText(conditions, rows)) || styles.dim('none');
  };
  return textColumn('CONDITIONS', 0, cell, { below: true });
}

/** The conditions that not all have. */
export function ownText(conditions: Conditions, all: readonly Configured[]): string {
  const shared = sharedBy(all);
  return conditionsText(Object.fromEntries(Object.entries(conditions).filter(([key]) => !Object.hasOwn(shared, key))));
}

/** `Each also has rate_limit: notifications 1, per_minutes 15.` */
export function sharedSentence(rows: readonly Configured[]): string | undefined {
  const shared = conditionsText(sharedBy(rows));
  return shared === '' ? undefined : `Each also has ${shared}.`;
}

const known = new WeakMap<readonly Configured[], Conditions>();

/** The conditions that several screeners have and all of them have alike. */
function sharedBy(rows: readonly Configured[]): Conditions {
  const all = rows.flatMap(({ conditions }) => (conditions === null ? [] : [conditions]));
  const alike = ([key, value]: [string, unknown]) =>
    all.every((one) => Object.hasOwn(one, key) && jsonText(one[key]) === jsonText(value));
  const shared =
    known.get(rows) ?? (all.length < 2 ? {} : Object.fromEntries(Object.entries(all[0] ?? {}).filter(alike)));
  known.set(rows, shared);
  return shared;
}

/** How far below the conditions keys are still told one by one; what lies deeper is shown as JSON. */
const DEEPEST = 3;

/**
 * A screener's conditions as people read them. The API document shows none of their keys, so every key is told with its
 * value, in the order given: `parts: metric price_pct, value 1.6 | rate_limit: …`. JSON and CSV have them exactly.
 */
export function conditionsText(conditions: Conditions): string {
  return Object.entries(conditions)
    .map(([key, value]) => `${safeText(key)}${isSimple(value) ? ' ' : ': '}${told(value, 1)}`)
    .join(' | ');
}

function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function told(value: unknown, depth: number): string {
  if (value === null) return NONE;
  if (isSimple(value)) return safeText(value);
  if (depth > DEEPEST) return escapeJson(jsonText(value));
  if (Array.isArray(value)) {
    const between = value.every(isSimple) ? ', ' : '; ';
    return value.map((part) => told(part, depth + 1)).join(between) || 'none';
  }
  const pairs = Object.entries(value as object).map(([key, part]) => {
    const text = told(part, depth + 1);
    return `${safeText(key)} ${isPlainObject(part) && depth < DEEPEST ? `(${text})` : text}`;
  });
  return pairs.join(', ') || 'none';
}
