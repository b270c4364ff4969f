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

/**
 * The names of types with the same settings. A line may break between two names. A single name may be broken inside, since it can
 * be long.
 */
function breakableNames(types: readonly string[]): MarkupPart {
  const [first = '', ...more] = types;
  if (more.length === 0) return breakable(first);
  return types.join(', ');
}

/** @param settingsOf a type's settings now, in parts; empty if no export recorded them */
export function settingsSection(
  standings: readonly Standing[],
  settingsOf: (type: string) => readonly string[],
): Markup | undefined {
  const known = standings.filter(({ group }) => settingsOf(group).length > 0);
  const common = inCommon(known.map(({ group }) => settingsOf(group)));
  const typesBySettings = new Map<string, string[]>();
  for (const { group, groupFigures } of known) {
    const own = settingsOf(group).filter((part) => !common.includes(part));
    const settings = own.length === 0 ? 'nothing else' : own.join('; ');
    const since = groupFigures?.settings_since;
    const date = since == null ? '' : `, since ${dayAndMonth(Date.parse(since))}`;
    const words = `${settings}${date}`;
    const sameSettings = typesBySettings.get(words) ?? [];
    typesBySettings.set(words, [...sameSettings, label(group)]);
  }
  if (typesBySettings.size === 0) return undefined;
  const lines: Fact[] = [];
  if (common.length > 0) lines.push(['All', common.join('; ')]);
  for (const [words, types] of typesBySettings) lines.push([breakableNames(types), words]);
  const subtitle = 'As your last export recorded them.';
  return section('settings', 'Your settings now', subtitle, facts(lines));
}

/** The parts that all types have; none if there is a single type. */
function inCommon(settingsOfTypes: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = settingsOfTypes;
  if (others.length === 0) return [];
  return first.filter((part) => others.every((parts) => parts.includes(part)));
}
