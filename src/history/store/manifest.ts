/** `export.json`: small whatever the history's size; what is awaited is found again in the months. */
import { join } from 'node:path';
import * as v from 'valibot';
import { OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { count, time } from '../../api/contract/primitives.ts';
import { at, formatApiTime, parseApiTime } from '../../api/time.ts';
import { DAY, MINUTE, utcDay } from '../../base/units.ts';
import { ScreenerError } from '../../errors.ts';
import type { Sittings } from '../../outcomes/service-answers.ts';
import type { Notes } from '../../runtime/context.ts';
import { replaceFile, storing } from '../../runtime/files.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { readPlainFile } from '../../runtime/plain-file.ts';
import { withoutFuture } from './clamp.ts';
import { isFinal, Observations } from './final.ts';
import { MANIFEST_FILE } from './layout.ts';
import { LARGEST_FILE } from './lines.ts';
import { PartStates } from './part-states.ts';

const optionalTime = v.optional(v.nullable(time), null);

const Span = v.object({ since: time, until: time });

const LookBack = v.object({
  /** When a run last looked back. */
  at: time,
  /** How far it looked, milliseconds; cards recorded later than that are not found. */
  back: count,
  /** When a look last found a late card; until one does, when a run first looked back. */
  late_at: time,
  /** How late the latest card of all looks was, milliseconds. */
  late_by: count,
});

const Gap = v.object({
  ...Span.entries,
  /** When it was asked for last, and how often so far: again at growing intervals. */
  at: v.optional(time, '1970-01-01T00:00:00Z'),
  times: v.optional(count, 0),
  /** Where the list seems to begin at `until`: asked for again on the next UTC day. */
  begin: v.optional(Observations),
});

const coverage = v.object({
  /** Parts of the list that need no reading: read, or given up for now (see `gaps`). Newest first; they do not touch. */
  spans: v.optional(v.array(Span), []),
  /** What the service did not give, and is asked for again: parts of spans, or all that is older than the oldest span. */
  gaps: v.optional(v.array(Gap), []),
  begins_at: optionalTime,
  /** The oldest `--since` for which the list was found to begin there: an older one asks again. */
  begins_since: optionalTime,
  /** Of versions that took one refusal for the beginning of the list; read, and never written. */
  refuses_older: v.optional(v.boolean()),
  look: v.optional(v.nullable(LookBack), null),
});

export const Coverage = v.pipe(
  coverage,
  v.transform((stored) => withoutHastyBegin(stored)),
);

/** A beginning from one moment is a gap like others: it is asked for again. */
function withoutHastyBegin<T extends v.InferOutput<typeof coverage>>(
  stored: T,
): Omit<T, 'refuses_older'> {
  const { refuses_older, ...rest } = stored;
  const { begins_at, gaps } = stored;
  if (refuses_older !== true || begins_at === null) return rest;
  const before = { since: formatApiTime(0), until: begins_at, at: formatApiTime(0), times: 0 };
  return { ...rest, begins_at: null, gaps: [...gaps, before] };
}

export const Asked = v.object({
  times: count,
  at: time,
  /** How often in a row it could not be had since. */
  failed: v.optional(count, 0),
  not_found: v.optional(v.boolean(), false),
  /** When the service first said that it is not there. */
  not_found_since: v.exactOptional(time),
});

const Lateness = v.object({
  /** Of the last outcomes that came, newest last: milliseconds after it was due. */
  settled: v.array(v.number()),
  /** Whether the last first purchases, and the last second ones, brought an outcome; `at` in epoch milliseconds UTC. */
  firsts: v.array(v.boolean()),
  seconds: v.array(v.object({ at: v.number(), settled: v.boolean() })),
});

const Day = v.object({
  day: v.string(),
  runs: count,
  outcomes: count,
  credits: v.optional(count, 0),
  /** Outcomes due that the day's last run left, other than for the pace of the month. */
  backlog: count,
});

const Counts = v.object({
  due: count,
  bought: count,
  pending: count,
  to_buy: count,
  not_due: count,
  gone: count,
});

const MediansOfType = v.object({
  /** Outcomes that came due in the last 30 days. */
  outcomes: count,
  /** Days between two answers; null if none is asked for. */
  every_days: v.nullable(count),
  /** Why none is; null if one is. */
  why_not: v.nullable(v.picklist(['few_outcomes', 'all_bought', 'switched_off'])),
  /** When it was asked for last, and when it will be. */
  asked_at: v.nullable(time),
  next_at: v.nullable(time),
});

/** Of the layout of a history. */
const VERSION = 1;

const manifest = v.object({
  version: v.literal(VERSION),
  /** Hash of base URL and key. */
  account: v.string(),
  complete: v.optional(v.boolean(), false),
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
      v.looseObject({ started_at: time, finished_at: time, stopped_by: v.nullable(v.string()) }),
    ),
    null,
  ),
  /** When a run last ended without an error; a budget that was reached is none. */
  last_success: optionalTime,
  ...coverage.entries,
  months: v.optional(v.record(v.string(), v.object({ cards: count, awaiting: count })), {}),
  asked: v.optional(v.record(v.string(), Asked), {}),
  lateness: v.fallback(Lateness, { settled: [], firsts: [], seconds: [] }),
  days: v.optional(v.array(Day), []),
  counts: v.optional(v.nullable(Counts), null),
  /** For users: `share` of the survey. */
  bought: v.optional(v.unknown(), null),
  /** Screener types bought first: what was bought is then no fair sample of all types. */
  focus: v.optional(v.array(v.string()), []),
  /** How each part of an export stands. */
  parts: v.optional(PartStates, {}),
  /** Cards whose details could not be had, one after the other, in this run and earlier ones; newest last. */
  failed_in_a_row: v.optional(v.array(v.number()), []),
  /** When `screeners`, or the medians of `stats TYPE`, were refused last. */
  refused: v.optional(v.record(v.string(), time), {}),
  screeners_at: optionalTime,
  /** How often the service's medians are asked for, by screener type. */
  medians: v.fallback(v.optional(v.record(v.string(), MediansOfType), {}), {}),
  /** When the notebook was last asked for. */
  judged_at: optionalTime,
  /** Words of the notebook that a judgement no longer says, by what they are about. */
  withdrawals: v.optional(v.record(v.string(), Observations), {}),
  /** That a change of settings helped or hurt, as long as the notebook does not have it, by the change and the word. */
  effects: v.optional(v.record(v.string(), Observations), {}),
});

