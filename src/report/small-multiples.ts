/** The same picture once for each type, on one scale: how its differences are spread, and how they went day by day. */
import { bin, max } from 'd3-array';
import type { Difference } from '../outcomes/differences.ts';
import { groupBy } from '../outcomes/group.ts';
import { medianOf, quantile, sortedOf } from '../outcomes/quantile.ts';
import type { ShownVerdict } from '../outcomes/types.ts';
import { utcDay } from '../runtime/units.ts';
import { type Axis, central, countAxis, dayAxis, type NumberAxis, signedAxis } from './axis.ts';
import { count, counted, signed } from './format.ts';
import { breakable, html, label, type Markup, type Part } from './markup.ts';
import type { Periods } from './periods.ts';
import { bar, dot, path, plot, rule, verdictLook } from './plot.ts';
import { note, outside, section } from './section.ts';

/** When the settings of some types changed, epoch milliseconds UTC. */
export interface Change {
  readonly at: number;
  readonly types: readonly string[];
}

const HEIGHT = 110;
/** Types that are drawn. */
const MOST_DRAWN = 8;
/** A median of fewer is drawn for nobody. */
const LEAST = 6;
/** The share of cards, and of days' medians, that a picture spans; the rest is said in words. */
const SPAN_OF_CARDS = 0.95;
const SPAN_OF_MEDIANS = 0.98;
/** About so many, with round edges. */
const BINS = 30;

/** Of screener types, in the order in which they are drawn. */
export type Verdicts = ReadonlyMap<string, ShownVerdict | null>;

interface OfType {
  readonly type: string;
  readonly differences: readonly Difference[];
}

function drawnTypes(differences: readonly Difference[], verdicts: Verdicts): OfType[] {
  const byType = groupBy(differences, ({ card }) => card.type);
  return [...verdicts.keys()]
    .map((type) => ({ type, differences: byType.get(type) ?? [] }))
    .filter((one) => one.differences.length >= LEAST)
    .slice(0, MOST_DRAWN);
}

function multiples(
  panels: readonly { readonly type: string; readonly says: string; readonly picture: Part }[],
  verdicts: Verdicts,
): Markup {
  return html`<div class="multiples">${panels.map(
    ({ type, says, picture }) =>
      html`<figure${verdictLook(verdicts.get(type) ?? null)}><figcaption><b>${breakable(label(type))}</b> ${says}</figcaption>${picture}</figure>\n`,
  )}</div>
`;
}

/** @param differences to BTC after 24 h */
export function spreadSection(differences: readonly Difference[], verdicts: Verdicts): Markup | undefined {
  const types = drawnTypes(differences, verdicts);
  if (types.length === 0) return undefined;
  const all = sortedOf(differences.map(({ value }) => value));
  const x = signedAxis(central(all, SPAN_OF_CARDS));
  const binned = bin().domain([x.low, x.high]).thresholds(BINS);
  const drawn = types.map(({ type, differences: own }) => {
    const sorted = sortedOf(own.map(({ value }) => value));
    const bins = binned(sorted).map(({ x0: low = 0, x1: high = 0, length: size }) => ({ low, high, size }));
    return { type, sorted, bins: bins.filter(({ size }) => size > 0) };
  });
  // Shares of each type's outcomes: types of many and of few cards have one scale.
  const most = max(drawn, ({ bins, sorted }) => max(bins, ({ size }) => size / sorted.length)) ?? 1;
  const percent = countAxis(most * 100, HEIGHT, (value) => `${value}\u00a0%`);
  const y = { ...percent, at: (share: number) => percent.at(share * 100) };
  const left = all.filter((value) => value < x.low || value > x.high).length;
  return section({
    id: 'spread',
    title: 'How far single cards lie apart',
    says: "Each card's difference to BTC after 24 h, in percentage points; the height is the share of the type's outcomes.",
    picture: [
      multiples(
        drawn.map(({ type, sorted, bins }) => {
          const median = quantile(sorted, 0.5);
          const [low, high] = central(sorted, 0.5);
          return {
            type,
            says: `median ${signed(median)}; half between ${signed(low)} and ${signed(high)}`,
            picture: plot({
              label: `${label(type)}: ${counted(sorted.length, 'difference')} to BTC after 24 h`,
              height: HEIGHT,
              x,
              y,
              marks: [
                bins.map(({ low: from, high: to, size }) => {
                  const title = `${signed(from)} to ${signed(to)} pp: ${counted(size, 'outcome')}`;
                  const top = y.at(size / sorted.length);
                  return bar(x.at(from) + 0.002, x.at(to) - 0.002, top, HEIGHT, 'bar own', title);
                }),
                median >= x.low && median <= x.high && rule(x.at(median), 0, x.at(median), HEIGHT, 'median'),
              ],
            }),
          };
        }),
        verdicts,
      ),
      note(outside(left, 'outcome')),
    ],
    numbers: {
      head: ['Type', 'From, pp', 'To, pp', 'Outcomes'],
      rows: drawn.flatMap(({ type, bins }) =>
        bins.map(({ low, high, size }) => [label(type), signed(low), signed(high), count(size)]),
      ),
    },
  });
}

