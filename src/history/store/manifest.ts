/**
 * `export.json`, the manifest: what the files beside it do not say. It stays small however large the history is: it does not list
 * the cards that await an outcome, because the month files show them.
 */

import { join } from 'node:path';
import { sum } from 'd3-array';
import * as v from 'valibot';
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { byName, count, time } from '../../api/contract/primitives.ts';
import { at } from '../../api/time.ts';
import { DAY, HOUR, MINUTE, utcDay } from '../../base/units.ts';
import { ScreenerError } from '../../errors.ts';
import { RATE_DAYS } from '../../outcomes/rate.ts';
import type { Sittings } from '../../outcomes/service-answers.ts';
import type { Notes } from '../../runtime/context.ts';
import { replaceFile, withStorageErrors } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { readPlainFile } from '../../runtime/plain-file.ts';
import { withoutFuture } from './clamp.ts';
import { isFinal, Observations } from './final.ts';
import { MANIFEST_FILE } from './layout.ts';
import { LARGEST_FILE } from './lines.ts';
import { PartStates } from './part-states.ts';

const optionalTime = v.optional(v.nullable(time), null);

const StoredSpan = v.object({ since: time, until: time });

/** A part of the list of which a month file has lost cards. */
const LostPart = v.object({
  ...StoredSpan.entries,
  /**
   * How many cards the month file had in all parts of the loss before it lost some; absent in files that an older program wrote.
   */
  cards: v.exactOptional(count),
  /** The whole loss, if it has several parts, because a gap lies in it; otherwise absent. */
  loss: v.exactOptional(StoredSpan),
});

/** A look back reads the newest part of the list a second time, to find cards that were recorded late. */
const LookBack = v.object({
  /** When a run last looked back. */
  at: time,
  /** How far it looked back, milliseconds. A card that is recorded later than this after its `created_at` is never found. */
  back: count,
  /** When a look last found a late card. Before the first late card: when a run first looked back. */
  late_at: time,
  /** How late the latest of all late cards was recorded, milliseconds after `created_at`. */
  late_by: count,
});

/** A part of the list that was asked for, and that the service did not give. */
const Gap = v.object({
  ...StoredSpan.entries,
  /** When the gap was last asked for; absent in files that an older program wrote. */
  at: v.optional(time, '1970-01-01T00:00:00Z'),
  /** How often the gap was asked for. The more often, the longer runs wait before they ask again. */
  times: v.optional(count, 0),
  /**
   * Not where the gap begins: when runs saw the list begin at its end, `until`; absent if none did. A second UTC day must confirm it. If the part has lost cards, the
   * list once began earlier.
   */
  begin: v.optional(Observations),
});

export const Coverage = v.object({
  /** Parts of the list that were read. Newest first; they do not touch. */
  spans: v.optional(v.array(StoredSpan), []),
  /** Unread parts that runs leave out until they are due. */
  gaps: v.optional(v.array(Gap), []),
  /**
   * Parts of which a month file has lost cards, and that are therefore read again. They stay here until all of them is read. Nothing
   * is judged until the service has answered about them.
   */
  lost: v.optional(v.array(LostPart), []),
  /** Where the list begins; null if that is not known. */
  begins_at: optionalTime,
  /** The oldest time asked for by the runs that found where the list begins. A run with an older `--since` asks again. */
  begins_since: optionalTime,
  /** The last look back for cards that were recorded late; null before the first one. */
  look: v.optional(v.nullable(LookBack), null),
});

/** The requests for the detail of one card. */
export const DetailRequests = v.object({
  /** How often the detail came; in the manifest, how often it came after the card's 24 hours were over. */
  times: count,
  /** When the detail was last asked for. */
  at: time,
  /** How many requests have failed since the detail last came. */
  failed: v.optional(count, 0),
  /** Whether the last answer was 404. */
  not_found: v.optional(v.boolean(), false),
  /** When the service first answered 404; absent if no run that got a 404 has heard the service's time. */
  not_found_since: v.exactOptional(time),
  /** When the service last answered 404 to such a run; absent with `not_found_since`. */
  not_found_at: v.exactOptional(time),
});

