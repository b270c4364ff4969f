/** When the settings of a type changed, as the answers of `/screeners` show it. Pure; times in epoch milliseconds UTC. */

import { isDeepStrictEqual } from 'node:util';
import type { ScreenerItem, Screeners } from '../../api/contract/resources.ts';
import { groupBy, matches } from '../../base/collections.ts';
import { DAY } from '../../base/units.ts';

/** An answer of `/screeners` that differs from the one before. */
export interface ScreenersLook {
  readonly at: number;
  /** When the answer before was seen last, if an export wrote that down. The settings changed between then and `at`. */
  readonly before?: number | undefined;
  readonly screeners: Screeners;
}

/** A time in which the settings of a type stayed the same. */
export interface SettingsPeriod {
  /** When they were first seen; undefined of the first ones: they are taken to have held before. */
  readonly since: number | undefined;
  /** When they were last seen; undefined of those that hold. */
  readonly until: number | undefined;
  /** The screeners of the type. */
  readonly settings: readonly Pick<ScreenerItem, 'active' | 'conditions'>[];
}

/** @param looks oldest first @returns oldest first */
export function settingsPeriods(looks: readonly ScreenersLook[], type: string): SettingsPeriod[] {
  const firstLooks = looks.filter(({ screeners }, i) => {
    const lookBefore = looks[i - 1];
    return lookBefore === undefined || !areSameSettings(lookBefore.screeners, screeners, type);
  });
  return firstLooks.map(({ at, screeners }, i): SettingsPeriod => {
    const since = i === 0 ? undefined : at;
    const nextLook = firstLooks[i + 1];
    const items = screeners.items.filter((item) => item.type === type);
    return {
      since,
      until: nextLook === undefined ? undefined : lastSeen(since, nextLook),
      settings: items.map(({ active, conditions }) => ({ active, conditions })),
    };
  });
}

/** When settings were last seen that a look no longer has. @param since when they were first seen */
function lastSeen(since: number | undefined, { at, before }: ScreenersLook): number {
  // If it was not written down: a day before, because exports look once a day.
  const lookBefore = before ?? at - DAY;
  return since === undefined ? lookBefore : Math.max(since, lookBefore);
}

/** Of each type that a look has, oldest first. @param looks oldest first */
export function settingsByType(
  looks: readonly ScreenersLook[],
): ReadonlyMap<string, readonly SettingsPeriod[]> {
  return new Map(typesOf(looks).map((type) => [type, settingsPeriods(looks, type)]));
}

/** Types whose settings changed since the look before. */
export interface SettingsChange {
  /** When the change was first seen. */
  readonly at: number;
  readonly types: readonly string[];
}

/** Changes that were first seen after `since`, and not after `until`. */
interface ChangesRange {
  readonly since: number;
  readonly until: number;
  /** Undefined for all types. */
  readonly type?: string | undefined;
}

/** @param looks oldest first @returns oldest first */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, type: onlyType }: ChangesRange,
): SettingsChange[] {
  const changesOfTypes: { readonly at: number; readonly type: string }[] = [];
  for (const type of typesOf(looks)) {
    if (!matches(type, onlyType)) continue;
    for (const period of settingsPeriods(looks, type)) {
      const at = period.since;
      if (at !== undefined && at > since && at <= until) changesOfTypes.push({ at, type });
    }
  }
  const changes: SettingsChange[] = [];
  for (const [at, ofTypes] of groupBy(changesOfTypes, (change) => change.at)) {
    changes.push({ at, types: ofTypes.map(({ type }) => type) });
  }
  return changes.sort((a, b) => a.at - b.at);
}

/**
 * Since when a type has the settings that were the last ones with an active screener of it. A type is left out if these
 * are its first settings.
 * @param looks oldest first; those after `until` are left out
 */
export function presentSettings(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  const looksUntil = looks.filter(({ at }) => at <= until);
  const sinceOfTypes = new Map<string, number>();
  for (const type of typesOf(looksUntil)) {
    const isInUse = ({ settings }: SettingsPeriod) => settings.some(({ active }) => active);
    const present = settingsPeriods(looksUntil, type).findLast(isInUse);
    if (present?.since !== undefined) sinceOfTypes.set(type, present.since);
  }
  return sinceOfTypes;
}

function typesOf(looks: readonly ScreenersLook[]): string[] {
  const types = new Set<string>();
  for (const { screeners } of looks) {
    for (const { type } of screeners.items) types.add(type);
  }
  return [...types];
}

/**
 * Whether two answers have the same settings. Ignores the order of keys and of screeners, also of several screeners of one
 * type: no order is a setting.
 * @param type undefined for those of all types
 */
export function areSameSettings(one: Screeners, other: Screeners, type?: string): boolean {
  const items = itemsOf(one, type);
  const unmatched = itemsOf(other, type);
  if (items.length !== unmatched.length) return false;
  for (const item of items) {
    const place = unmatched.findIndex((candidate) => isDeepStrictEqual(candidate, item));
    if (place === -1) return false;
    unmatched.splice(place, 1);
  }
  return true;
}

function itemsOf({ items }: Screeners, type: string | undefined): ScreenerItem[] {
  return items.filter((item) => matches(item.type, type));
}
