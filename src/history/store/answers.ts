/** What grows beside the cards: answers of `/screeners` that differ, of `/signal-stats`, and the notebook. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type ScreenerItem, Screeners, SignalStats } from '../../api/contract/resources.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { groupBy, matches } from '../../base/collections.ts';
import { DAY } from '../../base/units.ts';
import { type Finding, finding } from '../../outcomes/findings.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { timesOfLines } from './clamp.ts';
import { FINDINGS_FILE, SCREENERS_FILE, STATS_FILE } from './layout.ts';
import { type DamageCount, readValues, timestamp, type Values } from './lines.ts';

/** In one write that is synced: needs no lock, because readers pass over a line that was cut off. */
async function append(directory: string, name: string, values: readonly object[]): Promise<void> {
  if (values.length > 0)
    await appendLine(join(directory, name), values.map((value) => jsonText(value)).join('\n'));
}

/** The lines with their times, none of which lies after `latest`, epoch milliseconds UTC. */
function dated<T>(
  lines: readonly T[],
  timeOf: (line: T) => number,
  latest: number,
): { readonly line: T; readonly at: number }[] {
  const times = timesOfLines(lines.map(timeOf), latest);
  return lines.map((line, i) => ({ line, at: times[i] ?? latest }));
}

/** The files that are only appended to, which `--check` reads. */
export const LOG_FILES = [FINDINGS_FILE, STATS_FILE, SCREENERS_FILE] as const;

export type LogFile = (typeof LOG_FILES)[number];

/** @throws ScreenerError storage */
export async function damageOfLog(directory: string, name: LogFile): Promise<DamageCount> {
  const schemas = { [FINDINGS_FILE]: finding, [STATS_FILE]: StatsLine, [SCREENERS_FILE]: Look };
  return (await readValues<v.GenericSchema>(join(directory, name), schemas[name])).damaged;
}

/** @param latest see `timesOfLines` @returns oldest first, and how many lines are left out @throws ScreenerError storage */
export async function readFindings(directory: string, latest: number): Promise<Values<Finding>> {
  const { values, damaged } = await readValues(join(directory, FINDINGS_FILE), finding);
  const lines = dated<Finding>(values, (line) => at(line.at), latest);
  const isLate = values.some((line) => at(line.at) > latest);
  if (!isLate) return { values, damaged };
  return {
    values: lines.map(({ line, at: time }) => ({ ...line, at: formatApiTime(time) })),
    damaged,
  };
}

/** The notebook is never rewritten. @throws ScreenerError storage */
export function appendFindings(directory: string, findings: readonly Finding[]): Promise<void> {
  return append(directory, FINDINGS_FILE, findings);
}

const StatsLine = v.object({ asked_at: timestamp, type: v.string(), stats: SignalStats });

/** @param latest see `timesOfLines` @returns oldest first @throws ScreenerError storage */
export async function readStatsLog(directory: string, latest: number): Promise<ServiceAnswer[]> {
  const { values } = await readValues(join(directory, STATS_FILE), StatsLine);
  return dated(values, (line) => line.asked_at, latest)
    .map(({ line: { type, stats }, at }) => ({ at, type, stats }))
    .sort((a, b) => a.at - b.at);
}

export function appendStats(
  directory: string,
  ...answers: readonly ServiceAnswer[]
): Promise<void> {
  const lines = answers.map(({ at, type, stats }) => ({
    asked_at: formatApiTime(at),
    type,
    stats,
  }));
  return append(directory, STATS_FILE, lines);
}

const Look = v.object({
  /** Epoch milliseconds UTC; the settings changed since the look before. */
  at: timestamp,
  /** Time of the last look that gave the answer before, if an export took it. */
  before: v.optional(timestamp),
  screeners: Screeners,
});

export type ScreenersLook = v.InferOutput<typeof Look>;

/** @param latest see `timesOfLines` @returns oldest first @throws ScreenerError storage */
export async function readScreenersLog(
  directory: string,
  latest: number,
): Promise<ScreenersLook[]> {
  const { values } = await readValues(join(directory, SCREENERS_FILE), Look);
  return dated(values, (look) => look.at, latest).map(({ line, at }) => ({ ...line, at }));
}