/** How late recent outcomes came. Each list has the last 20 purchases, the newest at its end. */
const Lateness = v.object({
  /**
   * How long after the card's 24 hours its outcome came at the latest, milliseconds: one time for each purchase that brought a
   * settled outcome. If many first purchases brought none, one longer time replaces all others.
   */
  settled: v.array(v.number()),
  /** Whether each first purchase of a card brought a settled outcome. */
  firsts: v.array(v.boolean()),
  /** When each second or later purchase of a card was, epoch milliseconds UTC, and whether it brought a settled outcome. */
  seconds: v.array(v.object({ at: v.number(), settled: v.boolean() })),
});

/** What the runs of a UTC day did. */
const Day = v.object({
  /** `2026-11-20`. */
  day: v.string(),
  runs: count,
  /** Purchases of outcomes. A card that was bought twice counts twice. */
  outcomes: count,
  /** How many of these purchases brought a settled outcome; absent in files that an older program wrote, like `credits`. */
  settled: v.optional(count, 0),
  credits: v.optional(count, 0),
  /** Due outcomes that the day's last run did not buy. 0 if it left them on purpose: for the pace, --keep or SCREENER_DAILY. */
  backlog: count,
});

/** Cards by how their outcome stands. */
const Counts = v.object({
  /** Outcomes that are due: the sum of `bought`, `to_buy` and `gone`. */
  due: count,
  bought: count,
  /** Outcomes that are bought, but had no figure yet. `bought` counts them, too. */
  pending: count,
  to_buy: count,
  not_due: count,
  /** Cards that were gone from the service before their outcome was bought. */
  gone: count,
});

/** The cards that a month file lacks. */
const MissingCards = v.object({
  /** When a run first saw it; absent if no run that saw it has heard the service's time. */
  first: v.exactOptional(time),
  /** How many cards. */
  cards: count,
});

const CountsOfMonth = v.object({
  /** Cards in the file when the last run ended. */
  cards: count,
  /** How many of these cards await an outcome. */
  awaiting: count,
  /** Cards that the file once had, and lacked at the last run. */
  missing: v.exactOptional(MissingCards),
});

/** When the service's medians of a screener type are asked for. */
const MediansOfType = v.object({
  /** How many cards of the last 30 days have a due outcome. */
  outcomes: count,
  /** Days between two answers; null if this type is not asked for. */
  every_days: v.nullable(count),
  /** Why the type is not asked for; null if it is. */
  why_not: v.nullable(v.picklist(['few_outcomes', 'all_bought', 'switched_off'])),
  /** When the last answer came; null if none did. */
  asked_at: v.nullable(time),
  /** When the next answer is due; null if this type is not asked for. It may lie ahead of now. */
  next_at: v.nullable(time),
});

/** The version of the layout of a history's files. */
const VERSION = 1;

