/** Cards and bought outcomes of each day or week. */
import { bin, max, range } from 'd3-array';
import { DAY, dayNumber, pluralize, utcDay } from '../base/units.ts';
import type { SettingsChange } from '../history/store/answers.ts';
import type { Row } from '../outcomes/row.ts';
import { html, label, type Markup, section } from './markup.ts';
import { bar, countAxis, dayAxis, HEIGHT, plot, rule } from './plot.ts';

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

export function perDaySection(
  cards: readonly Row[],
  periods: Periods,
  changes: readonly SettingsChange[],
): Markup {
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
    plot({
      label: `Cards per ${unit}, and how many outcomes were bought`,
      x,
      y,
      marks: [bars, changed],
    }),
  );
}
