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
import { HOUR, MINUTE, utcDay } from '../../runtime/units.ts';
import { MANIFEST_FILE, MONTH } from './layout.ts';

/** Bytes; some kilobytes as a rule. */
const LARGEST_MANIFEST = 64 << 20;

/** The document does not say when an outcome is measured: how long after the 24 h learning begins. Milliseconds. */
export const LEAST_MARGIN = 10 * MINUTE;

/** How far the first runs look back for cards that were recorded late, before anything is known of them. */
const NO_LOOK_BACK = { length: 12 * HOUR, at: null, sorted: true };

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A walk through the list that is not finished. It goes back from its end to its goal, window by window. */
const Walk = v.object({
  /** How far back it is to go in all. */
  goal: time,
  /** Its end, frozen when it began. */
  until: time,
  /** The window now walked. */
  since: time,
  window_until: time,
  /**
   * The `until` its cursors belong to: later than the window's where the server rounds it down; null where the server
   * took none, as it may where its clock is behind this machine's.
   */
  query_until: v.nullable(time),
  /** From the last page; null before the window's first one. */
  cursor: v.nullable(v.string()),
  /** `created_at` of the window's oldest card so far. */
  oldest: v.nullable(time),
  /** Whether the window's pages so far came in order of `created_at`, newest first. */
  sorted: v.optional(v.boolean(), false),
  /** Whether the window may be one of `last_seen_at`, as far as its pages so far show. */
  seen_again: v.optional(v.boolean(), false),
  /** Whether it is walked once more from its end, for cards that moved up meanwhile. */
  checking: v.optional(v.boolean(), false),
  /** The longest window the server takes, milliseconds, once it refused one. */
  span: v.optional(v.nullable(count), null),
  /** The end of the earliest of the windows without a card that were walked last. */
  empty_from: v.optional(v.nullable(time), null),
  /** Whether the server refused in an earlier run to give a part of it in any way. */
  refused: v.optional(v.boolean(), false),
});

export const Coverage = v.object({
  /** The window of which every card is here; null before the first walk is finished. */
  covered: v.optional(v.nullable(v.object({ since: time, until: time })), null),
  walk: v.optional(v.nullable(Walk), null),
  /** A walk further back than the covered window that is to go on when there are credits for it. */
  older: v.optional(v.nullable(Walk), null),
  /** The last time the server listed nothing further back: what was asked for, and how far it went. */
  unreachable: v.optional(v.nullable(v.object({ asked: time, since: time })), null),
  /** Whether nothing was listed for so long before the covered window that the list may be taken to begin there. */
  begun: v.optional(v.boolean(), false),
  /** How late cards were recorded, as far as it showed; it fades. Milliseconds. */
  recorded_late: v.optional(count, 0),
  /** How far a run looks back for such cards, milliseconds; when one last did; whether pages come by `created_at`. */
  look_back: v.optional(
    v.object({ length: count, at: v.nullable(time), sorted: v.optional(v.boolean(), true) }),
    NO_LOOK_BACK,
  ),
  /** When the list was looked at, and how far back: the latest look at each time, newest first. */
  looks: v.optional(v.array(v.object({ at: time, since: time })), []),
  /** Parts of the covered window that the server refused to list. */
  gaps: v.optional(v.array(v.object({ since: time, until: time })), []),
});

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
  /** How long after the 24 h an outcome is bought; milliseconds. */
  margin: v.pipe(v.number(), v.minValue(0)),
  /** The first purchases made last, the latest last: milliseconds after the 24 h, and whether the outcome was there. */
  firsts: v.array(v.object({ late: v.number(), settled: v.boolean() })),
  /** Second and later purchases, and how many of them brought an outcome; both fade. */
  again: v.object({ bought: v.number(), settled: v.number() }),
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

const Manifest = v.object({
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
  ...Coverage.entries,
  /** By UTC month of `created_at`: lines, and how many of them still wait for an outcome. */
  months: v.optional(v.record(v.pipe(v.string(), v.regex(MONTH)), v.object({ cards: count, awaiting: count })), {}),
  asked: v.optional(v.record(v.string(), Asked), {}),
  lateness: v.fallback(Lateness, { margin: LEAST_MARGIN, firsts: [], again: { bought: 0, settled: 0 } }),
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

export type Walk = v.InferOutput<typeof Walk>;
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
export function knownUntil(manifest: Pick<ExportManifest, 'covered'> | undefined, now: number): number {
  return Math.min(now, parseApiTime(manifest?.covered?.until ?? '') ?? now);
}

/**
 * Without times that lie after now, which a wrong clock has left: what was done then counts as done now. What is covered
 * stays as it is: where the clock is wrong now, all of it would be bought again. Pure.
 * @param now epoch milliseconds UTC
 */
export function withoutFuture(manifest: ExportManifest, now: number): ExportManifest {
  const isFuture = (value: unknown) => typeof value === 'string' && (parseApiTime(value) ?? now) > now;
  return {
    ...JSON.parse(JSON.stringify(manifest), (_, value) => (isFuture(value) ? formatApiTime(now) : value)),
    ...coverageOf(manifest),
    days: manifest.days.filter(({ day }) => day <= utcDay(now)),
    looks: manifest.looks.filter((look) => Date.parse(look.at) <= now),
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
      hint: 'Restore it from a backup, or export into a new directory. The month files beside it are readable as they are.',
      cause,
    });
  }
}

/** @throws ScreenerError storage */
export async function saveManifest(directory: string, manifest: ExportManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await replaceFile(join(directory, MANIFEST_FILE), text);
}