const Manifest = v.object({
  version: v.literal(VERSION),
  /** Hash of base URL and key. */
  account: v.string(),
  /** Whether the last run left nothing undone. */
  complete: v.optional(v.boolean(), false),
  /** What the last run left: whether a part of the list, how many outcomes to buy, and how many that can be bought later. */
  remaining: v.optional(
    v.object({ list: v.boolean(), outcomes_due: count, outcomes_later: count }),
    {
      list: true,
      outcomes_due: 0,
      outcomes_later: 0,
    },
  ),
  last_run: v.optional(
    v.nullable(
      v.looseObject({
        started_at: time,
        finished_at: time,
        /** What ended the run before all was done; null if all was done. */
        stopped_by: v.nullable(v.string()),
        /** Its --since; absent if it had none. */
        since: v.exactOptional(time),
      }),
    ),
    null,
  ),
  /** When a run last ended without an error. A run that a budget ended had none. */
  last_success: optionalTime,
  ...Coverage.entries,
  /** What the file of each UTC month has. */
  months: v.optional(v.record(v.string(), CountsOfMonth), {}),
  /** The requests for the detail of each card, by the card's id. A card whose outcome is settled has no entry any more. */
  asked: v.optional(v.record(v.string(), DetailRequests), {}),
  lateness: v.fallback(Lateness, { settled: [], firsts: [], seconds: [] }),
  days: v.optional(v.array(Day), []),
  counts: v.optional(v.nullable(Counts), null),
  /** The share of due outcomes that is bought, by type and day. It is written for users; the program never reads it. */
  bought: v.optional(v.unknown(), null),
  /**
   * Screener types whose outcomes were ever bought first. If the list has a type, the bought outcomes are no fair sample of all
   * types.
   */
  focus: v.optional(v.array(v.string()), []),
  /** When a run last had each screener type in its --focus, by type. */
  focus_at: v.fallback(v.optional(byName(time), {}), {}),
  /** How each part of an export ended: list, details, settings and medians. */
  parts: v.optional(PartStates, {}),
  /** Ids of the cards whose details failed one after the other, in this run or in earlier ones. The newest is the last. */
  failed_in_a_row: v.optional(v.array(v.number()), []),
  /** When requests for settings and medians last failed, by their name: `screeners`, or `stats TYPE`. */
  refused: v.optional(v.record(v.string(), time), {}),
  /** When the screeners' settings were last recorded. */
  screeners_at: optionalTime,
  /** The plan of the service's medians, by screener type. */
  medians: v.fallback(v.optional(byName(MediansOfType), {}), {}),
  /** When the cards were last judged. */
  judged_at: optionalTime,
  /**
   * What one judgement has said, and another of a second UTC day must say before the notebook gets it, by what it is about: that a
   * verdict of the notebook is withdrawn, that a change of settings helped or hurt, or that a doubt begins or ends.
   */
  awaiting: v.optional(v.record(v.string(), Observations), {}),
});

export type StoredSpan = v.InferOutput<typeof StoredSpan>;
export type LostPart = v.InferOutput<typeof LostPart>;
export type Gap = v.InferOutput<typeof Gap>;
export type LookBack = v.InferOutput<typeof LookBack>;
export type Coverage = v.InferOutput<typeof Coverage>;
export type MissingCards = v.InferOutput<typeof MissingCards>;
export type CountsOfMonth = v.InferOutput<typeof CountsOfMonth>;
export type MediansOfType = v.InferOutput<typeof MediansOfType>;
export type DetailRequests = v.InferOutput<typeof DetailRequests>;
export type Lateness = v.InferOutput<typeof Lateness>;
export type ExportManifest = v.InferOutput<typeof Manifest>;

export function emptyManifest(account: string): ExportManifest {
  return v.parse(Manifest, { version: VERSION, account });
}

export function coverageOf(manifest: ExportManifest): Coverage {
  return v.parse(Coverage, manifest);
}

/**
 * Until when exports have listed the cards.
 * @returns epoch milliseconds UTC, `now` at most; undefined if no export has listed cards
 */
export function listedUntil(
  manifest: Pick<ExportManifest, 'spans' | 'gaps'> | undefined,
  now: number,
): number | undefined {
  if (manifest === undefined || manifest.spans.length === 0) return undefined;
  // The newest part may be a gap: the service was asked for it.
  const ends = [...manifest.spans, ...manifest.gaps].map(({ until }) => at(until));
  return Math.min(now, Math.max(...ends));
}

/** Until when exports have listed the cards, epoch milliseconds UTC; `now` if none has listed cards, because this run will. */
export function knownUntil(manifest: Pick<ExportManifest, 'spans' | 'gaps'>, now: number): number {
  return listedUntil(manifest, now) ?? now;
}

/** The margin is how long after a card's 24 hours its outcome is asked for. These are its bounds, milliseconds. */
const LEAST_MARGIN = 10 * MINUTE;
export const MOST_MARGIN = 6 * DAY;

/**
 * How long after `created_at` an outcome is due, milliseconds: 24 hours and a margin. The margin is the greatest lateness among the
 * last 20 outcomes, but at least 10 minutes and at most 6 days. If the latest came 40 minutes late, outcomes are due after 24 hours
 * and 40 minutes.
 */
export function dueAfter({ settled }: Pick<Lateness, 'settled'>): number {
  return OUTCOME_MILLIS + Math.min(MOST_MARGIN, Math.max(LEAST_MARGIN, ...settled));
}

