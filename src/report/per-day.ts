import { max } from 'd3-array';
import type { Row } from '../outcomes/row.ts';
import { dayNumber, utcDay } from '../runtime/units.ts';
import { countAxis, dayAxis } from './axis.ts';
import { count, counted } from './format.ts';
import { html, type Markup } from './markup.ts';
import type { Periods } from './periods.ts';
import { bar, type Change, changeMarks, plot } from './plot.ts';
import { section } from './section.ts';

const HEIGHT = 130;

export function perDaySection(cards: readonly Row[], periods: Periods, changes: readonly Change[]): Markup {
  const { unit, days } = periods;
  const bars = periods
    .split(cards, ({ at }) => at)
    .map((own, index) => {
      return { at: periods.startOf(index), cards: own.length, bought: own.filter(({ isBought }) => isBought).length };
    });
  const x = dayAxis(periods.first, periods.last);
  const y = countAxis(max(bars, (one) => one.cards) ?? 0, HEIGHT);
  const gap = bars.length > 60 ? 0 : 0.12;
  const marks = bars.map((one, index) => {
    const [from, to] = [x.at(one.at), x.at(periods.startOf(index + 1))];
    const inset = (to - from) * gap;
    const title = `${utcDay(one.at)}: ${counted(one.cards, 'card')}, ${counted(one.bought, 'outcome')} bought`;
    const drawn = (value: number, look: string) =>
      value > 0 && bar(from + inset, to - inset, y.at(value), HEIGHT, look, title);
    return [drawn(one.cards, 'bar'), drawn(one.bought, 'bar bought')];
  });
  const silent = days - new Set(cards.map(({ at }) => dayNumber(at))).size;
  const quiet = silent === 0 ? '' : ` On ${silent === 1 ? 'one day' : `${count(silent)} days`} there was no card.`;
  return section({
    id: 'cards',
    title: `Cards and bought outcomes per ${unit}`,
    says: `${counted(cards.length, 'card')} on ${counted(days, 'day')}.${quiet}`,
    picture: [
      html`<ul class="legend">${legend('cards', html`<rect class="bar" width="12" height="12"/>`)}${legend('outcome bought', html`<rect class="bar bought" width="12" height="12"/>`)}${
        changes.length > 0 && legend('settings changed', html`<line class="change" x1="6" y1="0" x2="6" y2="12"/>`)
      }</ul>\n`,
      plot({
        label: `Cards per ${unit}, and how many outcomes of them were bought`,
        height: HEIGHT,
        x,
        y,
        marks: [marks, changeMarks(changes, x, HEIGHT)],
      }),
    ],
    numbers: {
      head: [unit === 'day' ? 'UTC day' : 'From', 'Cards', 'Outcomes bought'],
      rows: bars.map((one) => [utcDay(one.at), count(one.cards), count(one.bought)]),
    },
  });
}

function legend(name: string, mark: Markup): Markup {
  return html`<li><svg aria-hidden="true" width="12" height="12">${mark}</svg>${name}</li>`;
}
