import { sum } from 'd3-array';
import {
  byHorizon,
  type HorizonName,
  horizonOf,
  MAIN_HORIZON,
} from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { DAY, distanceInWords, HOUR, pluralize } from '../../base/units.ts';
import { differencesOf, movesOf, symbolsOfBtc } from '../../outcomes/differences.ts';
import { against } from '../../outcomes/figure-table.ts';
import { type Finding, isNews, latestOf, newsOf } from '../../outcomes/findings.ts';
import { SILENT_AFTER } from '../../outcomes/horizon.ts';
import { RATE_DAYS, twoDecimals } from '../../outcomes/rate.ts';
import type { Row } from '../../outcomes/row.ts';
import type { Standing } from '../../outcomes/standing.ts';
import type { Today } from '../../output/views/today.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { type Interval, medianOf, quantile, sortedOf } from '../../statistics/quantile.ts';

const MOST_CARDS = 10;

/** @param rows newest first @param until when the history ends, epoch milliseconds UTC */
export function summarizeToday(
  rows: readonly Row[],
  until: number,
  standings: readonly Standing[],
) {
  const cards = rows.filter(({ at }) => at > until - (RATE_DAYS + 2) * DAY && at <= until);
  const byType = [...groupBy(cards, ({ type }) => type)].map(([type, own]) => {
    const standing = standings.find(({ group }) => group === type);
    return {
      screener_type: type,
      cards: countBefore(own, until),
      usual: standing?.rate.now ?? 0,
      settled: settledOf(own, until),
      verdict: standing === undefined ? null : against(standing.to, standing.word),
      to_do: standing?.toDo ?? null,
    };
  });
  const last = countBefore(cards, until);
  return {
    cards: {
      last_24h: last,
      usual: twoDecimals(
        sum(standings, ({ rate, silentDays }) => (silentDays === undefined ? (rate.now ?? 0) : 0)),
      ),
      usual_range: usualRange(cards, until),
    },
    newest: cards.slice(0, Math.min(last, MOST_CARDS)).map(cardOf),
    settled: settledOf(cards, until),
    silent: standings.flatMap(({ group, silentDays }) =>
      silentDays === undefined ? [] : [{ screener_type: group, days: silentDays }],
    ),
    by_type: byType.sort((a, b) => b.cards - a.cards || b.usual - a.usual),
    biggest_moves: movesOf(settledIn(cards, MAIN_HORIZON, until), MAIN_HORIZON)
      .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
      .slice(0, MOST_CARDS)
      .map(({ card, value }) => ({
        ...cardOf(card),
        move_24h_pct: value,
        btc_move_24h_pct: card.measured?.[MAIN_HORIZON].btc ?? null,
      })),
  };
}

function countBefore(cards: readonly Row[], until: number): number {
  return cards.filter(({ at }) => at > until - DAY && at <= until).length;
}

/** Fewer days before say nothing of what is usual. */
const LEAST_DAYS = 14;

/** The range of 95 % of the daily counts of the 28 days before the last 24 h, by quantiles of type 7. */
function usualRange(cards: readonly Row[], until: number): Interval | null {
  const days = Math.min(RATE_DAYS, Math.floor((until - DAY - (cards.at(-1)?.at ?? until)) / DAY));
  if (days < LEAST_DAYS) return null;
  const counts = sortedOf(
    Array.from({ length: days }, (_, day) => countBefore(cards, until - (day + 1) * DAY)),
  );
  return { low: quantile(counts, 0.025), high: quantile(counts, 0.975) };
}

function settledOf(cards: readonly Row[], until: number): Today['settled'] {
  return byHorizon((name) => {
    const settled = settledIn(cards, name, until);
    const moves = movesOf(settled, name).map(({ value }) => value);
    const differences = differencesOf(settled, name, symbolsOfBtc(cards)).map(({ value }) => value);
    return {
      sample: moves.length,
      median_move_pct: medianOfEnough(moves),
      btc_sample: differences.length,
      median_vs_btc_percentage_points: medianOfEnough(differences),
    };
  });
}