const Manifest = v.pipe(
  manifest,
  v.transform((stored) => withoutHastyBegin(stored)),
);

export type StoredSpan = v.InferOutput<typeof Span>;
export type Gap = v.InferOutput<typeof Gap>;
export type LookBack = v.InferOutput<typeof LookBack>;
export type Coverage = v.InferOutput<typeof Coverage>;
export type MediansOfType = v.InferOutput<typeof MediansOfType>;
export type Asked = v.InferOutput<typeof Asked>;
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
 * @returns epoch milliseconds UTC, `now` at most; undefined if there is no manifest, or no export has listed any
 */
export function listedUntil(
  manifest: Pick<ExportManifest, 'spans'> | undefined,
  now: number,
): number | undefined {
  const end = parseApiTime(manifest?.spans[0]?.until ?? '');
  return end === undefined ? undefined : Math.min(now, end);
}

/** For an export, which lists the cards until now itself. @returns as `listedUntil`; `now` if that is undefined */
export function knownUntil(manifest: Pick<ExportManifest, 'spans'>, now: number): number {
  return listedUntil(manifest, now) ?? now;
}

const LEAST_MARGIN = 10 * MINUTE;
export const MOST_MARGIN = 6 * DAY;

/** Milliseconds after `created_at`: those of the longest horizon, and how late the last outcomes were. */
export function dueAfter({ settled }: Pick<Lateness, 'settled'>): number {
  return OUTCOME_MILLIS + Math.min(MOST_MARGIN, Math.max(LEAST_MARGIN, ...settled));
}

