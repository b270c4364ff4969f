/** Cards and bought outcomes of each day or week. */
import { bin, max, range } from 'd3-array';
import { DAY, dayNumber, pluralize, utcDay } from '../base/units.ts';
import type { LookWithChanges } from '../history/store/settings-periods.ts';
import type { HistoryCard } from '../outcomes/history-card.ts';
import { html, label, type Markup, section } from './markup.ts';
import {
  bar,
  countAxis,
  dayAxis,
  HEIGHT,
  legend,
  legendItem,
  line,
  plot,
  swatch,
  uprightItem,
} from './plot.ts';

/**
 * Periods of equal length, from the UTC day of the first card to that of the last; the last period may be shorter. Times are
 * epoch milliseconds UTC.
 */
interface Periods {
  readonly first: number;
  readonly end: number;
  /** How many days all periods have together. */
  readonly days: number;
  /** `day`, `week` or `28 days`. */
  readonly unit: string;
  /** When each period begins. */
  readonly starts: readonly number[];
}

/** More bars cannot be told apart on a phone. */
const MOST_BARS = 190;

/** Periods of a day; if there were more than `MOST_BARS` of them, of a week, of two weeks, and so on. */
export function periodsOf(firstTime: number, lastTime: number): Periods {
  const first = dayNumber(firstTime) * DAY;
  const end = dayNumber(lastTime + DAY) * DAY;
  const days = (end - first) / DAY;
  const weeks = Math.ceil(days / 7 / MOST_BARS);
  const length = days <= MOST_BARS ? 1 : 7 * weeks;
  return { first, end, days, unit: unitOf(length), starts: range(first, end, length * DAY) };
}

/** @param length of a period, days */
function unitOf(length: number): string {
  if (length === 1) return 'day';
  return length === 7 ? 'week' : `${length} days`;
}

export function perDaySection(
  cards: readonly HistoryCard[],
  periods: Periods,
  changes: readonly LookWithChanges[],
): Markup {
  const { first, end, unit, days, starts } = periods;
  // One bin for each period.
  const binned = bin<HistoryCard, number>()
    .value(({ at }) => at)
    .domain([first, end])
    .thresholds([...starts]);
  const bins = binned(cards);
  const x = dayAxis(first, end);
  const y = countAxis(max(bins, ({ length }) => length) ?? 0);
  const bars = bins.map((cardsOfPeriod) => {
    const { x0: from = 0, x1: to = 0 } = cardsOfPeriod;
    const bought = cardsOfPeriod.filter(({ isBought }) => isBought).length;
    const all = cardsOfPeriod.length;
    const title = `${utcDay(from)}: ${pluralize(all, 'card')}, ${pluralize(bought, 'outcome')} bought`;
    const barOf = (className: string, count: number) =>
      count > 0 && bar(x.at(from), x.at(to), y.at(count), HEIGHT, className, title);
    // The bar of the bought cards stands in front of the lower part of the bar of all cards.
    return [barOf('bar', all), barOf('bar bought', bought)];
  });
  const changed = changes.map(({ at, types }) => {
    const title = `${utcDay(at)}: settings of ${types.map(label).join(', ')} changed`;
    return html`<g><title>${title}</title>${line(x.at(at), 0, x.at(at), HEIGHT, 'change')}</g>`;
  });
  const silentDays = days - new Set(cards.map(({ at }) => dayNumber(at))).size;
  const silence = silentDays > 0 && ` On ${pluralize(silentDays, 'day')} there was no card.`;
  const samples = [
    legendItem('cards', swatch('bar')),
    legendItem('those whose outcome was bought', swatch('bar bought')),
    changes.length > 0 && legendItem('settings changed', uprightItem('change')),
  ];
  const picture = plot({
    label: `Cards per ${unit}, and how many outcomes were bought`,
    x,
    y,
    marks: [bars, changed],
  });
  return section(
    'cards',
    `${pluralize(cards.length, 'card')} in ${pluralize(days, 'day')}`,
    html`Cards per ${unit} (UTC).${silence}`,
    html`<div class="frame">${legend(samples)}${picture}</div>`,
  );
}
