/**
 * `screeners.ndjson`: the answers of `/screeners` that differ from the one before, so that figures can name a change of
 * settings within their window.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { Screeners } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { appendLine, storing } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { DAY } from '../../runtime/units.ts';
import { SCREENERS_FILE } from './layout.ts';
import { readValues, timestamp } from './lines.ts';

/** One look at the settings. */
const Look = v.object({
  /** When it was, epoch milliseconds UTC. The settings changed at some time between the look before and this one. */
  at: timestamp,
  /** When the look before it was, which still gave the answer before; absent where that was not kept. */
  before: v.optional(timestamp),
  screeners: Screeners,
});

export type ScreenersLook = v.InferOutput<typeof Look>;

/** The looks that differ, oldest first. @throws ScreenerError storage */
export function readScreenersLog(directory: string): Promise<ScreenersLook[]> {
  return readValues(join(directory, SCREENERS_FILE), Look);
}

/**
 * Adds an answer where it differs from the last one. Needs no lock: two at once may add the same, which is no change.
 * @param now epoch milliseconds UTC
 * @param before when the look before was, ISO 8601 UTC; null where that is not known
 * @throws ScreenerError storage
 */
export async function appendScreeners(
  directory: string,
  answer: Screeners,
  now: number,
  before: string | null,
): Promise<void> {
  const last = (await readScreenersLog(directory)).at(-1);
  if (last !== undefined && canonical(last.screeners) === canonical(answer)) return;
  const path = join(directory, SCREENERS_FILE);
  const line = jsonText({ at: formatApiTime(now), ...(before === null ? {} : { before }), screeners: answer });
  await storing(`write ${path}`, () => appendLine(path, line));
}

export interface SettingsChange {
  /** When a look first found it, epoch milliseconds UTC. It happened at some time since the look before. */
  readonly at: number;
  /** Screener types that changed, came or went. */
  readonly types: readonly string[];
}

/**
 * The changes that looks within a window found, oldest first. Pure.
 * @param looks oldest first
 * @param type the only screener type that matters; undefined for all
 */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, type }: { since: number; until: number; type?: string | undefined },
): SettingsChange[] {
  return looks.flatMap(({ at, screeners }, i) => {
    const before = looks[i - 1]?.screeners;
    if (before === undefined || at <= since || at > until) return [];
    const named = new Set([...before.items, ...screeners.items].map((item) => item.type));
    const changed = [...named].filter(
      (one) => (type === undefined || one === type) && canonical(before, one) !== canonical(screeners, one),
    );
    return changed.length === 0 ? [] : [{ at, types: changed }];
  });
}

/** A time in which the settings of a type are known to have been the same. */
export interface SettingsPeriod {
  /** When a look first saw them; the first ones are taken to have held before. Epoch milliseconds UTC. */
  readonly since: number;
  /** When a look last saw them; infinite for those of now. */
  readonly until: number;
  /** The screeners of the type: several may share it. */
  readonly settings: readonly Pick<Screeners['items'][number], 'active' | 'conditions'>[];
}

/**
 * Pure.
 * @param looks oldest first
 * @returns oldest first; empty where nobody ever looked
 */
export function settingsPeriods(looks: readonly ScreenersLook[], type: string): SettingsPeriod[] {
  const periods: SettingsPeriod[] = [];
  for (const [i, { at, before, screeners }] of looks.entries()) {
    const last = looks[i - 1];
    if (last !== undefined && canonical(last.screeners, type) === canonical(screeners, type)) continue;
    const previous = periods.pop();
    // Where it was not kept when the look before was: a day, because exports look once a day.
    if (previous !== undefined) periods.push({ ...previous, until: Math.max(previous.since, before ?? at - DAY) });
    const settings = screeners.items.filter((item) => item.type === type);
    periods.push({
      since: previous === undefined ? Number.NEGATIVE_INFINITY : at,
      until: Number.POSITIVE_INFINITY,
      settings: settings.map(({ active, conditions }) => ({ active, conditions })),
    });
  }
  return periods;
}

/**
 * Since when the settings hold under which each type was last switched on; of types that changed alone. Epoch milliseconds
 * UTC. Pure.
 * @param looks oldest first
 * @param until looks up to then, epoch milliseconds UTC
 */
export function presentSettings(looks: readonly ScreenersLook[], until: number): ReadonlyMap<string, number> {
  const seen = looks.filter(({ at }) => at <= until);
  const types = new Set(seen.flatMap(({ screeners }) => screeners.items.map(({ type }) => type)));
  return new Map(
    [...types].flatMap((type) => {
      const active = settingsPeriods(seen, type).filter(({ settings }) => settings.some((one) => one.active));
      const since = active.at(-1)?.since ?? Number.NEGATIVE_INFINITY;
      return Number.isFinite(since) ? [[type, since] as const] : [];
    }),
  );
}

/**
 * Equal for answers that say the same: neither the order of keys nor the order of screeners is a setting.
 * @param type the only screener type that is compared; undefined for all
 */
function canonical({ items }: Screeners, type?: string): string {
  const meant = items.filter((item) => type === undefined || item.type === type);
  return JSON.stringify(meant.map((item) => jsonText(sorted(item))).sort());
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
