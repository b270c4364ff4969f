/** Lists and statistics of a world's cards, as the service would give them. */
import * as v from 'valibot';
import { byHorizon } from '../api/contract/horizons.ts';
import { time } from '../api/contract/primitives.ts';
import type { Horizon, SignalDetail, SignalPage, SignalStats } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { at, formatApiTime } from '../api/time.ts';
import { matches } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { isMeasured, type Measured, measuredAt } from '../outcomes/history-card.ts';
import { medianOf } from '../statistics/quantile.ts';
import { rounded } from './market/noise.ts';
import { Refusal } from './response.ts';
import { cardOf, type IndexedCard, type World } from './world.ts';

// In an interface description "string, date-time" means RFC 3339, which requires an offset: `Z` or `+02:00`.
const dateTime = v.pipe(
  time,
  v.regex(/(Z|[+-]\d{2}:\d{2})$/i, 'expected an offset'),
  v.transform(at),
);

/** The parameters of `/signals` (part 4 of the API document); times in epoch milliseconds UTC. Unknown parameters are ignored. */
const Params = v.object({
  since: v.optional(dateTime),
  until: v.optional(dateTime),
  symbol: v.optional(v.pipe(v.string(), v.regex(LIMITS.symbol))),
  screener_type: v.optional(v.string()),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(LIMITS.cursorLength))),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.digits(),
      v.transform(Number),
      v.minValue(1),
      v.maxValue(LIMITS.cardsPerPage),
    ),
    String(LIMITS.cardsPerPage),
  ),
});

export type SignalsParams = v.InferOutput<typeof Params>;

/** The refusal of an argument. @param why without a full stop */
export const invalidArguments = (why: string): Refusal =>
  new Refusal(422, `Invalid arguments: ${why}.`);

/** Reads the parameters of a request. @throws Refusal */
export function signalsParams(query: URLSearchParams): SignalsParams {
  const { success, output, issues } = v.safeParse(Params, Object.fromEntries(query));
  if (!success) throw invalidArguments(`${v.getDotPath(issues[0])}: ${issues[0].message}`);
  const { since, until } = output;
  if (since !== undefined && until !== undefined && until < since)
    throw invalidArguments('until must not be earlier than since');
  return output;
}

/** The window of a list, and where one of its pages begins. Times are epoch milliseconds UTC. */
interface Position {
  readonly since: number;
  readonly until: number;
  /** The last card of the page before: only cards that are older are listed. */
  readonly lastCreatedAt: number;
  readonly lastId: number;
}

/**
 * One page of the owner's cards. Assumptions, since the document is silent: "newest first" and the window go by
 * `created_at`; the window includes both ends. If `until` is left out, it is now, or `since` if that is later. If `since` is
 * left out, it is 30 days before `until`. A cursor holds the window and the last card, and never expires.
 * @throws Refusal for a cursor that the sandbox has not made
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const { cursor, symbol, screener_type, limit } = params;
  const position = cursor === undefined ? firstPosition(params, now) : readCursor(cursor);
  const { since, until, lastCreatedAt, lastId } = position;
  const comesAfterLast = ({ id, createdAt }: IndexedCard) =>
    createdAt < lastCreatedAt || (createdAt === lastCreatedAt && id < lastId);
  const remaining = world
    .index(now)
    // `until` needs no filter: see `firstPosition`.
    .filter(({ createdAt }) => createdAt >= since)
    .filter((card) => matches(card.symbol, symbol) && matches(card.type, screener_type))
    .filter(comesAfterLast);
  const listed = remaining.slice(0, limit);
  const hasMore = remaining.length > listed.length;
  const last = listed.at(-1);
  const nextCursor =
    hasMore && last !== undefined
      ? cursorTo({ since, until, lastCreatedAt: last.createdAt, lastId: last.id })
      : null;
  return {
    scope: 'own_recorded_notifications',
    // A card of the list is its detail without the fields that only details have.
    items: detailsOf(world, listed, now).map(cardOf),
    next_cursor: nextCursor,
    since: formatApiTime(since),
    until: formatApiTime(until),
  };
}

/** The position of the first page: at the end of the window, where no card was listed before. */
function firstPosition(params: SignalsParams, now: number): Position {
  const until = params.until ?? Math.max(now, params.since ?? now);
  const since = params.since ?? until - 30 * DAY;
  // The first page pretends that a card with the highest id was listed at `until`. Only older cards follow, so `until` needs no
  // filter.
  return { since, until, lastCreatedAt: until, lastId: Number.MAX_SAFE_INTEGER };
}

function cursorTo({ since, until, lastCreatedAt, lastId }: Position): string {
  const text = [since, until, lastCreatedAt, lastId].join('.');
  return Buffer.from(text).toString('base64url');
}

/** @throws Refusal for a text that is no cursor of the sandbox */
function readCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [since, until, lastCreatedAt, lastId] = text.split('.').map(Number);
  if (!isTime(since) || !isTime(until) || !isTime(lastCreatedAt) || !isNumber(lastId))
    throw invalidArguments('cursor is not one of this server');
  return { since, until, lastCreatedAt, lastId };
}

/** False for a number that a cursor lacks (undefined), and for a text that is no number (NaN). */
function isNumber(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Whether a number of a cursor is a time that a Date can hold. @param time epoch milliseconds UTC */
function isTime(time: number | undefined): time is number {
  return isNumber(time) && !Number.isNaN(new Date(time).getTime());
}

/** The details of some of the world's cards. */
function detailsOf(
  world: World,
  cards: readonly Pick<IndexedCard, 'id'>[],
  now: number,
): SignalDetail[] {
  return cards.map(({ id }) => world.detail(id, now)).filter((detail) => detail !== undefined);
}

/** Statistics count the cards of the last 30 days (part 8 of the API document). */
const WINDOW_DAYS = 30;

/** Statistics count at most this many rows (part 8 of the API document). A row is a card with an outcome. */
const MOST_ROWS = 2000;

/**
 * Statistics as parts 2 and 4 of the API document define them. Assumptions, since the document is silent: a card without an
 * outcome is no row; BTC's move is subtracted from each row before the median is taken; without a filter `screener_type` is `all`.
 */
export function statsOf(world: World, screenerType: string | undefined, now: number): SignalStats {
  const begin = now - WINDOW_DAYS * DAY;
  const cards = world
    .index(now)
    .filter(({ createdAt, type }) => createdAt >= begin && matches(type, screenerType));
  const outcomes = detailsOf(world, cards, now)
    .map(({ outcome }) => outcome)
    .filter((outcome) => outcome !== null);
  const rows = outcomes.slice(0, MOST_ROWS);
  return {
    scope: 'own_recorded_outcomes',
    window_days: WINDOW_DAYS,
    sampled_rows: rows.length,
    sample_limited: outcomes.length > MOST_ROWS,
    screener_type: screenerType ?? 'all',
    horizons: byHorizon((name) => figuresOfHorizon(rows.map((row) => measuredAt(row, name)))),
    generated_at: formatApiTime(now),
    stale: false,
  };
}

/** @param outcomes what was measured of each card at one horizon */
function figuresOfHorizon(outcomes: readonly Measured[]): Horizon {
  const measured = outcomes.filter(isMeasured);
  const differences: number[] = [];
  for (const { move, btc } of measured) {
    if (btc !== null) differences.push(move - btc);
  }
  return {
    sample: measured.length,
    pending: outcomes.filter(({ state }) => state === 'pending').length,
    missing: outcomes.filter(({ state }) => state === 'missing').length,
    median_move_pct: median(measured.map(({ move }) => move)),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: median(differences),
  };
}

const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(medianOf(values), 4);
