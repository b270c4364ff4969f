/**
 * When the settings of a type changed, as the answers of `/screeners` show it. Pure; times in epoch milliseconds UTC.
 *
 * The settings of a screener are whether it is switched on, and its conditions. A condition that is null, or an empty object
 * or list, counts as one that is not there: a service in beta may add such a field without a change of settings. Only a
 * screener that is on sends cards. So if it is switched off, and on again with the same conditions, the settings of its cards
 * have not changed.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ScreenerItem, Screeners } from '../../api/contract/resources.ts';
import { groupBy, matches } from '../../base/collections.ts';
import { DAY } from '../../base/units.ts';

/** An answer of `/screeners` that differs from the one before. */
export interface ScreenersLook {
  readonly at: number;
  /**
   * When the answer before this one was last received; absent in files of earlier versions. The settings changed
   * between then and `at`.
   */
  readonly before?: number | undefined;
  readonly screeners: Screeners;
}

/** A time in which the settings of a type stayed the same. */
export interface SettingsPeriod {
  /** When they were first seen; undefined for the first period: nobody saw it begin. */
  readonly since: number | undefined;
  /** When they were last seen; undefined for the period that still lasts. */
  readonly until: number | undefined;
  /** The screeners of the type. */
  readonly settings: readonly Pick<ScreenerItem, 'active' | 'conditions'>[];
}

/** The periods of one type. @param looks oldest first @returns oldest first */
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

/**
 * When the settings of a period were last seen.
 * @param since when they were first seen
 * @param nextLook the first look that shows other settings
 */
function lastSeen(since: number | undefined, { at, before }: ScreenersLook): number {
  // Files of earlier versions do not say it. It was about a day before, because exports look once a day.
  const lookBefore = before ?? at - DAY;
  return since === undefined ? lookBefore : Math.max(since, lookBefore);
}

/**
 * The times in which a type was switched on under the same conditions. If it was off for a time, and its conditions are the
 * same afterwards, the times before and after it are one.
 * @param periods oldest first
 * @returns oldest first, each with the screeners as last recorded
 */
export function periodsInUse(periods: readonly SettingsPeriod[]): SettingsPeriod[] {
  const inUse: SettingsPeriod[] = [];
  for (const period of periods) {
    if (!isInUse(period)) continue;
    const before = inUse.at(-1);
    if (before === undefined || !areSame(activeOf(before), activeOf(period))) inUse.push(period);
    else inUse.splice(-1, 1, { ...period, since: before.since });
  }
  return inUse;
}

function isInUse({ settings }: SettingsPeriod): boolean {
  return settings.some(({ active }) => active);
}

function activeOf({ settings }: SettingsPeriod): ConfiguredScreener[] {
  return settings.filter(({ active }) => active);
}

/**
 * Since when the screeners of a type have their present conditions, whether they are switched on or off.
 * @param periods oldest first
 * @returns undefined if no change is known
 */
export function configuredSince(periods: readonly SettingsPeriod[]): number | undefined {
  const last = periods.at(-1);
  if (last === undefined) return undefined;
  if (isInUse(last)) return periodsInUse(periods).at(-1)?.since;
  const switchedOn = ({ settings }: SettingsPeriod) =>
    settings.map((screener) => ({ ...screener, active: true }));
  const lastOther = periods.findLastIndex(
    (period) => !areSame(switchedOn(period), switchedOn(last)),
  );
  return periods[lastOther + 1]?.since;
}

/**
 * When a type was first seen switched off, after it had been on, epoch milliseconds UTC.
 * @param periods oldest first
 * @returns undefined if it is on, or was never seen on
 */
export function offSince(periods: readonly SettingsPeriod[]): number | undefined {
  const lastInUse = periods.findLastIndex(isInUse);
  return lastInUse === -1 ? undefined : periods[lastInUse + 1]?.since;
}

/**
 * When each type was first seen switched off (`offSince`): none of a type that is on, or was never seen on.
 * @param looks oldest first
 */
export function offSinceByType(looks: readonly ScreenersLook[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const type of configuredTypes(looks)) {
    const since = offSince(settingsPeriods(looks, type));
    if (since !== undefined) times.set(type, since);
  }
  return times;
}

/**
 * The periods of every type that occurs in a look, as `periodsInUse` has them.
 * @param looks oldest first
 */
export function periodsInUseByType(
  looks: readonly ScreenersLook[],
): ReadonlyMap<string, readonly SettingsPeriod[]> {
  return new Map(
    configuredTypes(looks).map((type) => [type, periodsInUse(settingsPeriods(looks, type))]),
  );
}

/** A look at the screeners that first saw new settings of some types. */
export interface LookWithChanges {
  /** Epoch milliseconds UTC. */
  readonly at: number;
  /** The types with new settings. */
  readonly types: readonly string[];
}

