/** Lists and statistics of what a world has. */
import * as v from 'valibot';
import { byHorizon } from '../api/contract/horizons.ts';
import { time } from '../api/contract/primitives.ts';
import type { Horizon, SignalPage, SignalStats } from '../api/contract/resources.ts';
import { LIMITS } from '../api/limits.ts';
import { at, formatApiTime } from '../api/time.ts';
import { DAY } from '../base/units.ts';
import { isMeasured, type Measured, measuredAt } from '../outcomes/row.ts';
import { medianOf } from '../statistics/quantile.ts';
import { rounded } from './market/noise.ts';
import { Refusal } from './response.ts';
import { cardOf, type World } from './world.ts';

// RFC 3339, which is what "string, date-time" means in an interface description: an offset is required.
const dateTime = v.pipe(
  time,
  v.regex(/(Z|[+-]\d{2}:?\d{2})$/i, 'expected an offset'),
  v.transform(at),
);

/** The parameters of `/signals` (part 4); times in epoch milliseconds UTC. Others are ignored. */
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

export const invalid = (why: string): Refusal => new Refusal(422, `Invalid arguments: ${why}.`);

/** @throws Refusal */
export function signalsParams(query: URLSearchParams): SignalsParams {
  const { success, output, issues } = v.safeParse(Params, Object.fromEntries(query));
  if (!success) throw invalid(`${v.getDotPath(issues[0])}: ${issues[0].message}`);
  const { since = Number.NEGATIVE_INFINITY, until = since } = output;
  if (until < since) throw invalid('until must not be earlier than since');
  return output;
}

/**
 * One page of the owner's cards. The document is silent on the rest: "newest first" and the window go by `created_at`,
 * both ends inside; `until` defaults to now, `since` to 30 days before it; a cursor names window and card, and never
 * expires. @throws Refusal for a cursor that is none of the sandbox's
 */
export function signalPage(world: World, params: SignalsParams, now: number): SignalPage {
  const {
    until: end = Math.max(now, params.since ?? now),
    since: begin = end - 30 * DAY,
    cursor,
  } = params;
  const position =
    cursor === undefined
      ? [begin, end, end, Number.MAX_SAFE_INTEGER]
      : Buffer.from(cursor, 'base64url').toString().split('.').map(Number);
  const [since = 0, until = 0, lastAt = 0, lastId = Number.NaN] = position;
  if (!Number.isFinite(since + until + lastAt + lastId))
    throw invalid('cursor is not one of this server');
  const matching = world
    .index(now)
    .filter(
      ({ id, createdAt, symbol, type }) =>
        createdAt >= since &&
        (createdAt < lastAt || (createdAt === lastAt && id < lastId)) &&
        symbol === (params.symbol ?? symbol) &&
        type === (params.screener_type ?? type),
    );
  const shown = matching.slice(0, params.limit);
  const last = matching.length > shown.length ? shown.at(-1) : undefined;
  return {
    scope: 'own_recorded_notifications',
    items: shown.flatMap(({ id }) => world.detail(id, now) ?? []).map(cardOf),
    next_cursor: last
      ? Buffer.from([since, until, last.createdAt, last.id].join('.')).toString('base64url')
      : null,
    since: formatApiTime(since),
    until: formatApiTime(until),
  };
}

const WINDOW_DAYS = 30;
const MOST_ROWS = 2000;

/**
 * Statistics as parts 2 and 4 define them. The document is silent on the rest: a card without an outcome is no row; the
 * difference from BTC is taken per row before the median; without a filter `screener_type` says `all`.
 */
export function statsOf(world: World, screenerType: string | undefined, now: number): SignalStats {
  const outcomes = world
    .index(now)
    .filter(
      ({ createdAt, type }) =>
        createdAt >= now - WINDOW_DAYS * DAY && type === (screenerType ?? type),
    )
    .flatMap(({ id }) => world.detail(id, now)?.outcome ?? []);
  const rows = outcomes.slice(0, MOST_ROWS);
  return {
    scope: 'own_recorded_outcomes',
    window_days: WINDOW_DAYS,
    sampled_rows: rows.length,
    sample_limited: outcomes.length > MOST_ROWS,
    screener_type: screenerType ?? 'all',
    horizons: byHorizon((name) => horizonOf(rows.map((row) => measuredAt(row, name)))),
    generated_at: formatApiTime(now),
    stale: false,
  };
}

function horizonOf(rows: readonly Measured[]): Horizon {
  const measured = rows.filter(isMeasured);
  const differences = measured.flatMap(({ move, btc }) => (btc === null ? [] : [move - btc]));
  return {
    sample: measured.length,
    pending: rows.filter(({ state }) => state === 'pending').length,
    missing: rows.filter(({ state }) => state === 'missing').length,
    median_move_pct: median(measured.map(({ move }) => move)),
    btc_sample: differences.length,
    median_vs_btc_percentage_points: median(differences),
  };
}

const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(medianOf(values), 4);
