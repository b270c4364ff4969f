import type { ScreenerItem } from '../../api/contract/resources.ts';
import { flatten } from '../paths.ts';
import { escapeJson, safeText } from '../safe-text.ts';
import type { View } from '../types.ts';

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
  empty: 'You have no screeners configured.',
};

/** `price.min 3, rate_limit 60`: the document shows no keys, so every key is told with its value. */
function summary(conditions: Record<string, unknown>): string {
  return [...flatten(conditions)].map(([path, value]) => `${safeText(path)} ${readable(value)}`).join(', ');
}

function readable(value: unknown): string {
  return typeof value === 'object' && value !== null ? escapeJson(JSON.stringify(value)) : safeText(value);
}