/** Changes that were first seen after `since`, and not after `until`. */
interface ChangesRange {
  readonly since: number;
  readonly until: number;
  /** Absent for all types. */
  readonly takesType?: (type: string) => boolean;
}

/** @param looks oldest first @returns oldest first */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, takesType = () => true }: ChangesRange,
): LookWithChanges[] {
  const changesOfTypes: { readonly at: number; readonly type: string }[] = [];
  for (const type of configuredTypes(looks)) {
    if (!takesType(type)) continue;
    for (const period of periodsInUse(settingsPeriods(looks, type))) {
      const at = period.since;
      if (at !== undefined && at > since && at <= until) changesOfTypes.push({ at, type });
    }
  }
  const looksWithChanges: LookWithChanges[] = [];
  for (const [at, changesOfLook] of groupBy(changesOfTypes, (change) => change.at)) {
    looksWithChanges.push({ at, types: changesOfLook.map(({ type }) => type) });
  }
  return looksWithChanges.sort((a, b) => a.at - b.at);
}

/**
 * When the latest settings under which each type was switched on began. A type is left out if these are its first settings.
 * @param looks oldest first; those after `until` are left out
 */
export function presentSettingsSince(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  return lastInUse(looks, until, periodsInUse);
}

/**
 * Since when each type has been in use under these settings without a break: since it was switched on, if that is later
 * than the change of its conditions. A type is left out if it was in use so from the first look on.
 * @param looks oldest first; those after `until` are left out
 */
export function inUseSince(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  return lastInUse(looks, until, (periods) => periods.filter(isInUse));
}

/** When the last of a type's times in use began. @param inUseOf its times in use, oldest first */
function lastInUse(
  looks: readonly ScreenersLook[],
  until: number,
  inUseOf: (periods: readonly SettingsPeriod[]) => readonly SettingsPeriod[],
): ReadonlyMap<string, number> {
  const looksUntil = looks.filter(({ at }) => at <= until);
  const sinceOfTypes = new Map<string, number>();
  for (const type of configuredTypes(looksUntil)) {
    const last = inUseOf(settingsPeriods(looksUntil, type)).at(-1);
    if (last?.since !== undefined) sinceOfTypes.set(type, last.since);
  }
  return sinceOfTypes;
}

/** The types of the screeners at all looks. */
export function configuredTypes(looks: readonly ScreenersLook[]): string[] {
  const types = new Set<string>();
  for (const { screeners } of looks) {
    for (const { type } of screeners.items) types.add(type);
  }
  return [...types];
}

/**
 * Whether two answers have the same settings. Ignores the order of keys and of screeners, also of several screeners of
 * one type: no order is a setting.
 * @param type undefined for those of all types
 */
export function areSameSettings(answer: Screeners, otherAnswer: Screeners, type?: string): boolean {
  return areSame(itemsOf(answer, type), itemsOf(otherAnswer, type));
}

/** Whether two answers have the same items in any order, with all their fields, also those that are no settings. */
export function areSameAnswers(answer: Screeners, otherAnswer: Screeners): boolean {
  return haveSameItems(answer.items, otherAnswer.items);
}

function itemsOf({ items }: Screeners, type: string | undefined): ScreenerItem[] {
  return items.filter((item) => matches(item.type, type));
}

/** The settings of a screener. `type` is absent if all that are compared are of one type. */
type ConfiguredScreener = Pick<ScreenerItem, 'active' | 'conditions'> & { readonly type?: string };

function areSame(
  screeners: readonly ConfiguredScreener[],
  otherScreeners: readonly ConfiguredScreener[],
): boolean {
  const settingsOf = ({ type, active, conditions }: ConfiguredScreener) => ({
    type,
    active,
    conditions: withoutEmptyValues(conditions),
  });
  return haveSameItems(screeners.map(settingsOf), otherScreeners.map(settingsOf));
}

/** Leaves empty values out of objects, however deep: they say as much as a value that is not there. */
function withoutEmptyValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyValues);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmptyValues(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => !isEmptyValue(inner)));
}

/** Whether a value is null, undefined, or an object or list without entries. */
function isEmptyValue(value: unknown): boolean {
  if (typeof value !== 'object') return value === undefined;
  return value === null || Object.keys(value).length === 0;
}

/** Whether two lists have the same items in any order. */
function haveSameItems(items: readonly object[], otherItems: readonly object[]): boolean {
  if (items.length !== otherItems.length) return false;
  const unmatched = [...otherItems];
  for (const item of items) {
    const place = unmatched.findIndex((candidate) => isDeepStrictEqual(candidate, item));
    if (place === -1) return false;
    unmatched.splice(place, 1);
  }
  return true;
}