/** Periods of the running median: the one it is drawn at and three to either side. */
const REACH = 3;

/**
 * The median of each day and the median of seven days together; a dashed line where the type's settings changed.
 * @param differences to BTC after 24 h
 */
export function daysSection(
  differences: readonly Difference[],
  periods: Periods,
  changes: readonly Change[],
  verdicts: Verdicts,
): Markup | undefined {
  const courses = drawnTypes(differences, verdicts).map((one) => ({ ...one, days: courseOf(one, periods) }));
  if (courses.every(({ days }) => days.length < 2)) return undefined;
  const medians = sortedOf(courses.flatMap(({ days }) => days.map(({ median }) => median)));
  const running = courses.flatMap(({ days }) => days.map((day) => day.running));
  const y = signedAxis([...central(medians, SPAN_OF_MEDIANS), ...running], HEIGHT);
  const x = dayAxis(periods.first, periods.last, 3);
  const { unit } = periods;
  const plural = unit === 'day' || unit === 'week' ? `${unit}s` : 'periods';
  const left = medians.filter((median) => median < y.low || median > y.high).length;
  return section({
    id: 'days',
    title: unit === 'day' ? 'Day by day' : 'In the course of time',
    says: `A dot is the median difference to BTC of one ${unit} (UTC), after 24 h; the line, that of seven ${plural} together.`,
    picture: [
      multiples(
        courses.map(({ type, days }) => {
          const own = changes.filter((change) => change.types.includes(type));
          const up = days.filter(({ median }) => median > 0).length;
          return {
            type,
            says: `above BTC on ${count(up)} of ${count(days.length)} ${plural}${changedOn(own)}`,
            picture: plot({
              label: `${label(type)}: median difference to BTC after 24 h of each ${unit}`,
              height: HEIGHT,
              x,
              y,
              marks: [changeRules(own, x, HEIGHT), course(days, periods, x, y)],
            }),
          };
        }),
        verdicts,
      ),
      note(outside(left, 'dot')),
    ],
    numbers: {
      head: ['Type', unit === 'day' ? 'UTC day' : 'From', 'Outcomes', 'Median, pp', 'Running median, pp'],
      rows: courses.flatMap(({ type, days }) =>
        days.map(({ at, size, median, running: line }) => [
          label(type),
          utcDay(at),
          count(size),
          signed(median),
          signed(line),
        ]),
      ),
    },
  });
}

function changedOn(changes: readonly Change[]): string {
  return changes.length === 0 ? '' : `; settings changed ${changes.map(({ at }) => utcDay(at)).join(', ')}`;
}

/** Lines in time where settings changed, each with its date and what changed in its title. */
export function changeRules(changes: readonly Change[], x: Axis, height: number): Markup[] {
  return changes.map(
    ({ at, types }) =>
      html`<g><title>${utcDay(at)}: settings of ${types.map(label).join(', ')} changed</title>${rule(x.at(at), 0, x.at(at), height, 'change')}</g>`,
  );
}

interface Day {
  readonly index: number;
  readonly at: number;
  readonly size: number;
  readonly median: number;
  readonly running: number;
}

function courseOf({ differences }: OfType, periods: Periods): Day[] {
  const inPeriods = periods.split(differences, ({ card }) => card.at).map((own) => own.map(({ value }) => value));
  return inPeriods.flatMap((own, index) => {
    if (own.length === 0) return [];
    const around = inPeriods.slice(Math.max(0, index - REACH), index + REACH + 1).flat();
    return [{ index, at: periods.startOf(index), size: own.length, median: medianOf(own), running: medianOf(around) }];
  });
}

function course(days: readonly Day[], periods: Periods, x: Axis, y: NumberAxis): Part {
  const placeOf = (index: number) => x.at((periods.startOf(index) + periods.startOf(index + 1)) / 2);
  const line = Array.from({ length: periods.count }, (): readonly [number, number] | undefined => undefined);
  for (const { index, running } of days) line[index] = [placeOf(index), y.at(running)];
  const inside = days.filter(({ median }) => median >= y.low && median <= y.high);
  return [
    inside.map(({ index, at, size, median }) =>
      dot(placeOf(index), y.at(median), 2, 'pt', `${utcDay(at)}: ${signed(median)} pp, ${counted(size, 'outcome')}`),
    ),
    path(line, HEIGHT, 'run'),
  ];
}