/** @returns of the newest card whose outcome was due at the last export, epoch milliseconds UTC */
export function dueUntil(manifest: ExportManifest | undefined, now: number): number {
  const { last_run = null, lateness = { settled: [] } } = manifest ?? {};
  return Math.min(now, parseApiTime(last_run?.finished_at ?? '') ?? now) - dueAfter(lateness);
}

/**
 * The manifest without times that a wrong clock left after now. Two things lie after now rightly: the next answer of a
 * type, by at most the days between two; and the coverage, for a clock that is behind would cut it off, and all of it
 * would be listed again. A run corrects the end of the coverage itself (`Listing`). Pure.
 * @param now epoch milliseconds UTC
 */
export function manifestUntil(manifest: ExportManifest, now: number): ExportManifest {
  return {
    ...withoutFuture(manifest, now),
    ...coverageOf(manifest),
    medians: plansUntil(manifest.medians, now),
    days: manifest.days.filter(({ day }) => day <= utcDay(now)),
  };
}

function plansUntil(medians: ExportManifest['medians'], now: number): ExportManifest['medians'] {
  const plans: Record<string, MediansOfType> = {};
  for (const [type, plan] of Object.entries(medians)) {
    const latestTurn = now + (plan.every_days ?? 0) * DAY;
    plans[type] = {
      ...withoutFuture(plan, now),
      next_at: withoutFuture(plan.next_at, latestTurn),
    };
  }
  return plans;
}

/**
 * When exports ask for each type's medians; undefined for those that they do not ask for.
 * @returns undefined if no export has planned it
 */
export function sittingsInManifest({
  medians,
}: Pick<ExportManifest, 'medians'>): ReadonlyMap<string, Sittings | undefined> | undefined {
  const types = Object.entries(medians);
  if (types.length === 0) return undefined;
  return new Map(
    types.map(([type, { next_at, every_days }]) => [
      type,
      next_at === null || every_days === null
        ? undefined
        : { next: at(next_at), everyDays: every_days },
    ]),
  );
}

/** Whether the detail is not asked for again: on two UTC days the card was not there, while others were. */
export function isGone(asked: Asked | undefined): boolean {
  if (asked === undefined || !asked.not_found) return false;
  const { not_found_since: first, at: last, failed } = asked;
  // Earlier versions kept no time of the first answer.
  return first === undefined ? failed > 1 : isFinal('card_gone', { first, last });
}

export function cardsIn({ months }: Pick<ExportManifest, 'months'>): number {
  return Object.values(months).reduce((sum, month) => sum + month.cards, 0);
}

/** `export.json` as it lies there. */
export type StoredManifest =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly manifest: ExportManifest }
  | DamagedManifest;

/** Cut off, or not as an export writes it. */
export interface DamagedManifest {
  readonly kind: 'damaged';
  readonly text: string;
  /** Why it cannot be read. */
  readonly cause: Error;
  /** Whose history it is; undefined if that is lost, too. */
  readonly account: string | undefined;
}

/** @throws ScreenerError storage, if it cannot be read, or another version of this program has written it */
export async function readManifest(directory: string): Promise<StoredManifest> {
  const path = join(directory, MANIFEST_FILE);
  const text = await storing(`read ${path}`, () => readPlainFile(path, LARGEST_FILE));
  if (text === undefined) return { kind: 'none' };
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

/** @returns undefined if there is none @throws ScreenerError storage, if it cannot be read or is damaged */
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
 * For those who read the cards without it, too.
 * @returns undefined if there is none, or if it is damaged, which is warned of
 * @throws ScreenerError storage, if it cannot be read
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

const MADE_AGAIN =
  'The next `signals export` into this directory makes it again from the files beside it.';

function damageMessage(directory: string, { cause }: DamagedManifest): string {
  return `${join(directory, MANIFEST_FILE)} is damaged: ${cause.message}`;
}

export async function saveManifest(directory: string, manifest: ExportManifest): Promise<void> {
  await replaceFile(join(directory, MANIFEST_FILE), `${jsonText(manifest, 2)}\n`);
}
