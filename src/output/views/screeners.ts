import type { ScreenerItem } from '../../api/contract/resources.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { conditionsText } from './conditions-text.ts';

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
      cell: ({ active }, { styles }) => (active ? styles.good('yes') : styles.dim('no')),
    },
    {
      header: 'CONDITIONS',
      align: 'left',
      priority: 0,
      wraps: true,
      cell: ({ conditions }, { styles, width }) =>
        conditionsText(conditions, width === undefined) || styles.dim('none'),
    },
  ],
  empty: 'You have no screeners configured.',
};
