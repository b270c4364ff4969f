import { max } from 'd3-array';
import { DAY } from '../runtime/units.ts';
import { bar } from './marks.ts';
import type { Markup } from './markup.ts';
import { html } from './markup.ts';
import { plot } from './plot.ts';
import { count, countAxis, countScale, dayAxis, dayText } from './scales.ts';
import { section } from './section.ts';

/** A UTC day, or several where there are too many to draw. */
export interface DayCount {
  /** Its beginning, epoch milliseconds UTC. */
  readonly at: number;
  readonly cards: number;
  /** Cards of it whose outcome was bought. */
  readonly bought: number;
}

const HEIGHT = 180;
/** More bars than that are no longer told from one another on a phone. */
const MOST_BARS = 190;

/** Days drawn as one bar: 1, a week, or four weeks and their multiples. */
export function daysPerBar(days: number): number {
  if (days <= MOST_BARS) return 1;
  if (days <= MOST_BARS * 7) return 7;
  return 28 * Math.ceil(days / 28 / MOST_BARS);
}

/** @param days every day of the window in its order, empty ones included */
export function perDaySection(days: readonly DayCount[]): Markup {
  const first = days[0]?.at ?? 0;
  const last = days.at(-1)?.at ?? 0;
  const step = daysPerBar(days.length);
  const bars = Array.from({ length: Math.ceil(days.length / step) }, (_, index) =>
    together(days.slice(index * step, (index + 1) * step)),
  );
  const { scale, axis } = dayAxis(first, last);
  const counts = countScale(max(bars, ({ cards }) => cards) ?? 0);
  const y = (value: number) => HEIGHT * (1 - counts(value));
  const cards = days.reduce((sum, day) => sum + day.cards, 0);
  const bought = days.reduce((sum, day) => sum + day.bought, 0);
  const unit = step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`;
  const gap = bars.length > 60 ? 0 : 0.12;
  return section({
    id: 'cards',
    title: `Cards and bought outcomes per ${unit}`,
    says: saysOf(cards, bought, days),
    picture: [
      LEGEND,
      plot({
        label: `Cards per ${unit}, and how many outcomes of them were bought`,
        height: HEIGHT,
        x: axis,
        y: countAxis(counts, `Cards per ${unit}`),
        marks: bars.map(({ at, cards: all, bought: had }) => {
          const from = scale(at);
          const to = Math.min(1, scale(at + step * DAY));
          const inset = (to - from) * gap;
          const title = `${dayText(at, true)}: ${count(all)} cards, ${count(had)} outcomes bought`;
          return [
            bar(from + inset, to - inset, y(all), HEIGHT, 'bar', title),
            had > 0 && bar(from + inset, to - inset, y(had), HEIGHT, 'bar bought', title),
          ];
        }),
      }),
    ],
    numbers: {
      head: [step === 1 ? 'UTC day' : 'From', 'Cards', 'Outcomes bought'],
      rows: bars.map(({ at, cards: all, bought: had }) => [isoDay(at), count(all), count(had)]),
    },
  });
}

const LEGEND = html`<ul class="legend"><li><svg aria-hidden="true" width="12" height="12"><rect class="bar" width="12" height="12"/></svg>cards</li><li><svg aria-hidden="true" width="12" height="12"><rect class="bar bought" width="12" height="12"/></svg>outcome bought</li></ul>
`;

function saysOf(cards: number, bought: number, days: readonly DayCount[]): string {
  const silent = days.filter((day) => day.cards === 0).length;
  const share =
    cards === 0 ? '' : ` The outcomes of ${count(bought)} were bought, ${Math.round((100 * bought) / cards)} %.`;
  const quiet = silent === 0 ? '' : ` On ${silent === 1 ? 'one day' : `${count(silent)} days`} there was no card.`;
  return `${count(cards)} ${cards === 1 ? 'card' : 'cards'} on ${count(days.length)} ${days.length === 1 ? 'day' : 'days'}.${share}${quiet}`;
}

export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function together(days: readonly DayCount[]): DayCount {
  return {
    at: days[0]?.at ?? 0,
    cards: days.reduce((sum, day) => sum + day.cards, 0),
    bought: days.reduce((sum, day) => sum + day.bought, 0),
  };
}
