import { ScreenerItem } from '../../api/contract/resources.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE } from '../format.ts';
import { isPlainObject } from '../paths.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { type Column, NO_BREAK, type RenderContext, type View } from '../types.ts';
import { textColumn } from './parts.ts';

export const screenersView: View<ScreenerItem> = {
  fields: fieldsOf(ScreenerItem),
  columns: [
    textColumn('TYPE', 0, ({ type }) => safeText(type)),
    textColumn('ACTIVE', 0, ({ active }, { styles }) => (active ? styles.good('yes') : styles.dim('no'))),
    conditionsColumn(0, ({ conditions }) => conditions),
  ],
  empty: 'You have no screeners configured.',
};

/** @param of what a row's screener is configured with; null where that is not known */
export function conditionsColumn<T>(priority: number, of: (row: T) => Record<string, unknown> | null): Column<T> {
  const cell = (row: T, { styles, width }: RenderContext) => {
    const conditions = of(row);
    if (conditions === null) return styles.dim(NONE);
    return conditionsText(conditions, width === undefined) || styles.dim('none');
  };
  return textColumn('CONDITIONS', priority, cell, { wraps: true });
}

/** How far below the conditions keys are still told one by one; what lies deeper is shown as JSON. */
const DEEPEST = 3;

/**
 * A screener's conditions as people read them. The API document shows none of their keys, so every key is told with its
 * value, in the order given: `parts: metric price_pct, value 1.6`. JSON and CSV have them exactly.
 * @param oneLine for a pipe; otherwise a line for each condition, with `NO_BREAK` between a key and its value
 */
export function conditionsText(conditions: Record<string, unknown>, oneLine: boolean): string {
  const text = Object.entries(conditions)
    .map(([key, value]) => `${safeText(key)}${isSimple(value) ? NO_BREAK : ': '}${told(value, 1)}`)
    .join(oneLine ? ' | ' : '\n');
  return oneLine ? text.replaceAll(NO_BREAK, ' ') : text;
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
    return `${safeText(key)}${NO_BREAK}${isPlainObject(part) && depth < DEEPEST ? `(${text})` : text}`;
  });
  return pairs.join(', ') || 'none';
}
