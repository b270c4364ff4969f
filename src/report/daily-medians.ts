import { quantile, sortedOf } from '../outcomes/quantile.ts';
import type { Move } from '../outcomes/row.ts';
import { utcDay } from '../runtime/units.ts';
import { central, dayAxis, signedAxis } from './axis.ts';
import { count, counted, signed } from './format.ts';
import type { Markup } from './markup.ts';
import type { Periods } from './periods.ts';
import { dot, path, plot } from './plot.ts';
import { note, outside, section } from './section.ts';

const HEIGHT = 220;
/** Periods of the running median: the one it is drawn at and three to either side. */
const REACH = 3;

/** Medians by day, and the running median of seven days' moves after 24 h. */
export function dailyMediansSection(moves: readonly Move[], periods: Periods): Markup {
  const inPeriods: number[][] = Array.from({ length: periods.count }, () => []);
  for (const { card, move } of moves) inPeriods[periods.indexOf(card.at)]?.push(move);
  const days = inPeriods.flatMap((own, index) => {
    if (own.length === 0) return [];
    const around = inPeriods.slice(Math.max(0, index - REACH), index + REACH + 1).flat();
    return [{ index, at: periods.startOf(index), size: own.length, median: medianOf(own), running: medianOf(around) }];
  });
  const medians = days.map(({ median }) => median);
  const shown = medians.length > 60 ? central(sortedOf(medians), 0.98) : medians;
  const x = dayAxis(periods.first, periods.last);
  const y = signedAxis('Median move after 24 h, percent', [...shown, ...days.map(({ running }) => running)], {
    height: HEIGHT,
  });
  const placeOf = (index: number) => x.at((periods.startOf(index) + periods.startOf(index + 1)) / 2);
  const inside = days.filter(({ median }) => median >= y.low && median <= y.high);
  const line = inPeriods.map((): readonly [number, number] | undefined => undefined);
  for (const { index, running } of days) line[index] = [placeOf(index), y.at(running)];
  const up = medians.filter((value) => value > 0).length;
  const { unit } = periods;
  const plural = unit === 'day' ? 'days' : 'periods';
  return section({
    id: 'days',
    title: `The median of each ${unit}`,
    says:
      days.length < 2
        ? `It takes moves after 24 h of two ${plural} to draw their course.`
        : `After 24 h the median move was upwards on ${count(up)} of ${count(days.length)} ${plural}. The line is the median of seven ${plural} together.`,
    picture: days.length > 1 && [
      plot({
        label: `Median move after 24 h of each ${unit}`,
        height: HEIGHT,
        x,
        y,
        marks: [
          inside.map(({ index, at, size, median }) => {
            const title = `${utcDay(at)}: ${signed(median)} %, ${counted(size, 'outcome')}`;
            return dot(placeOf(index), y.at(median), Math.min(5, 2 + Math.sqrt(size) / 2.5), 'pt', title);
          }),
          path(line, HEIGHT, 'run'),
        ],
      }),
      note(outside(days.length - inside.length, 'dot')),
    ],
    numbers: {
      head: [unit === 'day' ? 'UTC day' : 'From', 'Outcomes', 'Median, %', 'Running median, %'],
      rows: days.map(({ at, size, median, running }) => [utcDay(at), count(size), signed(median), signed(running)]),
    },
  });
}

function medianOf(values: readonly number[]): number {
  return quantile(sortedOf(values), 0.5);
}