/** Two commands at once may add the same, which is no change. @throws ScreenerError storage */
export async function appendScreeners(
  directory: string,
  screeners: Screeners,
  now: number,
  before: string | null,
) {
  const last = (await readScreenersLog(directory, now)).at(-1);
  if (last !== undefined && areSame(last.screeners, screeners)) return;
  await append(directory, SCREENERS_FILE, [
    { at: formatApiTime(now), before: before ?? undefined, screeners },
  ]);
}

/** Types whose settings changed since the look before. */
export interface SettingsChange {
  /** When the change was first seen, epoch milliseconds UTC. */
  readonly at: number;
  readonly types: readonly string[];
}

/** @param looks oldest first @param asked after `since`, until `until`, epoch milliseconds UTC @returns oldest first */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  asked: { readonly since: number; readonly until: number; readonly type?: string | undefined },
): SettingsChange[] {
  const changes: { at: number; type: string }[] = [];
  for (const type of typesOf(looks)) {
    for (const { since: at } of settingsPeriods(looks, type)) {
      const isMeant = at !== undefined && at > asked.since && at <= asked.until;
      if (isMeant && matches(type, asked.type)) changes.push({ at, type });
    }
  }
  const byTime = [...groupBy(changes, ({ at }) => at)].sort(([a], [b]) => a - b);
  return byTime.map(([at, all]) => ({ at, types: all.map(({ type }) => type) }));
}

/** A time in which the settings of a type stayed the same. */
export interface SettingsPeriod {
  /** When they were first seen, epoch milliseconds UTC; undefined of the first ones: they are taken to have held before. */
  readonly since: number | undefined;
  /** When they were last seen, epoch milliseconds UTC; undefined of those that hold. */
  readonly until: number | undefined;
  /** The screeners of the type. */
  readonly settings: readonly Pick<ScreenerItem, 'active' | 'conditions'>[];
}

/** @param looks oldest first @returns oldest first */
export function settingsPeriods(looks: readonly ScreenersLook[], type: string): SettingsPeriod[] {
  const begins = looks.filter(({ screeners }, i) => {
    const last = looks[i - 1];
    return last === undefined || !areSame(last.screeners, screeners, type);
  });
  return begins.map(({ at, screeners }, i): SettingsPeriod => {
    const since = i === 0 ? undefined : at;
    const next = begins[i + 1];
    // Where it was not kept when the look before was: a day, because exports look once a day.
    const lastSeen = next && (next.before ?? next.at - DAY);
    const items = screeners.items.filter((item) => item.type === type);
    return {
      since,
      until: lastSeen && Math.max(since ?? lastSeen, lastSeen),
      settings: items.map(({ active, conditions }) => ({ active, conditions })),
    };
  });
}

/** Of each type that a look has, oldest first. @param looks oldest first */
export function settingsByType(
  looks: readonly ScreenersLook[],
): ReadonlyMap<string, readonly SettingsPeriod[]> {
  return new Map(typesOf(looks).map((type) => [type, settingsPeriods(looks, type)]));
}

/** Names only types that changed. @param looks oldest first @returns epoch milliseconds UTC */
export function presentSettings(
  looks: readonly ScreenersLook[],
  until: number,
): ReadonlyMap<string, number> {
  const seen = looks.filter(({ at }) => at <= until);
  const changed = new Map<string, number>();
  for (const type of typesOf(seen)) {
    const present = settingsPeriods(seen, type).findLast(({ settings }) =>
      settings.some(({ active }) => active),
    );
    if (present?.since !== undefined) changed.set(type, present.since);
  }
  return changed;
}

function typesOf(looks: readonly ScreenersLook[]): string[] {
  return [...new Set(looks.flatMap(({ screeners }) => screeners.items.map(({ type }) => type)))];
}

/** Ignores the order of keys and of screeners: neither is a setting. */
function areSame(one: Screeners, other: Screeners, type?: string): boolean {
  const itemsOf = ({ items }: Screeners) =>
    items.filter((item) => matches(item.type, type)).sort((x, y) => (x.type < y.type ? -1 : 1));
  return isDeepStrictEqual(itemsOf(one), itemsOf(other));
}