function settledIn(cards: readonly Row[], name: HorizonName, until: number): Row[] {
  const last = until - horizonOf(name).millis;
  return cards.filter(({ at }) => at <= last && at > last - DAY);
}

function medianOfEnough(values: readonly number[]): number | null {
  return values.length < LEAST_CLUSTERS ? null : medianOf(values);
}

function cardOf({ id, symbol, type, at }: Row): Today['newest'][number] {
  return { id, source_symbol: symbol, source_bot_type: type, created_at: formatApiTime(at) };
}

const STALE_AFTER = 26 * HOUR;

type Unusual = Today['unusual'][number];
type Known = Pick<Today, 'history' | 'credits' | 'cards' | 'silent'>;

/** What stood there for so long is no news: it moves below the credits. */
export const NEWS = 7 * DAY;

/** What is not as usual. @param pageOf the command line that shows a type's settings */
export function unusual(now: number, today: Known, pageOf: (type: string) => string): Unusual[] {
  const { credits, cards } = today;
  const found: Unusual[] = [];
  const add = (kind: Unusual['kind'], message: string, screener_type: string | null = null) =>
    found.push({ kind, screener_type, message });
  const updated = Date.parse(today.history.updated_at ?? '');
  const last = Number.isNaN(updated)
    ? 'No export has succeeded yet'
    : `The last successful export was ${distanceInWords(updated, now)}`;
  const refresh = `${last}: \`screener today --refresh\` updates the history.`;
  if (!(now - updated <= STALE_AFTER || now - updated > STALE_AFTER + NEWS)) add('export', refresh);
  const isSoon = (time: string | null | undefined) => {
    const left = Date.parse(time ?? '') - now;
    return left > 0 && left <= NEWS;
  };
  const ends = Date.parse(credits?.plan_ends_at ?? '');
  if (isSoon(credits?.gone_at)) add('credits', `Credits: ${credits?.forecast}.`);
  if (isSoon(credits?.plan_ends_at))
    add('plan', `PRO ends ${distanceInWords(ends, now)}: exports stop then, the history stays.`);
  const { last_24h, usual_range: range } = cards;
  if (range !== null && (last_24h < range.low || last_24h > range.high)) {
    const few = `${last_24h < range.low ? 'Few' : 'Many'}: ${pluralize(last_24h, 'card')} in 24 h`;
    const usual = `95 % of the days before had ${Math.ceil(range.low)} to ${Math.floor(range.high)}`;
    add('cards', `${few}; ${usual}.`);
  }
  for (const { screener_type: type, days } of today.silent) {
    const message = `${type}: no card for ${pluralize(days, 'day')}; see \`${pageOf(type)}\``;
    if (days * DAY < SILENT_AFTER + NEWS) add('screener', message, type);
  }
  return found;
}

/** Of each type the last finding, or withdrawal, of a week, by the notebook. @param now epoch milliseconds UTC */
export function verdictsChanged(
  findings: readonly Finding[],
  now: number,
): Today['verdicts_changed'] {
  const ofTypes = findings.filter(({ about }) => about === 'type');
  const changes = newsOf(ofTypes, now - NEWS).filter(
    ({ line, before }) => line.verdict !== before?.verdict,
  );
  const changed: Today['verdicts_changed'][number][] = [];
  for (const { line, before } of latestOf(changes)) {
    if (line.about !== 'type') continue;
    const lineBefore = before?.about === 'type' ? before : undefined;
    const isReset =
      lineBefore !== undefined &&
      lineBefore.settings_since !== line.settings_since &&
      !isNews(line);
    changed.push({
      screener_type: line.type,
      before: lineBefore === undefined ? null : against(lineBefore.to, lineBefore.verdict),
      verdict: against(line.to, line.verdict),
      since: line.at,
      settings_since: isReset ? line.settings_since : null,
    });
  }
  return changed;
}
