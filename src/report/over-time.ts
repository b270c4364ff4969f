/** Cards and bought outcomes of each day or week, and the medians of each type. */
import { bin, max, range } from 'd3-array';
import type { SettingsChange } from '../history/store/answers.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Row } from '../outcomes/row.ts';
import { DAY, dayNumber, pluralize, utcDay } from '../runtime/units.ts';
import { medianOf, sortedOf } from '../statistics/quantile.ts';
import { html, label, type Markup, note, section, signed } from './markup.ts';
import { bar, countAxis, dayAxis, dot, HEIGHT, multiples, path, plot, rule, signedAxis, UPRIGHT } from './plot.ts';
import { type DrawnType, isHeadline, MOST_PANELS, usual } from './spread.ts';

type Periods = ReturnType<typeof periodsOf>;

/** More bars than that are no longer told from one another on a phone. */
const MOST_BARS = 190;

/** The UTC days of a window, several together where there are too many to draw. Times are epoch milliseconds UTC. */
export function periodsOf(firstTime: number, lastTime: number) {
  const [first, end] = [dayNumber(firstTime) * DAY, dayNumber(lastTime + DAY) * DAY];
  const days = (end - first) / DAY;
  const step = days <= MOST_BARS ? 1 : 7 * Math.ceil(days / 7 / MOST_BARS);
  const starts = range(first, end, step * DAY);
  return {
    first,
    end,
    days,
    /** `day`, `week` or `28 days`. */
    unit: step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`,
    /** All by the period that their times lie in, from `x0` to `x1`; a period may have none. */
    split: <T>(all: readonly T[], timeOf: (one: T) => number) =>
      bin<T, number>().value(timeOf).domain([first, end]).thresholds(starts)(all),
  };
}

export function perDaySection(cards: readonly Row[], periods: Periods, changes: readonly SettingsChange[]): Markup {
  const { first, end, unit, days } = periods;
  const bins = periods.split(cards, ({ at }) => at);
  const x = dayAxis(first, end);
  const y = countAxis(max(bins, ({ length }) => length) ?? 0);
  const bars = bins.map((own) => {
    const { x0: at = 0, x1: next = 0 } = own;
    const bought = own.filter(({ isBought }) => isBought).length;
    const title = `${utcDay(at)}: ${pluralize(own.length, 'card')}, ${pluralize(bought, 'outcome')} bought`;
    return Object.entries({ bar: own.length, 'bar bought': bought }).map(
      ([look, size]) => size > 0 && bar(x.at(at), x.at(next), y.at(size), HEIGHT, look, title),
    );
  });
  const changed = changes.map(({ at, types }) => {
    const title = `${utcDay(at)}: settings of ${types.map(label).join(', ')} changed`;
    return html`<g><title>${title}</title>${rule(x.at(at), 0, x.at(at), HEIGHT, 'change')}</g>`;
  });
  const silent = days - new Set(cards.map(({ at }) => dayNumber(at))).size;
  const quiet = silent > 0 && ` On ${pluralize(silent, 'day')} there was no card.`;
  return section(
    'cards',
    `${pluralize(cards.length, 'card')} in ${pluralize(days, 'day')}`,
    html`Cards per ${unit} (UTC), and <b class="bought">those whose outcome was bought</b>.${quiet}${changes.length > 0 && ' A dashed line marks a change of settings.'}`,
    plot({ label: `Cards per ${unit}, and how many outcomes were bought`, x, y, marks: [bars, changed] }),
  );
}

/** The median of each day and the median of seven days together. */
export function daysSection(types: readonly DrawnType[], periods: Periods): Markup | undefined {
  const courses = types
    .filter(({ verdict }) => verdict !== 'too_few_days')
    .slice(0, MOST_PANELS)
    .map((one) => ({ ...one, days: courseOf(one.own, periods) }));
  const [best] = courses;
  if (best === undefined || courses.every(({ days }) => days.length < 2)) return undefined;
  const all = courses.flatMap(({ days }) => days);
  const y = signedAxis(
    [...usual(sortedOf(all.map(({ median }) => median))), ...all.map(({ running }) => running)],
    UPRIGHT,
  );
  const x = dayAxis(periods.first, periods.end, 3);
  const isInside = ({ median }: { median: number }) => median >= y.low && median <= y.high;
  const beyond = all.filter((day) => !isInside(day)).length;
  const { unit } = periods;
  const plural = unit === 'day' || unit === 'week' ? `${unit}s` : 'periods';
  const aheadOf = (days: ReturnType<typeof courseOf>) =>
    `above BTC on ${days.filter(({ median }) => median > 0).length} of ${days.length} ${plural}`;
  const panels = courses.map(({ type, verdict, own, days }) => {
    const dots = days.filter(isInside).map(({ at, middle, size, median }) => {
      const title = `${utcDay(at)}: ${signed(median)} pp, ${pluralize(size, 'outcome')}`;
      return dot(x.at(middle), y.at(median), 2, 'pt', title);
    });
    const line = path(days.map(({ middle, running }) => [x.at(middle), y.at(running)]));
    const label = `median difference to BTC after 24 h of each ${unit}`;
    return { type, verdict, says: `${own.length} bought, ${aheadOf(days)}`, label, x, y, marks: [dots, line] };
  });
  return section(
    'days',
    isHeadline(best) ? `${label(best.type)} was ${aheadOf(best.days)}` : 'Over time',
    `Each dot is the median difference to BTC of one ${unit} (UTC) after 24 h; the line is that of seven ${plural} together.`,
    multiples(panels),
    note(beyond > 0 && `Outside the picture: ${pluralize(beyond, 'dot')}.`),
  );
}

/** Periods of the running median: the one it is drawn at and three to either side. */
const REACH = 3;

function courseOf(differences: readonly Difference[], periods: Periods) {
  const bins = periods.split(differences, ({ card }) => card.at);
  const medianIn = (some: readonly Difference[]) => medianOf(some.map(({ value }) => value));
  return bins.flatMap((own, index) => {
    const { x0: at = 0, x1: end = 0, length: size } = own;
    const around = bins.slice(Math.max(0, index - REACH), index + REACH + 1).flat();
    return size === 0 ? [] : [{ at, middle: (at + end) / 2, size, median: medianIn(own), running: medianIn(around) }];
  });
}
