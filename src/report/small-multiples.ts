/** The differences of each type: how far they lie apart, and how they went day by day. */
import { bin, max } from 'd3-array';
import type { Difference } from '../outcomes/differences.ts';
import { groupBy } from '../outcomes/row.ts';
import { pluralize, utcDay } from '../runtime/units.ts';
import { medianOf, type PlainVerdict, quantile, sortedOf } from '../statistics/quantile.ts';
import { central, countAxis, dayAxis, signedAxis } from './axis.ts';
import { label, type Markup, note, percent, section, signed } from './markup.ts';
import type { Periods } from './periods.ts';
import { bar, dot, HEIGHT, multiples, path, rule, words } from './plot.ts';

/** A median of fewer is drawn for nobody. */
const LEAST = 6;
/** The share of cards, and of days' medians, that a picture spans; the rest is said in words. */
const SPAN = 0.96;
const BINS = 20;

export type Verdicts = readonly { readonly type: string; readonly verdict: PlainVerdict | null }[];

function drawnTypes(differences: readonly Difference[], verdicts: Verdicts) {
  const byType = groupBy(differences, ({ card }) => card.type);
  return verdicts
    .map((one) => ({ ...one, own: byType.get(one.type) ?? [] }))
    .filter(({ own }) => own.length >= LEAST)
    .slice(0, 8);
}

/** @param differences to BTC after 24 h */
export function spreadSection(differences: readonly Difference[], verdicts: Verdicts): Markup | undefined {
  const all = sortedOf(differences.map(({ value }) => value));
  const x = signedAxis(central(all, SPAN));
  const beyond = all.filter((value) => value < x.low || value > x.high).length;
  const binned = bin().domain([x.low, x.high]).thresholds(BINS);
  const drawn = drawnTypes(differences, verdicts).map(({ own, ...one }) => {
    const sorted = sortedOf(own.map(({ value }) => value));
    const bins = binned(sorted).map(({ x0: low = 0, x1: high = 0, length: size }) => {
      return { low, high, size, share: (100 * size) / sorted.length };
    });
    return { ...one, sorted, median: quantile(sorted, 0.5), bins: bins.filter(({ size }) => size > 0) };
  });
  const [best] = drawn;
  if (best === undefined) return undefined;
  // Shares of each type's outcomes: types of many and of few cards have one scale.
  const most = max(drawn, ({ bins }) => max(bins, ({ share }) => share)) ?? 1;
  const y = countAxis(most, HEIGHT, (value) => `${value}\u00a0%`);
  const panels = drawn.map(({ type, verdict, sorted, median, bins }) => {
    const [low, high] = central(sorted, 0.5);
    const bars = bins.map((one) => {
      const title = `${signed(one.low)} to ${signed(one.high)} pp: ${pluralize(one.size, 'outcome')}`;
      return bar(x.at(one.low), x.at(one.high), y.at(one.share), HEIGHT, 'bar own', title);
    });
    const at = x.at(Math.max(x.low, Math.min(x.high, median)));
    return {
      type,
      verdict,
      says: `the middle half: ${signed(low)} to ${signed(high)}`,
      label: `${pluralize(sorted.length, 'difference')} to BTC after 24 h`,
      x,
      y,
      marks: [
        bars,
        verdict !== 'too_few_days' && [rule(at, 0, at, HEIGHT, 'median'), words(at, -4, `median ${signed(median)}`)],
      ],
    };
  });
  const behind = best.sorted.filter((value) => value < 0).length / best.sorted.length;
  return section({
    id: 'spread',
    title:
      best.verdict === 'above'
        ? `${percent(behind)} of ${label(best.type)} cards fell behind BTC`
        : 'How much single cards differ',
    says: "Each card's difference to BTC after 24 h, in percentage points; the height is the share of the type's outcomes.",
    picture: [multiples(panels), note(beyond > 0 && `Outside the picture: ${pluralize(beyond, 'outcome')}.`)],
  });
}

/** Periods of the running median: the one it is drawn at and three to either side. */
const REACH = 3;

/** The median of each day and the median of seven days together. @param differences to BTC after 24 h */
export function daysSection(
  differences: readonly Difference[],
  periods: Periods,
  verdicts: Verdicts,
): Markup | undefined {
  const told = verdicts.filter(({ verdict }) => verdict !== 'too_few_days');
  const courses = drawnTypes(differences, told).map((one) => ({ ...one, days: courseOf(one.own, periods) }));
  const [best] = courses;
  if (best === undefined || courses.every(({ days }) => days.length < 2)) return undefined;
  const medians = sortedOf(courses.flatMap(({ days }) => days.map(({ median }) => median)));
  const running = courses.flatMap(({ days }) => days.map((day) => day.running));
  const y = signedAxis([...central(medians, SPAN), ...running], HEIGHT);
  const x = dayAxis(periods.first, periods.last, 3);
  const isInside = (median: number) => median >= y.low && median <= y.high;
  const beyond = medians.filter((median) => !isInside(median)).length;
  const { unit } = periods;
  const plural = unit === 'day' || unit === 'week' ? `${unit}s` : 'periods';
  const aheadOf = (days: ReturnType<typeof courseOf>) =>
    `above BTC on ${days.filter(({ median }) => median > 0).length} of ${days.length} ${plural}`;
  const panels = courses.map(({ type, verdict, days }) => {
    const dots = days.map(({ at, middle, size, median }) => {
      const title = `${utcDay(at)}: ${signed(median)} pp, ${pluralize(size, 'outcome')}`;
      return isInside(median) && dot(x.at(middle), y.at(median), 2, 'pt', title);
    });
    const points = days.map((day) => [x.at(day.middle), y.at(day.running)] as const);
    return {
      type,
      verdict,
      says: aheadOf(days),
      label: `median difference to BTC after 24 h of each ${unit}`,
      x,
      y,
      marks: [dots, path(points)],
    };
  });
  return section({
    id: 'days',
    title: best.verdict === 'above' ? `${label(best.type)} was ${aheadOf(best.days)}` : 'Over time',
    says: `Each dot is the median difference to BTC of one ${unit} (UTC) after 24 h; the line is that of seven ${plural} together.`,
    picture: [multiples(panels), note(beyond > 0 && `Outside the picture: ${pluralize(beyond, 'dot')}.`)],
  });
}

/** The beginning, middle and medians of each period that has any. */
function courseOf(own: readonly Difference[], periods: Periods) {
  const inPeriods = periods.split(own, ({ card }) => card.at).map((all) => all.map(({ value }) => value));
  return inPeriods.flatMap((values, index) => {
    if (values.length === 0) return [];
    const at = periods.startOf(index);
    const around = inPeriods.slice(Math.max(0, index - REACH), index + REACH + 1).flat();
    const middle = (at + periods.startOf(index + 1)) / 2;
    return [{ at, middle, size: values.length, median: medianOf(values), running: medianOf(around) }];
  });
}
