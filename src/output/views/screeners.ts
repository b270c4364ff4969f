import { ScreenerItem } from '../../api/contract/resources.ts';
import { at } from '../../api/time.ts';
import type { Standing } from '../../outcomes/standing.ts';
import { fieldsOf } from '../described-fields.ts';
import { dayAndMonth, NONE } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { Column, View } from '../types.ts';
import { textColumn } from './parts.ts';
import { settingsText } from './settings-text.ts';

export const screenersView: View<ScreenerItem> = {
  fields: fieldsOf(ScreenerItem),
  // Priority 0: also the narrowest terminal shows this column.
  columns: [textColumn('TYPE', 0, screenerName), settingsColumn()],
  empty: 'You have no screeners configured.',
};

interface NamedScreener {
  readonly type: string;
  /** Null if it is not known. */
  readonly active: boolean | null;
  /** When it was first seen switched off, UTC; absent or null if that is not known. */
  readonly off_since?: string | null;
}

/** `surge`, `surge (off)`, `surge (off since 25 Nov)`. */
export function screenerName({ type, active, off_since: since = null }: NamedScreener): string {
  const offSince = since === null ? undefined : at(since);
  const off = active === false ? { since: offSince, isRemoved: false } : undefined;
  return typeName({ group: type, off });
}

/** The same for a type's standing. A removed type has the name alone here, because the verdict says that the type was removed. */
export function typeName({ group, off }: Pick<Standing, 'group' | 'off'>): string {
  const name = safeText(group);
  if (off === undefined || off.isRemoved) return name;
  const { since } = off;
  return since === undefined ? `${name} (off)` : `${name} (off since ${dayAndMonth(since)})`;
}

export function settingsColumn<
  T extends { readonly conditions: ScreenerItem['conditions'] | null },
>(): Column<T> {
  const cell: Column<T>['cell'] = ({ conditions }, { styles }) =>
    conditions === null ? styles.dim(NONE) : settingsText(conditions);
  // On a narrow terminal, settings go below their row.
  return textColumn('SETTINGS', 0, cell, { below: true });
}
