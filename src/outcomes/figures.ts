/** From cards to figures: `figure-table.ts` says what each is, `screener help figures` how it is made. */
import { HORIZON_NAMES, type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { DAY } from '../runtime/units.ts';
import { LEAST } from '../statistics/verdict.ts';
import { coincidesWith, companyOf } from './company.ts';
import { symbolsOfBtc } from './differences.ts';
import { eachHorizon, figuresFrom, lazily } from './figure.ts';
import {
  type Comparison,
  GROUP_TABLE,
  type GroupData,
  HORIZON_TABLE,
  type HorizonFiguresData,
} from './figure-table.ts';
import { compareAt, type Group, type Grouped, type HorizonData } from './horizon.ts';
import type { FiguresQuestion } from './question.ts';
import { cardsPerDay, twoDecimals, unevenly } from './rate.ts';
import { groupRows, KEYS, movesOf, type Row } from './row.ts';
import { sinceThenOf } from './sample.ts';

/** @param cards in any order @returns them by group, in the order of `groupRows` */
export function groupCards(cards: readonly Row[], { by, settingsSince, minSample = 0 }: FiguresQuestion) {
  const rows = cards.toSorted((one, other) => one.at - other.at);
  const all: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const keyOf: Grouped['keyOf'] = by === undefined ? () => null : KEYS[by];
  const sinceOf = (group: string | null) =>
    (by === 'type' ? settingsSince?.get(group ?? '') : undefined) ?? Number.NEGATIVE_INFINITY;
  const isPresent = (card: Row) => card.at >= sinceOf(keyOf(card));
  const groups = all.map(([group, own]): Group => {
    return { group, since: sinceOf(group), rows: own.filter(isPresent), last: own.at(-1)?.at ?? Number.NaN };
  });
  const isLarge = (group: Group) => HORIZON_NAMES.some((name) => movesOf(group.rows, name).length >= minSample);
  const shown = minSample === 0 ? groups : groups.filter(isLarge);
  return { rows, ofBtc: symbolsOfBtc(rows), keyOf, isPresent, shown, leftOut: groups.length - shown.length };
}

/** Groups in the order of `groupRows`. @param cards in any order */
export function figuresOf(cards: readonly Row[], question: FiguresQuestion): Comparison {
  const { by, now, until = now, dueUntil = now - DAY, horizon: main = MAIN_HORIZON, least = LEAST } = question;
  const grouped = groupCards(cards, question);
  const { rows, shown } = grouped;
  const first = rows[0]?.at ?? until;
  const ofGroups: readonly GroupData[] = shown.map(({ rows: own, since }) =>
    lazily<GroupData>({
      rows: () => own,
      due: () => own.filter(({ at }) => at <= dueUntil),
      since: () => since,
      perDay: () => (by === 'month' ? null : twoDecimals(cardsPerDay(own, until, { since: Math.max(since, first) }))),
      coincides: () => (comparison.company === undefined ? [] : coincidesWith(own, comparison.company)),
    }),
  );
  const horizons = eachHorizon((name) => compareAt(name, grouped, question));
  const dataOf = (name: HorizonName, i: number): HorizonFiguresData => {
    const data = horizons[name][i] as HorizonData;
    const sinceThen = data.since === undefined ? null : sinceThenOf(data.series, data.since, name);
    return { ...data, sinceThen, now, isAsked: name === main };
  };
  const isTested = (to: 'vsBtc' | 'vsOthers') =>
    horizons[main].filter(({ [to]: one }) => one?.adjusted !== undefined).length;
  const comparison: Comparison = lazily<Comparison>({
    groups: () =>
      shown.map(({ group }, i) => ({
        group,
        ...figuresFrom(GROUP_TABLE, ofGroups[i] as GroupData),
        horizons: eachHorizon((name) => figuresFrom(HORIZON_TABLE, dataOf(name, i))),
      })),
    comparisons: () => Math.max(isTested('vsBtc'), isTested('vsOthers')),
    least_percentage_points: () => least,
    groups_left_out: () => grouped.leftOut,
    uneven: () => (of) =>
      unevenly(shown.flatMap(({ group }, i) => (of.includes(group) ? (ofGroups[i]?.due ?? []) : []))),
    company: () => (by === 'type' ? companyOf(rows) : undefined),
    judged: () => shown.map((group, i) => ({ ...group, data: dataOf(main, i) })),
  });
  return comparison;
}
