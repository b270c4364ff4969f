/**
 * When the settings of a type changed, as the answers of `/screeners` show it. Pure; times in epoch milliseconds UTC.
 *
 * The settings of a screener are whether it is switched on, and its conditions. A condition that is null, or an empty object
 * or list, counts as a condition that is not there: a service in beta may add such a field without a change of settings.
 *
 * A type is in use while a screener of the type is switched on. It sends cards only while it is in use. Suppose a type is on with
 * conditions A, off, on with A again, and then on with B:
 *
 * - `settingsPeriods` has four periods.
 * - `periodsInUse` has two: A and B. The cards before and after the pause are of the same settings.
 * - `presentSettingsSince` is when B began, and so is `inUseSince`. Before the change to B, `inUseSince` was the end of the
 *   pause.
 * - `configuredSince` also counts what changes while the type is off.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ScreenerItem, Screeners } from '../../api/contract/resources.ts';
import { groupBy, matches } from '../../base/collections.ts';
import { DAY } from '../../base/units.ts';

/** An answer of `/screeners` that differs from the one before. */
export interface ScreenersLook {
  readonly at: number;
  /**
   * When the answer before this one was last received; absent if no export received it. The settings changed between then and
   * `at`.
   */
  readonly before?: number | undefined;
  readonly screeners: Screeners;
}

/** A time in which the settings of a type stayed the same. */
export interface SettingsPeriod {
  /** When these settings were first seen; undefined for the first period, because no look saw it begin. */
  readonly since: number | undefined;
  /** When these settings were last seen; undefined for the period that still lasts. */
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
 * @param since when these settings were first seen; undefined for the first period
 * @param nextLook the first look that shows other settings
 */
function lastSeen(since: number | undefined, { at, before }: ScreenersLook): number {
  // Exports ask once a day, so that the answer before came about a day earlier if its time is not known.
  const lookBefore = before ?? at - DAY;
  return since === undefined ? lookBefore : Math.max(since, lookBefore);
}

/**
 * The periods in which a type was in use. If the type was off for a time, and its conditions are the same afterwards, the periods
 * before and after that time are one.
 * @param periods oldest first
 * @returns oldest first, each with the screeners as last recorded
 */
export function periodsInUse(periods: readonly SettingsPeriod[]): SettingsPeriod[] {
  const periodsOfUse: SettingsPeriod[] = [];
  for (const period of periods) {
    if (!isInUse(period)) continue;
    const last = periodsOfUse.at(-1);
    const continuesLast = last !== undefined && areSame(activeOf(last), activeOf(period));
    if (continuesLast) periodsOfUse.splice(-1, 1, { ...period, since: last.since });
    else periodsOfUse.push(period);
  }
  return periodsOfUse;
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
  // The type is off now. To switch it off changed no condition: all periods are compared as if the type had been on.
  const asSwitchedOn = ({ settings }: SettingsPeriod) =>
    settings.map((screener) => ({ ...screener, active: true }));
  const hasOtherConditions = (period: SettingsPeriod) =>
    !areSame(asSwitchedOn(period), asSwitchedOn(last));
  // -1 if all periods have these conditions: the first period has no `since`.
  const lastOther = periods.findLastIndex(hasOtherConditions);
  return periods[lastOther + 1]?.since;
}

/**
 * When a type was first seen switched off, after it had been on, epoch milliseconds UTC.
 * @param periods oldest first
 * @returns undefined if it is on, or was never seen on
 */
export function offSince(periods: readonly SettingsPeriod[]): number | undefined {
  const lastInUse = periods.findLastIndex(isInUse);
  const wasOn = lastInUse !== -1;
  return wasOn ? periods[lastInUse + 1]?.since : undefined;
}

/**
 * When each type was first seen switched off, after it had been on. A type that is on, or was never seen on, has no entry.
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
 * The periods in which each type was in use.
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

/** Which changes are wanted: those that were first seen after `since`, and at `until` at the latest. */
interface WantedChanges {
  readonly since: number;
  readonly until: number;
  /** Whether changes of a type are wanted; absent if those of all types are. */
  readonly takesType?: (type: string) => boolean;
}

/** The looks that first saw new settings of a type in use. @param looks oldest first @returns oldest first */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, takesType = () => true }: WantedChanges,
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
 * Since when each type has its present settings: the conditions with which it is in use, or was last in use. A pause in which it
 * was off does not count. A type without a change of settings is left out.
 * @param looks oldest first; those after `until` are left out
 */
export function presentSettingsSince(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  return beginOfLastUse(looks, until, periodsInUse);
}

/**
 * Since when each type has been in use with its present settings, without a pause: since its settings changed, or since it was
 * last switched on, whichever is later. A type without a change and without a pause is left out.
 * @param looks oldest first; those after `until` are left out
 */
export function inUseSince(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  return beginOfLastUse(looks, until, (periods) => periods.filter(isInUse));
}

/**
 * When the last period in which each type was in use began.
 * @param pickInUse takes all periods of a type, and returns those in which the type was in use, oldest first
 */
function beginOfLastUse(
  looks: readonly ScreenersLook[],
  until: number,
  pickInUse: (periods: readonly SettingsPeriod[]) => readonly SettingsPeriod[],
): ReadonlyMap<string, number> {
  const looksUntil = looks.filter(({ at }) => at <= until);
  const sinceOfTypes = new Map<string, number>();
  for (const type of configuredTypes(looksUntil)) {
    const last = pickInUse(settingsPeriods(looksUntil, type)).at(-1);
    if (last?.since !== undefined) sinceOfTypes.set(type, last.since);
  }
  return sinceOfTypes;
}

/** The types of all screeners that a look has seen. */
export function configuredTypes(looks: readonly ScreenersLook[]): string[] {
  const types = new Set<string>();
  for (const { screeners } of looks) {
    for (const { type } of screeners.items) types.add(type);
  }
  return [...types];
}

/**
 * Whether two answers have the same settings. The order of keys and of screeners is no setting.
 * @param type compares only the screeners of this type; undefined for all
 */
export function areSameSettings(answer: Screeners, otherAnswer: Screeners, type?: string): boolean {
  return areSame(itemsOf(answer, type), itemsOf(otherAnswer, type));
}

/** Whether two answers have the same items in any order. Unlike settings, items are compared with all their fields. */
export function areSameAnswers(answer: Screeners, otherAnswer: Screeners): boolean {
  return haveSameItems(answer.items, otherAnswer.items);
}

function itemsOf({ items }: Screeners, type: string | undefined): ScreenerItem[] {
  return items.filter((item) => matches(item.type, type));
}

/** The settings of a screener. `type` is absent where only screeners of one type are compared. */
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

/** Leaves empty values out of objects, however deep they lie: an empty value says as much as a value that is not there. */
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
