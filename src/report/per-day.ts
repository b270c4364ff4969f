import { max } from 'd3-array';
import type { SettingsChange } from '../history/store/answers.ts';
import type { Row } from '../outcomes/row.ts';
import { dayNumber, pluralize, utcDay } from '../runtime/units.ts';
import { countAxis, dayAxis } from './axis.ts';
import { html, label, type Markup, section } from './markup.ts';
import type { Periods } from './periods.ts';
import { bar, HEIGHT, plot, rule } from './plot.ts';

export function perDaySection(cards: readonly Row[], periods: Periods, changes: readonly SettingsChange[]): Markup {
  const { unit, days } = periods;
  const bars = periods
    .split(cards, ({ at }) => at)
    .map((own, index) => {
      const [at, next] = [periods.startOf(index), periods.startOf(index + 1)];
      const bought = own.filter(({ isBought }) => isBought).length;
      const title = `${utcDay(at)}: ${pluralize(own.length, 'card')}, ${pluralize(bought, 'outcome')} bought`;
      return { at, next, sizes: { bar: own.length, 'bar bought': bought }, title };
    });
  const x = dayAxis(periods.first, periods.last);
  const y = countAxis(max(bars, ({ sizes }) => sizes.bar) ?? 0, HEIGHT);
  const marks = bars.map(({ at, next, sizes, title }) =>
    Object.entries(sizes).map(([look, size]) => size > 0 && bar(x.at(at), x.at(next), y.at(size), HEIGHT, look, title)),
  );
  const changed = changes.map(({ at, types }) => {
    const title = `${utcDay(at)}: settings of ${types.map(label).join(', ')} changed`;
    return html`<g><title>${title}</title>${rule(x.at(at), 0, x.at(at), HEIGHT, 'change')}</g>`;
  });
  const silent = days - new Set(cards.map(({ at }) => dayNumber(at))).size;
  const quiet = silent === 0 ? '' : ` On ${pluralize(silent, 'day')} there was no card.`;
  return section({
    id: 'cards',
    title: `${pluralize(cards.length, 'card')} in ${pluralize(days, 'day')}`,
    says: html`Cards per ${unit} (UTC), and <b class="bought">those whose outcome was bought</b>.${quiet}${changes.length > 0 && ' A dashed line marks a change of settings.'}`,
    picture: plot({
      label: `Cards per ${unit}, and how many outcomes were bought`,
      x,
      y,
      marks: [marks, changed],
    }),
  });
}
