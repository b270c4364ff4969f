import { median } from 'd3-array';
import { DAY } from '../runtime/units.ts';
import { dot, path } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { daysPerBar, isoDay } from './per-day.ts';
import { plot } from './plot.ts';
import { central, count, dayAxis, dayText, signed, signedAxis, signedScale } from './scales.ts';
import { section } from './section.ts';

/** A measured move. */
export interface Dated {
  /** Trigger, epoch milliseconds UTC. */
  readonly at: number;
  /** Percent. */
  readonly move: number;
}

const HEIGHT = 220;
/** Periods of the running median: the one it is drawn at and three to either side. */
const REACH = 3;

/**
 * Medians by day, and the running median of seven days' moves.
 * @param first the window's first UTC day, its beginning; last: its last one; epoch milliseconds UTC
 */
export function dailyMediansSection(moves: readonly Dated[], horizon: string, first: number, last: number): Markup {
  const days = Math.round((last - first) / DAY) + 1;
  const step = daysPerBar(days);
  const unit = step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`;
  const periods: number[][] = Array.from({ length: Math.ceil(days / step) }, () => []);
  for (const { at, move } of moves) periods[Math.floor((at - first) / (step * DAY))]?.push(move);
  const medians = periods.map((period) => median(period));
  const running = periods.map((period, index) =>
    period.length === 0 ? undefined : median(periods.slice(Math.max(0, index - REACH), index + REACH + 1).flat()),
  );
  const known = medians.filter((value) => value !== undefined);
  const shown = known.length > 60 ? central(known, 0.98) : known;
  const scale = signedScale([...shown, ...running.filter((value) => value !== undefined)]);
  const [low = 0, high = 0] = scale.domain();
  const { scale: x, axis } = dayAxis(first, last);
  const y = (value: number) => HEIGHT * (1 - scale(value));
  const centre = (index: number) => Math.min(1, x(first + (index + 0.5) * step * DAY));
  const outside = known.filter((value) => value < low || value > high).length;
  const up = known.filter((value) => value > 0).length;
  return section({
    id: 'days',
    title: `The median of each ${unit}`,
    says:
      known.length === 0
        ? `No move after ${horizon} is measured yet.`
        : `After ${horizon} the median move was upwards on ${count(up)} of ${count(known.length)} ${unit === 'day' ? 'days' : 'periods'}. The line is the median of seven ${unit === 'day' ? 'days' : 'periods'} together.`,
    picture: known.length > 0 && [
      plot({
        label: `Median move after ${horizon} of each ${unit}`,
        height: HEIGHT,
        x: axis,
        y: signedAxis(scale, `Median move after ${horizon}, percent`),
        marks: [
          medians.map((value, index) => {
            if (value === undefined || value < low || value > high) return undefined;
            const size = periods[index]?.length ?? 0;
            const title = `${dayText(first + index * step * DAY, true)}: ${signed(value)} %, ${count(size)} ${size === 1 ? 'outcome' : 'outcomes'}`;
            return dot(centre(index), y(value), Math.min(5, 2 + Math.sqrt(size) / 2.5), 'pt', title);
          }),
          path(
            running.map((value, index) => (value === undefined ? undefined : [centre(index), y(value)])),
            HEIGHT,
            'run',
          ),
        ],
      }),
      outside > 0 &&
        html`<p class="note">${count(outside)} ${outside === 1 ? 'dot lies' : 'dots lie'} outside the picture.</p>\n`,
    ],
    numbers: {
      head: [step === 1 ? 'UTC day' : 'From', 'Outcomes', 'Median, %', 'Running median, %'],
      rows: medians.flatMap((value, index) =>
        value === undefined
          ? []
          : [
              [
                isoDay(first + index * step * DAY),
                count(periods[index]?.length ?? 0),
                signed(value),
                signed(running[index] ?? 0),
              ],
            ],
      ),
    },
  });
}
