/** What each type is set to. */
import type { Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import {
  breakable,
  type Fact,
  facts,
  label,
  type Markup,
  type MarkupPart,
  section,
} from './markup.ts';

/** Names of types with the same settings, as a label that may break: between names, or within the name of a single type. */
function breakableNames(types: readonly string[]): MarkupPart {
  const [only = '', ...more] = types;
  return more.length === 0 ? breakable(only) : types.join(', ');
}

/** @param settingsOf a type's settings now, in words; empty if no export recorded them */
export function settingsSection(
  standings: readonly Standing[],
  settingsOf: (type: string) => string,
): Markup | undefined {
  const typesBySettings = new Map<string, string[]>();
  for (const { group, groupFigures } of standings) {
    const settings = settingsOf(group);
    if (settings === '') continue;
    const since = groupFigures?.settings_since;
    const date = since == null ? '' : `, since ${dayAndMonth(Date.parse(since))}`;
    const words = `${settings}${date}`;
    const sameSettings = typesBySettings.get(words) ?? [];
    typesBySettings.set(words, [...sameSettings, label(group)]);
  }
  if (typesBySettings.size === 0) return undefined;
  const lines: Fact[] = [];
  for (const [words, types] of typesBySettings) lines.push([breakableNames(types), words]);
  const says = 'As your last export recorded them.';
  return section('settings', 'Your settings now', says, facts(lines));
}
