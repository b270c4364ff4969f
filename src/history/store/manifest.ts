/**
 * `export.json`: whose history it is, what of the list is covered, and what is still to be bought. Small whatever the
 * history's size: what is awaited is found again by scanning the months that await something.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { formatApiTime, parseApiTime } from '../../api/time.ts';
import { ScreenerError } from '../../errors.ts';
import { readPlainFile, replaceFile, storing } from '../../runtime/files.ts';
import { utcDay } from '../../runtime/units.ts';
import { MANIFEST_FILE, MONTH } from './layout.ts';

/** Bytes; some kilobytes as a rule. */
const LARGEST_MANIFEST = 64 << 20;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const Span = v.object({ since: time, until: time });

/** A look back for cards that were recorded late. */
const LookBack = v.object({
  at: time,
  /** How far it went behind the look before, milliseconds: cards recorded later than that are not found. */
  back: count,
  /** When a late card was last found; before the first one, when the history began. */
  late_at: time,
  /** The largest lateness that was seen, milliseconds; at least so late. */
  late_by: count,
});

/** `export.json` before there were spans: one covered window, with gaps. */
function fromOneWindow(value: Record<string, unknown>): Record<string, unknown> {
  const { covered, begun } = value as { covered?: { since: string; until: string } | null; begun?: boolean };
  if (covered === undefined || covered === null) return value;
  const { since, until } = covered;
  const look = { at: until, back: 0, late_at: until, late_by: 0 };
  return { ...value, spans: [covered], begins_at: begun ? since : null, look };
}

const coverage = {
  /** Parts of the list of which every card is here, newest first; they do not touch. */
  spans: v.optional(v.array(Span), []),
  /** Parts of the spans that the service did not give: asked for again once a day. */
  gaps: v.optional(v.array(Span), []),
  /** Nothing was listed before. */
  begins_at: v.optional(v.nullable(time), null),
  look: v.optional(v.nullable(LookBack), null),
};

export const Coverage = v.pipe(v.record(v.string(), v.unknown()), v.transform(fromOneWindow), v.object(coverage));

/** A card of which the outcome was asked for and is not settled. */
export const Asked = v.object({
  /** How often its detail was bought. */
  times: count,
  /** When it was last asked for. */
  at: time,
  /** How often in a row it could not be had since. */
  failed: v.optional(count, 0),
  /** Whether the server said the last time that there is no such card. */
  not_found: v.optional(v.boolean(), false),
});

/** How late outcomes come after their 24 h, and whether a second purchase brings one. */
const Lateness = v.object({
  /** Of the last outcomes that were there, the latest last: milliseconds after the 24 h. */
  settled: v.array(v.number()),
  /** Whether the last first purchases found an outcome. */
  firsts: v.array(v.boolean()),
  /** The last second purchases: epoch milliseconds UTC, and whether they brought an outcome. */
  seconds: v.array(v.object({ at: v.number(), settled: v.boolean() })),
});

/** What was done on a UTC day. */
const Day = v.object({
  day: v.string(),
  runs: count,
  outcomes: count,
  /** Credits that runs spent. */
  credits: v.optional(count, 0),
  /** Outcomes due that the day's last run left, other than for the pace of the month. */
  backlog: count,
});

const share = v.object({ due: count, bought: count });

/** How many of the outcomes that are due were bought, of the cards of so many days; by type and by UTC day. */
const BoughtShare = v.object({
  days: count,
  ...share.entries,
  by_type: v.record(v.string(), share),
  by_day: v.record(v.string(), share),
});

const Remaining = v.object({
  /** Whether a part of the list is still to be walked. */
  list: v.boolean(),
  /** Outcomes that could be bought now. */
  outcomes_due: count,
  /** Outcomes whose time has not come. */
  outcomes_later: count,
});

