import { sum } from 'd3-array';
import { byHorizon, MAIN_HORIZON, OUTCOME_MILLIS } from '../../api/contract/horizons.ts';
import { formatApiTime } from '../../api/time.ts';
import { groupBy } from '../../base/collections.ts';
import { DAY } from '../../base/units.ts';
import { differencesOf, movesOf, symbolsOfBtc } from '../../outcomes/differences.ts';
import { against } from '../../outcomes/figure-table.ts';
import {
  type Finding,
  isNews,
  isSameVerdict,
  latestNews,
  newsOf,
} from '../../outcomes/findings.ts';
import type { HistoryCard } from '../../outcomes/history-card.ts';
import { RATE_DAYS, twoDecimals } from '../../outcomes/rate.ts';
import { type Standing, sendsCards } from '../../outcomes/standing.ts';
import { hasOrHadSide, stillHolds } from '../../outcomes/still-holds.ts';
import type { Today } from '../../output/views/today-fields.ts';
import { LEAST_CLUSTERS } from '../../statistics/clustered-median.ts';
import { medianOf } from '../../statistics/quantile.ts';
import { NEWS_AGE } from './today-news.ts';

/** How many new cards, and how many of the biggest moves, `today` lists. */
const MOST_CARDS = 10;

/** The figures of the last 24 h. */
type Summary = Pick<Today, 'cards' | 'newest' | 'settled' | 'silent' | 'by_type' | 'biggest_moves'>;

/** A type is listed if it had a card in these last days: the 28 days of a rate and the last 24 h, with a day to spare. */
const DAYS_SHOWN = RATE_DAYS + 2;

/**
 * What happened in the last 24 h of a history.
 * @param rows newest first
 * @param until when the history ends, epoch milliseconds UTC
 */
export function summarizeToday(
  rows: readonly HistoryCard[],
  until: number,
  standings: readonly Standing[],
): Summary {
  const cards = rows.filter(({ at }) => at > until - DAYS_SHOWN * DAY && at <= until);
  const byType = [...groupBy(cards, ({ type }) => type)].map(([type, cardsOfType]) => {
    const standing = standings.find(({ group }) => group === type);
    return {
      screener_type: type,
      cards: countIn24Hours(cardsOfType, until),
      usual: standing?.rate.now ?? 0,
      settled: settledFigures(cardsOfType, until),
      verdict: standing === undefined ? null : against(standing.comparedWith, standing.verdict),
      to_do: standing?.toDo ?? null,
      still_holds: standing !== undefined && hasOrHadSide(standing) ? stillHolds(standing) : null,
    };
  });
  const cardsInLast24Hours = countIn24Hours(cards, until);
  return {
    cards: {
      last_24h: cardsInLast24Hours,
      usual: twoDecimals(sum(standings.filter(sendsCards), ({ rate }) => rate.now ?? 0)),
    },
    newest: cards.slice(0, Math.min(cardsInLast24Hours, MOST_CARDS)).map(listedCard),
    settled: settledFigures(cards, until),
    silent: silentTypes(standings),
    by_type: byType.sort((a, b) => b.cards - a.cards || b.usual - a.usual),
    biggest_moves: biggestMoves(cards, until),
  };
}

function silentTypes(standings: readonly Standing[]): Summary['silent'] {
  const silent: Summary['silent'][number][] = [];
  for (const { group, silentDays } of standings) {
    if (silentDays !== undefined) silent.push({ screener_type: group, days: silentDays });
  }
  return silent;
}

/**
 * The biggest moves of the outcomes that fell due in the last 24 h, the biggest first. If fewer than half of these outcomes are
 * measured, there are none: the largest measured move is then probably not the largest.
 */
function biggestMoves(cards: readonly HistoryCard[], until: number): Today['biggest_moves'] {
  const settled = cardsThatSettled(cards, until);
  const moves = movesOf(settled, MAIN_HORIZON);
  const isHalfMeasured = 2 * moves.length >= settled.length;
  if (!isHalfMeasured) return [];
  return moves
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, MOST_CARDS)
    .map(({ card, value }) => ({
      ...listedCard(card),
      move_24h_pct: value,
      btc_move_24h_pct: card.outcomes?.[MAIN_HORIZON].btc ?? null,
    }));
}

/** How many cards there are in the 24 hours before `end`. */
function countIn24Hours(cards: readonly HistoryCard[], end: number): number {
  return cards.filter(({ at }) => at > end - DAY && at <= end).length;
}

/** The figures of the outcomes that fell due in the last 24 h. */
function settledFigures(cards: readonly HistoryCard[], until: number): Today['settled'] {
  const settled = cardsThatSettled(cards, until);
  return byHorizon((name) => {
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

/** The cards whose outcome fell due in the last 24 h: an outcome is due, at all horizons, when the longest horizon is over. */
function cardsThatSettled(cards: readonly HistoryCard[], until: number): HistoryCard[] {
  const end = until - OUTCOME_MILLIS;
  return cards.filter(({ at }) => at <= end && at > end - DAY);
}

/** Null if there are too few values for a figure anywhere in this program. */
function medianOfEnough(values: readonly number[]): number | null {
  return values.length < LEAST_CLUSTERS ? null : medianOf(values);
}

function listedCard({ id, symbol, type, at }: HistoryCard): Today['newest'][number] {
  return { id, source_symbol: symbol, source_bot_type: type, created_at: formatApiTime(at) };
}

/**
 * Each type whose verdict changed in the last week, by the notebook, with its latest change.
 * @param now epoch milliseconds UTC
 */
export function verdictsChanged(
  findings: readonly Finding[],
  now: number,
): Today['verdicts_changed'] {
  const ofTypes = findings.filter(({ about }) => about === 'type');
  const changes = newsOf(ofTypes, now - NEWS_AGE).filter(
    ({ line, before }) => before === undefined || !isSameVerdict(line, before),
  );
  const changed: Today['verdicts_changed'][number][] = [];
  for (const { line, before } of latestNews(changes)) {
    if (line.about !== 'type') continue;
    const lineBefore = before?.about === 'type' ? before : undefined;
    // New settings took the old verdict away; no new evidence did.
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
