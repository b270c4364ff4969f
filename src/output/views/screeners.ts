import type { ScreenerItem } from '../../api/contract/resources.ts';
import { flatten } from '../paths.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import type { Look, View } from '../types.ts';

export const screenersView: View<ScreenerItem> = {
  fields: [
    { name: 'type', kind: 'text', about: 'screener type' },
    { name: 'active', kind: 'boolean', about: 'whether it is switched on' },
    { name: 'conditions', kind: 'object', about: 'condition parts and notification rate limit, as configured' },
  ],
  columns: [
    { header: 'TYPE', align: 'left', priority: 0, cell: ({ type }) => safeText(type) },
    {
      header: 'ACTIVE',
      align: 'left',
      priority: 0,
      cell: ({ active }, { paint }) => (active ? paint.good('yes') : paint.dim('no')),
    },
    {
      header: 'CONDITIONS',
      align: 'left',
      priority: 0,
      cell: ({ conditions }, { paint }) => summary(conditions) || paint.dim('none'),
    },
  ],
  footer: (items, look) =>
    items.some((item) => isShortened(item, items, look))
      ? 'Conditions that end in … are longer than this terminal is wide: they are whole in a pipe, --json or --csv.'
      : undefined,
  empty: 'You have no screeners configured.',
};

/** Whether the table above had no room for all conditions of an item. */
function isShortened(item: ScreenerItem, items: readonly ScreenerItem[], { width, draw }: Look): boolean {
  if (width === undefined) return false;
  const types = Math.max('TYPE'.length, ...items.map(({ type }) => draw.measure(safeText(type))));
  return types + 'ACTIVE'.length + draw.measure(summary(item.conditions)) + 4 > width;
}

/** `price.min 3, rate_limit 60`: the document shows no keys, so every key is told with its value. */
function summary(conditions: Record<string, unknown>): string {
  return [...flatten(conditions)].map(([path, value]) => `${safeText(path)} ${readable(value)}`).join(', ');
}

function readable(value: unknown): string {
  return typeof value === 'object' && value !== null ? escapeJson(JSON.stringify(value)) : safeText(value);
}