const manifest = v.object({
  version: v.literal(1),
  /** Hash of base URL and key; null adopts the next account that runs here. */
  account: v.optional(v.nullable(v.string()), null),
  /** Whether the last run did everything there was to do. */
  complete: v.optional(v.boolean(), false),
  remaining: v.optional(Remaining, { list: true, outcomes_due: 0, outcomes_later: 0 }),
  last_run: v.optional(
    v.nullable(v.looseObject({ started_at: time, finished_at: time, stopped_by: v.nullable(v.string()) })),
    null,
  ),
  /** When a run last ended without an error; a budget that was reached is none. */
  last_success: v.optional(v.nullable(time), null),
  ...coverage,
  /** By UTC month of `created_at`: lines, and how many of them still wait for an outcome. */
  months: v.optional(v.record(v.pipe(v.string(), v.regex(MONTH)), v.object({ cards: count, awaiting: count })), {}),
  asked: v.optional(v.record(v.string(), Asked), {}),
  lateness: v.fallback(Lateness, { settled: [], firsts: [], seconds: [] }),
  days: v.optional(v.array(Day), []),
  bought: v.optional(v.nullable(BoughtShare), null),
  /** Screener types whose outcomes were bought before others': what was bought is then no fair sample of all types. */
  focus: v.optional(v.array(v.string()), []),
  /** When the statistics of a screener type could not be had. */
  stats_failed: v.optional(v.record(v.string(), time), {}),
  /** When `/screeners` last answered for this history, and when it last failed. */
  screeners_at: v.optional(v.nullable(time), null),
  screeners_failed: v.optional(v.nullable(time), null),
  /** Ids whose detail the server answered with 404: not asked again, the card stays. */
  gone: v.optional(v.array(count), []),
});

const Manifest = v.pipe(v.record(v.string(), v.unknown()), v.transform(fromOneWindow), manifest);

export type StoredSpan = v.InferOutput<typeof Span>;
export type LookBack = v.InferOutput<typeof LookBack>;
export type Coverage = v.InferOutput<typeof Coverage>;
export type Asked = v.InferOutput<typeof Asked>;
export type Lateness = v.InferOutput<typeof Lateness>;
export type Day = v.InferOutput<typeof Day>;
export type BoughtShare = v.InferOutput<typeof BoughtShare>;
export type ExportManifest = v.InferOutput<typeof Manifest>;

/** Of a history in which no run has ended. */
export function emptyManifest(account: string): ExportManifest {
  return v.parse(Manifest, { version: 1, account });
}

/** What of the list is here. */
export function coverageOf(manifest: ExportManifest): Coverage {
  return v.parse(Coverage, manifest);
}

/**
 * Until when a history can say that there was no card.
 * @returns epoch milliseconds UTC, `now` at most; `now` where the manifest does not say
 */
export function knownUntil(manifest: Pick<ExportManifest, 'spans'> | undefined, now: number): number {
  return Math.min(now, parseApiTime(manifest?.spans[0]?.until ?? '') ?? now);
}

/**
 * Without times that lie after now, which a wrong clock has left: what was done then counts as done now. What is
 * covered stays as it is: if the clock is wrong now, all of it would be bought again. Pure.
 * @param now epoch milliseconds UTC
 */
export function withoutFuture(manifest: ExportManifest, now: number): ExportManifest {
  const isFuture = (value: unknown) => typeof value === 'string' && (parseApiTime(value) ?? now) > now;
  return {
    ...JSON.parse(JSON.stringify(manifest), (_, value) => (isFuture(value) ? formatApiTime(now) : value)),
    ...coverageOf(manifest),
    days: manifest.days.filter(({ day }) => day <= utcDay(now)),
  };
}

/** Whether the settings of the screeners were not asked for on this UTC day. @param now epoch milliseconds UTC */
export function isScreenersDue(
  { screeners_at, screeners_failed }: Pick<ExportManifest, 'screeners_at' | 'screeners_failed'>,
  now: number,
): boolean {
  return ![screeners_at, screeners_failed].some((at) => at?.startsWith(utcDay(now)));
}

/** Cards in the month files. */
export function cardsIn({ months }: Pick<ExportManifest, 'months'>): number {
  return Object.values(months).reduce((sum, month) => sum + month.cards, 0);
}

/**
 * Reads `export.json`.
 * @returns undefined where there is none
 * @throws ScreenerError storage, where it cannot be read or is damaged
 */
export async function loadManifest(directory: string): Promise<ExportManifest | undefined> {
  const path = join(directory, MANIFEST_FILE);
  const bytes = await storing(`read ${path}`, () => readPlainFile(path, LARGEST_MANIFEST));
  if (bytes === undefined) return undefined;
  try {
    return v.parse(Manifest, JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new ScreenerError('storage', `${path} is damaged: ${(cause as Error).message}`, {
      hint: 'Restore it from a backup, or export into a new directory. The month files beside it can still be read.',
      cause,
    });
  }
}

/** @throws ScreenerError storage */
export async function saveManifest(directory: string, manifest: ExportManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await replaceFile(join(directory, MANIFEST_FILE), text);
}
