import { ScreenerItem } from '../../api/contract/resources.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { fieldsOf } from '../described-fields.ts';
import { isPlainObject } from '../fields.ts';
import { NONE } from '../format.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { textColumn } from './parts.ts';

export const screenersView: View<ScreenerItem> = {
  fields: fieldsOf(ScreenerItem),
  columns: [textColumn('TYPE', 0, screenerName), settingsColumn()],
  empty: 'You have no screeners configured.',
};

export function screenerName({ type, active }: { readonly type: string; readonly active: boolean | null }): string {
  return `${safeText(type)}${active === false ? ' (off)' : ''}`;
}

export function settingsColumn<T extends { readonly conditions: ScreenerItem['conditions'] | null }>(): Column<T> {
  const cell: Column<T>['cell'] = ({ conditions }, { styles }) =>
    conditions === null ? styles.dim(NONE) : settingsText(conditions);
  return textColumn('SETTINGS', 0, cell, { below: true });
}

/**
 * A screener's conditions as people read them: `oi up 2.8 % or more in 60 min; max 1 card/15 min`. The document shows no
 * keys: another shape is shown as it is, `price {"min":3} | note x`. JSON and CSV have them exactly.
 */
export function settingsText(conditions: Readonly<Record<string, unknown>>): string {
  const known = Object.values(conditions).map((value) => partsText(value) ?? rateText(value));
  if (known.every((text) => text !== undefined)) return known.join('; ') || 'none';
  return Object.entries(conditions)
    .map(
      ([key, value]) => `${safeText(key)} ${typeof value === 'object' ? escapeJson(jsonText(value)) : safeText(value)}`,
    )
    .join(' | ');
}

function rateText(value: unknown): string | undefined {
  const { notifications: cards, per_minutes: minutes } = onlyOf(value, 'notifications', 'per_minutes');
  if (typeof cards !== 'number' || typeof minutes !== 'number') return undefined;
  return `max ${cards} ${cards === 1 ? 'card' : 'cards'}/${minutesText(minutes)}`;
}

function minutesText(minutes: number): string {
  return minutes > 60 && minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

function partsText(value: unknown): string | undefined {
  const texts = Array.isArray(value) ? value.map(partText) : [undefined];
  return texts.includes(undefined) ? undefined : texts.join(' and ');
}

const CHANGES = ['price', 'oi', 'volume'];

function partText(part: unknown): string | undefined {
  const { metric, comparison, value, window_min: window } = onlyOf(part, 'metric', 'comparison', 'value', 'window_min');
  if (typeof metric !== 'string' || typeof value !== 'number') return undefined;
  if (window !== null && typeof window !== 'number') return undefined;
  const isChange = CHANGES.includes(metric);
  // Funding is a fraction; cards say it in percent.
  const number = metric === 'funding' ? Number((value * 100).toPrecision(12)) : value;
  const isPercent = isChange || metric === 'funding' || metric.endsWith('_pct');
  const size = `${number.toLocaleString('en', { maximumFractionDigits: 20 })}${isPercent ? ' %' : ''}`;
  const limits: Readonly<Record<string, string>> = {
    gte: `${isChange ? 'up ' : ''}${size} or more`,
    lte: `${size} or less`,
    abs_gte: isChange ? `up or down ${size} or more` : `${size} or more, up or down`,
  };
  const limit = Object.hasOwn(limits, String(comparison)) ? limits[String(comparison)] : undefined;
  return limit && `${safeText(metric)} ${limit}${window === null ? '' : ` in ${minutesText(window)}`}`;
}

/** The value where it is an object of these keys alone, else an empty one. */
function onlyOf(value: unknown, ...keys: readonly string[]): Readonly<Record<string, unknown>> {
  return isPlainObject(value) && Object.keys(value).every((key) => keys.includes(key)) ? value : {};
}
