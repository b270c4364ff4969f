import { max } from 'd3-array';
import type { Row } from '../outcomes/row.ts';
import { dayNumber, utcDay } from '../runtime/units.ts';
import { countAxis, dayAxis } from './axis.ts';
import { count, counted } from './format.ts';
import { html, type Markup } from './markup.ts';
import type { Periods } from './periods.ts';
import { bar, plot } from './plot.ts';
import { section } from './section.ts';
import { type Change, changeRules } from './small-multiples.ts';

const HEIGHT = 130;

/** How many cards came, and of how many the outcome was bought. */
export function perDaySection(cards: readonly Row[], periods: Periods, changes: readonly Change[]): Markup {
  const bars = periods
    .split(cards, ({ at }) => at)
    .map((own, index) => ({ at: periods.startOf(index), cards: own.length, bought: boughtOf(own) }));
  const { unit } = periods;
  const x = dayAxis(periods.first, periods.last);
  const y = countAxis(max(bars, (one) => one.cards) ?? 0, HEIGHT);
  const gap = bars.length > 60 ? 0 : 0.12;
  return section({
    id: 'cards',
    title: `Cards and bought outcomes per ${unit}`,
    says: saysOf(cards, periods),
    picture: [
      legend([
        ['cards', html`<rect class="bar" width="12" height="12"/>`],
        ['outcome bought', html`<rect class="bar bought" width="12" height="12"/>`],
        ...(changes.length === 0
          ? []
          : ([['settings changed', html`<line class="change" x1="6" y1="0" x2="6" y2="12"/>`]] as const)),
      ]),
      plot({
        label: `Cards per ${unit}, and how many outcomes of them were bought`,
        height: HEIGHT,
        x,
        y,
        marks: [
          bars.map((one, index) => {
            const from = x.at(one.at);
            const to = x.at(periods.startOf(index + 1));
            const inset = (to - from) * gap;
            const title = `${utcDay(one.at)}: ${counted(one.cards, 'card')}, ${counted(one.bought, 'outcome')} bought`;
            const drawn = (value: number, look: string) =>
              value > 0 && bar(from + inset, to - inset, y.at(value), HEIGHT, look, title);
            return [drawn(one.cards, 'bar'), drawn(one.bought, 'bar bought')];
          }),
          changeRules(changes, x, HEIGHT),
        ],
      }),
    ],
    numbers: {
      head: [unit === 'day' ? 'UTC day' : 'From', 'Cards', 'Outcomes bought'],
      rows: bars.map((one) => [utcDay(one.at), count(one.cards), count(one.bought)]),
    },
  });
}

/** What the marks of a picture mean. */
function legend(entries: readonly (readonly [name: string, mark: Markup])[]): Markup {
  return html`<ul class="legend">${entries.map(([name, mark]) => html`<li><svg aria-hidden="true" width="12" height="12">${mark}</svg>${name}</li>`)}</ul>
`;
}

function boughtOf(cards: readonly Row[]): number {
  return cards.filter(({ isBought }) => isBought).length;
}

function saysOf(cards: readonly Row[], { days }: Periods): string {
  const silent = days - new Set(cards.map(({ at }) => dayNumber(at))).size;
  const quiet = silent === 0 ? '' : ` On ${silent === 1 ? 'one day' : `${count(silent)} days`} there was no card.`;
  return `${counted(cards.length, 'card')} on ${counted(days, 'day')}.${quiet}`;
}
