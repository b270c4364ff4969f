/** What each type is set to. */
import type { Standing } from '../outcomes/standing.ts';
import { dayAndMonth } from '../output/format.ts';
import { breakable, type Fact, facts, label, type Markup, section } from './markup.ts';

/** @param settingsOf a type's conditions now, in words; empty if no look at them is kept */
export function settingsSection(
  standings: readonly Standing[],
  settingsOf: (type: string) => string,
): Markup | undefined {
  const lines: Fact[] = [];
  for (const { group, groupFigures } of standings) {
    const settings = settingsOf(group);
    if (settings === '') continue;
    const since = groupFigures?.settings_since;
    const date = since == null ? '' : `, since ${dayAndMonth(Date.parse(since))}`;
    lines.push([breakable(label(group)), `${settings}${date}`]);
  }
  if (lines.length === 0) return undefined;
  const says = 'As your last export recorded them; the service cannot be asked for older ones.';
  return section('settings', 'Your settings now', says, facts(lines));
}
