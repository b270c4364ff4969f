/** From cards to figures: `figure-table.ts` says what each is, `screener help figures` how it is made. */

import { MAIN_HORIZON, OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { HOUR } from '../runtime/units.ts';
import { LEAST } from '../statistics/verdict.ts';
import { eachHorizon, figuresFrom } from './figure.ts';
import { GROUP_TABLE, type GroupData, type GroupFigures, HORIZON_TABLE } from './figure-table.ts';
import { type FiguresQuestion, groupCards } from './groups.ts';
import { compareAt, type HorizonData } from './horizon.ts';
import { cardsPerDay, twoDecimals } from './rate.ts';
import type { Row } from './row.ts';

export type Comparison = ReturnType<typeof figuresOf>;

/** Groups in the order of `groupRows`. @param cards in any order */
export function figuresOf(cards: readonly Row[], question: FiguresQuestion) {
  const {
    by,
    now,
    until = now,
    dueUntil = now - OUTCOME_MILLIS,
    horizon: main = MAIN_HORIZON,
    least = LEAST,
  } = question;
  const grouped = groupCards(cards, question);
  const { rows, shown } = grouped;
  const first = rows[0]?.at ?? until;
  const company = by === 'type' ? companyOf(rows) : undefined;
  const ofGroups = shown.map(({ rows: own, since }) => ({
    rows: own,
    since,
    due: own.filter(({ at }) => at <= dueUntil),
    perDay:
      by === 'month'
        ? null
        : twoDecimals(cardsPerDay(own, until, { since: Math.max(since, first) })),
    coincides: company === undefined ? [] : coincidesWith(own, company),
  }));
  const horizons = eachHorizon((name) => compareAt(name, grouped, question));
  const isTested = (to: 'vsBtc' | 'vsOthers') =>
    horizons[main].filter(({ [to]: one }) => one.adjusted !== undefined).length;
  const groups = shown.map(
    ({ group }, i): GroupFigures => ({
      group,
      ...figuresFrom(GROUP_TABLE, ofGroups[i] as GroupData),
      horizons: eachHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name][i] as HorizonData)),
    }),
  );
  return {
    groups,
    /** P values that the adjustment is over. */
    comparisons: Math.max(isTested('vsBtc'), isTested('vsOthers')),
    /** Percentage points after `MAIN_HORIZON`. */
    least_percentage_points: least,
    groups_left_out: grouped.leftOut,
    company,
    /** What screens make standings of: each group at the horizon asked for. */
    judged: shown.map((group, i) => ({ ...group, data: horizons[main][i] as HorizonData })),
  };
}

/** Cards after another of their type on the symbol within an hour, and the other types that came within an hour. */
function companyOf(rows: readonly Row[]) {
  const repeats = new Set<Row>();
  const types = new Map<Row, Set<string>>();
  const meet = (row: Row, other: Row) =>
    types.set(row, (types.get(row) ?? new Set()).add(other.type));
  for (const ofSymbol of groupBy(rows, ({ symbol }) => symbol).values()) {
    const byTime = ofSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    for (const [i, row] of byTime.entries()) {
      for (let j = i + 1; (byTime[j]?.at ?? Number.POSITIVE_INFINITY) <= row.at + HOUR; j += 1) {
        const later = byTime[j] as Row;
        if (later.type === row.type) repeats.add(later);
        else {
          meet(row, later);
          meet(later, row);
        }
      }
    }
  }
  return { repeats, types };
}

const COINCIDES = 0.5;

/** @param own cards of one type @returns largest share first */
function coincidesWith(own: readonly Row[], { types }: ReturnType<typeof companyOf>) {
  const counts = new Map<string, number>();
  for (const row of own)
    for (const type of types.get(row) ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([group, cards]) => ({ group, share: cards / own.length }))
    .filter(({ share }) => share >= COINCIDES)
    .sort((a, b) => b.share - a.share);
}
