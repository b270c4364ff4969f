/**
 * A screener's conditions as people read them. The API document shows none of their keys, so every key is told with its
 * value, in the order given: `parts: metric price_pct, value 1.6`. JSON and CSV have them exactly.
 */
import { NONE } from '../format.ts';
import { isPlainObject } from '../plain.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import { NO_BREAK } from '../types.ts';

/** How far below the conditions keys are still told one by one; what lies deeper is shown as JSON. */
const DEEPEST = 3;

/** @param oneLine for a pipe; otherwise a line for each condition, with `NO_BREAK` between a key and its value */
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
  if (depth > DEEPEST) return escapeJson(JSON.stringify(value));
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
