/** What the service said besides cards: `screeners.ndjson`, where it differs from the answer before, and `stats.ndjson`. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { Screeners, SignalStats } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../outcomes/row.ts';
import type { ServiceAnswer } from '../../outcomes/service-answers.ts';
import { appendLine } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { DAY } from '../../runtime/units.ts';
import { SCREENERS_FILE, STATS_FILE } from './layout.ts';
import { readValues, timestamp } from './lines.ts';

const StatsLine = v.object({
  asked_at: timestamp,
  type: v.string(),
  stats: SignalStats,
});

/** @returns oldest first @throws ScreenerError storage */
export async function readStatsLog(directory: string): Promise<ServiceAnswer[]> {
  const { values } = await readValues(join(directory, STATS_FILE), StatsLine);
  return values.sort((a, b) => a.asked_at - b.asked_at).map(({ asked_at: at, type, stats }) => ({ at, type, stats }));
}

/** Needs no lock: it writes once, and readers pass over a line that was cut off. @throws ScreenerError storage */
export async function appendStats(directory: string, ...answers: readonly ServiceAnswer[]): Promise<void> {
  const lines = answers.map(({ at, type, stats }) => jsonText({ asked_at: formatApiTime(at), type, stats }));
  await appendLine(join(directory, STATS_FILE), lines.join('\n'));
}

const Look = v.object({
  /** Epoch milliseconds UTC; the settings changed since the look before. */
  at: timestamp,
  /** Time of the last look that gave the answer before, if an export took it. */
  before: v.optional(timestamp),
  screeners: Screeners,
});

export type ScreenersLook = v.InferOutput<typeof Look>;

/** @returns oldest first @throws ScreenerError storage */
export async function readScreenersLog(directory: string): Promise<ScreenersLook[]> {
  return (await readValues(join(directory, SCREENERS_FILE), Look)).values;
}

/** Needs no lock: two at once may add the same, which is no change. @throws ScreenerError storage */
export async function appendScreeners(
  directory: string,
  answer: Screeners,
  now: number,
  before: string | null,
): Promise<void> {
  const last = (await readScreenersLog(directory)).at(-1);
  if (last !== undefined && areSame(last.screeners, answer)) return;
  const path = join(directory, SCREENERS_FILE);
  const line = jsonText({ at: formatApiTime(now), ...(before === null ? {} : { before }), screeners: answer });
  await appendLine(path, line);
}

export interface SettingsChange {
  /** Epoch milliseconds UTC; it happened at some time since the look before. */
  readonly at: number;
  readonly types: readonly string[];
}

/** @param looks oldest first @param type the only screener type that matters; undefined for all */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, type }: { since: number; until: number; type?: string | undefined },
): SettingsChange[] {
  const types = type === undefined ? typesOf(looks) : [type];
  const changes = types.flatMap((one) => settingsPeriods(looks, one).map((period) => ({ at: period.since, one })));
  const meant = changes.filter(({ at }) => at > Math.max(since, Number.MIN_SAFE_INTEGER) && at <= until);
  const byTime = [...groupBy(meant, ({ at }) => at)].sort(([a], [b]) => a - b);
  return byTime.map(([at, all]) => ({ at, types: all.map(({ one }) => one) }));
}

export interface SettingsPeriod {
  /** Epoch milliseconds UTC; the first settings are taken to have held before. */
  readonly since: number;
  /** Epoch milliseconds UTC; infinite for those of now. */
  readonly until: number;
  readonly settings: readonly Pick<Screeners['items'][number], 'active' | 'conditions'>[];
}

/** @param looks oldest first @returns oldest first */
export function settingsPeriods(looks: readonly ScreenersLook[], type: string): SettingsPeriod[] {
  const periods: SettingsPeriod[] = [];
  for (const [i, { at, before, screeners }] of looks.entries()) {
    const last = looks[i - 1];
    if (last !== undefined && areSame(last.screeners, screeners, type)) continue;
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

/** Names only types that changed. @param looks oldest first @returns epoch milliseconds UTC */
export function presentSettings(looks: readonly ScreenersLook[], until: number): ReadonlyMap<string, number> {
  const seen = looks.filter(({ at }) => at <= until);
  return new Map(
    typesOf(seen).flatMap((type) => {
      const active = settingsPeriods(seen, type).filter(({ settings }) => settings.some((one) => one.active));
      const since = active.at(-1)?.since ?? Number.NEGATIVE_INFINITY;
      return Number.isFinite(since) ? [[type, since] as const] : [];
    }),
  );
}

function typesOf(looks: readonly ScreenersLook[]): string[] {
  return [...new Set(looks.flatMap(({ screeners }) => screeners.items.map(({ type }) => type)))];
}

/** Ignores the order of keys and of screeners: neither is a setting. */
function areSame(one: Screeners, other: Screeners, type?: string): boolean {
  const [a, b] = [one, other].map(({ items }) =>
    items.filter((item) => type === undefined || item.type === type).sort((x, y) => (x.type < y.type ? -1 : 1)),
  );
  return isDeepStrictEqual(a, b);
}
