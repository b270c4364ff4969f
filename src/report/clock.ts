import type { Comparison, HorizonFigures } from '../outcomes/figure-table.ts';
import { WEEKDAYS } from '../outcomes/group.ts';
import { nameAxis } from './axis.ts';
import { differs, ESTIMATE_HEAD, estimateAxis, estimateCells, estimateText } from './estimate.ts';
import { count } from './format.ts';
import type { Markup } from './markup.ts';
import { dot, plot, rule } from './plot.ts';
import { section } from './section.ts';

const HEIGHT = 160;
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** By hour (`13`) or weekday (`Tue`), after 24 h. */
type Groups = readonly (readonly [name: string, figures: HorizonFigures])[];

/** The hours of the day and the days of the week (UTC) at which cards came. */
export function clockSection(byHour: Comparison, byWeekday: Comparison): Markup {
  const hours = measured(byHour);
  const weekdays = measured(byWeekday);
  const all = [...hours, ...weekdays];
  return section({
    id: 'clock',
    title: 'Hours and weekdays of the trigger',
    says: all.length === 0 ? 'No difference to BTC after 24 h is measured yet.' : saysOf(all),
    picture: all.length > 0 && [
      picture(hours, HOURS, 'Hour of the day, UTC'),
      picture(weekdays, WEEKDAYS, 'Day of the week, UTC'),
    ],
    numbers: {
      head: ['Trigger', 'Outcomes', ...ESTIMATE_HEAD],
      rows: all.map(([name, figures]) => [name, count(figures.btc_sample), ...estimateCells(figures)]),
    },
  });
}

function measured({ groups }: Comparison): Groups {
  return groups.flatMap(({ group, horizons }) =>
    horizons['24h'].btc_sample === 0 ? [] : [[group ?? '', horizons['24h']] as const],
  );
}

function saysOf(all: Groups): string {
  const says = 'Median difference to BTC after 24 h, with 95 % intervals.';
  if (all.every(([, { verdict }]) => verdict === 'too_few_days')) return `${says} It takes six days to give any.`;
  const different = all.filter(([, figures]) => differs(figures)).length;
  const found =
    different === 0
      ? 'No hour and no weekday differs'
      : different === 1
        ? 'One of them differs'
        : `${count(different)} of them differ`;
  return `${says} ${found} from BTC by more than chance explains.`;
}

function picture(groups: Groups, names: readonly string[], title: string): Markup {
  const x = nameAxis(title, names);
  const { axis: y, edge } = estimateAxis(
    'Median difference to BTC, percentage points',
    groups.map(([, figures]) => figures),
    { height: HEIGHT, ticks: 4 },
  );
  return plot({
    label: `Median difference to BTC after 24 h. ${title}`,
    height: HEIGHT,
    x,
    y,
    marks: groups.map(([name, figures]) => {
      const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval, weak } = figures;
      const at = x.at(names.indexOf(name));
      return [
        interval !== null && rule(at, edge(interval.high), at, edge(interval.low), `iv s0${weak ? ' weak' : ''}`),
        dot(at, y.at(estimate ?? 0), 4, 'k0', estimateText(name, figures)),
      ];
    }),
  });
}
