import { ScreenerItem } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import { NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { textColumn } from './parts.ts';
import { settingsText } from './settings-text.ts';

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