/** The outcomes of cards that were created until this time were due at the last export. Epoch milliseconds UTC. */
export function dueUntil(manifest: ExportManifest | undefined, now: number): number {
  const lastRun = manifest?.last_run ?? null;
  const lastRunEnd = lastRun === null ? now : Math.min(now, at(lastRun.finished_at));
  return lastRunEnd - dueAfterIn(manifest);
}

/** How long after `created_at` the exports of a history take an outcome for due, milliseconds. */
export function dueAfterIn(manifest: Pick<ExportManifest, 'lateness'> | undefined): number {
  return dueAfter(manifest?.lateness ?? { settled: [] });
}

/**
 * A type counts as bought first until 36 hours after a run that had it in its --focus, whatever runs come after. A daily cron job
 * may export with --focus, and `today --refresh` without. Milliseconds.
 */
const FOCUS_LASTS = 36 * HOUR;

/** The screener types that the last runs bought first; empty if there are none. */
export function typesInFocus(manifest: ExportManifest | undefined): ReadonlySet<string> {
  const types = new Set<string>();
  if (manifest === undefined || manifest.last_run === null) return types;
  const lastRunEnd = at(manifest.last_run.finished_at);
  for (const [type, time] of Object.entries(manifest.focus_at)) {
    if (at(time) >= lastRunEnd - FOCUS_LASTS) types.add(type);
  }
  return types;
}

/** With fewer days, it is not known how many outcomes exports buy a day: 7 days in a row have each weekday. */
const LEAST_DAYS = 7;

/**
 * How many outcomes exports have bought a day. A purchase that brought none does not count: the card is bought again. This is
 * the mean of at most 28 whole UTC days. Days without a run count, too. The day of the last run does not count, because it may
 * not be over.
 * @returns undefined if fewer than 7 days are known, or if none of them had a run: exports paused
 */
export function outcomesPerDay({ days }: Pick<ExportManifest, 'days'>): number | undefined {
  const [firstDay] = days;
  const lastDay = days.at(-1);
  if (firstDay === undefined || lastDay === undefined) return undefined;
  const end = Date.parse(lastDay.day);
  const begin = Math.max(Date.parse(firstDay.day), end - RATE_DAYS * DAY);
  const length = (end - begin) / DAY;
  if (length < LEAST_DAYS) return undefined;
  const isCounted = (time: number) => time >= begin && time < end;
  const daysOfRuns = days.filter(({ day }) => isCounted(Date.parse(day)));
  if (daysOfRuns.length === 0) return undefined;
  return sum(daysOfRuns, ({ settled }) => settled) / length;
}

/**
 * The manifest without times after now, which a wrong clock left: they become now. Two kinds of times may lie after now:
 * - when the next answer about a type is due, because it is planned. Each run plans it anew;
 * - the times of the coverage. A clock that is behind would cut off what was read, and a run would read it again. If the times
 *   are wrong, a run corrects them when it reads the list.
 * @param now epoch milliseconds UTC
 */
export function manifestWithoutFuture(manifest: ExportManifest, now: number): ExportManifest {
  return {
    ...withoutFuture(manifest, now),
    ...coverageOf(manifest),
    medians: manifest.medians,
    days: manifest.days.filter(({ day }) => day <= utcDay(now)),
  };
}

/**
 * When exports ask for each type's medians. The value of a type that they do not ask for is undefined.
 * @returns undefined if no export has planned any medians
 */
export function sittingsInManifest({
  medians,
}: Pick<ExportManifest, 'medians'>): ReadonlyMap<string, Sittings | undefined> | undefined {
  const types = Object.entries(medians);
  if (types.length === 0) return undefined;
  const sittings = new Map<string, Sittings | undefined>();
  for (const [type, { next_at, every_days }] of types) {
    const isAsked = next_at !== null && every_days !== null;
    sittings.set(type, isAsked ? { next: at(next_at), everyDays: every_days } : undefined);
  }
  return sittings;
}

/**
 * Whether the card is gone, so that its detail is not asked for again: on two UTC days the service answered 404 for it, while the
 * details of other cards came.
 */
export function isGone(requests: DetailRequests | undefined): boolean {
  if (requests === undefined || !requests.not_found) return false;
  return isFinal(notFoundObservations(requests));
}

