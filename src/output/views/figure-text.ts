import type { Unit } from '../../outcomes/figure.ts';
import { NONE, percent, percentagePoints } from '../format.ts';
import { isPlainObject } from '../paths.ts';
import { safeText } from '../safe-text.ts';

const NUMBERS: Readonly<Record<Unit, (value: number) => string>> = {
  percent,
  'percentage points': percentagePoints,
  fraction: (value) => `${(value * 100).toFixed(1)}%`,
  cards: (value) => `about ${Math.round(value)}`,
};

/** A figure as people read it; an interval as `low to high`, with `?` for an end that is open. */
export function figureText(value: unknown, unit: Unit | undefined): string {
  if (value === null) return NONE;
  if (typeof value === 'number') return unit === undefined ? String(value) : NUMBERS[unit](value);
  if (!isPlainObject(value)) return safeText(value);
  const end = (one: unknown) => (one === null ? '?' : figureText(one, unit));
  return `${end(value.low)} to ${end(value.high)}`;
}