/** When the service answered 404 for a card. A failure of another kind, such as a 500, refutes no 404. */
export function notFoundObservations({
  not_found_since: first,
  not_found_at: last,
}: DetailRequests): Observations | undefined {
  return first === undefined || last === undefined ? undefined : { first, last };
}

export function cardsIn({ months }: Pick<ExportManifest, 'months'>): number {
  return Object.values(months).reduce((sum, month) => sum + month.cards, 0);
}

/** How many cards a month file should have: those that it had when the last run ended, and those that it lacked then. */
export function expectedCards(counts: CountsOfMonth | undefined): number {
  if (counts === undefined) return 0;
  return counts.cards + (counts.missing?.cards ?? 0);
}

/** A month whose file lacks cards. */
export interface MonthWithMissing {
  /** `2026-11`. */
  readonly month: string;
  readonly missing: MissingCards;
}

/** The months whose files lacked cards at the last run. The month is not listed again yet. */
export function monthsWithMissing({
  months,
}: Pick<ExportManifest, 'months'>): readonly MonthWithMissing[] {
  const entries: MonthWithMissing[] = [];
  for (const [month, { missing }] of Object.entries(months))
    if (missing !== undefined) entries.push({ month, missing });
  return entries;
}

/** What was found in the place of `export.json`. */
export type StoredManifest =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly manifest: ExportManifest }
  | DamagedManifest;

/** A manifest that is cut off, or not as an export writes it. */
export interface DamagedManifest {
  readonly kind: 'damaged';
  readonly text: string;
  /** Why the file cannot be read as a manifest. */
  readonly cause: Error;
  /** The account whose history it is; undefined if that is lost, too. */
  readonly account: string | undefined;
}

/** @throws ScreenerError storage, if the file cannot be read, or another version of this program has written it */
export async function readManifest(directory: string): Promise<StoredManifest> {
  const path = join(directory, MANIFEST_FILE);
  const text = await withStorageErrors(`read ${path}`, () => readPlainFile(path, LARGEST_FILE));
  if (text === undefined) return { kind: 'none' };
  // The version is read by a pattern, because the text may be damaged.
  const version = /"version":\s*(\d+)/.exec(text)?.[1] ?? String(VERSION);
  if (version !== String(VERSION)) {
    throw new ScreenerError('storage', `${path} is of another version of screener (${version}).`, {
      hint: 'Use that version of screener, or export into a new directory.',
    });
  }
  try {
    return { kind: 'whole', manifest: v.parse(Manifest, JSON.parse(text)) };
  } catch (cause) {
    const account = /"account":\s*"([^"\\]+)"/.exec(text)?.[1];
    return { kind: 'damaged', text, cause: cause as Error, account };
  }
}

/** @returns undefined if there is no manifest @throws ScreenerError storage, as `readManifest`, and if the file is damaged */
export async function loadManifest(directory: string): Promise<ExportManifest | undefined> {
  const stored = await readManifest(directory);
  if (stored.kind === 'none') return undefined;
  if (stored.kind === 'whole') return stored.manifest;
  const { cause } = stored;
  throw new ScreenerError('storage', damageMessage(directory, stored), {
    hint: MADE_AGAIN,
    cause,
  });
}

/**
 * The manifest, for commands that can do without it. Warns if it is damaged.
 * @returns undefined if there is no manifest, or if it is damaged
 * @throws ScreenerError storage, if the file cannot be read, or another version of this program has written it
 */
export async function usableManifest(
  directory: string,
  notes: Pick<Notes, 'warn'>,
): Promise<ExportManifest | undefined> {
  const stored = await readManifest(directory);
  if (stored.kind === 'whole') return stored.manifest;
  if (stored.kind === 'damaged') notes.warn(`${damageMessage(directory, stored)}. ${MADE_AGAIN}`);
  return undefined;
}

/** What to do about a damaged manifest. */
const MADE_AGAIN =
  'The next `screener signals export` into this directory makes it again from the files beside it.';

function damageMessage(directory: string, { cause }: DamagedManifest): string {
  return `${join(directory, MANIFEST_FILE)} is damaged: ${cause.message}`;
}

export async function saveManifest(directory: string, manifest: ExportManifest): Promise<void> {
  await replaceFile(join(directory, MANIFEST_FILE), `${jsonText(manifest, 2)}\n`);
}
