import { dot, upright } from './marks.ts';
import { html, type Markup } from './markup.ts';
import { plot } from './plot.ts';
import { count, signed, signedAxis, signedScale } from './scales.ts';
import { section } from './section.ts';

/** The outcomes triggered in one hour of the day, or on one day of the week (UTC). */
export interface ClockGroup {
  /** `13` or `Tue`. */
  readonly name: string;
  readonly sample: number;
  /** Median difference to BTC, percentage points; null where none is measured. */
  readonly estimate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

const HEIGHT = 160;

/** @param different groups whose verdict says that they differ from BTC */
export function clockSection(
  hours: readonly ClockGroup[],
  weekdays: readonly ClockGroup[],
  horizon: string,
  different: number,
): Markup {
  const measured = [...hours, ...weekdays].filter(({ estimate }) => estimate !== null).length;
  return section({
    id: 'clock',
    title: 'Hours and weekdays of the trigger',
    says:
      measured === 0
        ? `No difference to BTC after ${horizon} is measured yet.`
        : different === 0
          ? `Median difference to BTC after ${horizon}, with 95 % intervals. No hour and no weekday differs from BTC by more than chance explains.`
          : `Median difference to BTC after ${horizon}, with 95 % intervals. ${different === 1 ? 'One of them differs' : `${count(different)} of them differ`} from BTC by more than chance explains.`,
    picture: measured > 0 && [
      picture(hours, 'Hour of the day, UTC', horizon),
      picture(weekdays, 'Day of the week, UTC', horizon),
    ],
    numbers: {
      head: ['Trigger', 'Outcomes', 'Median difference, pp', '95 % from', 'to'],
      rows: [...hours, ...weekdays]
        .filter(({ sample }) => sample > 0)
        .map(({ name, sample, estimate, interval }) => [
          name,
          count(sample),
          estimate === null ? '' : signed(estimate),
          interval === null ? '' : signed(interval.low),
          interval === null ? '' : signed(interval.high),
        ]),
    },
  });
}

function picture(groups: readonly ClockGroup[], title: string, horizon: string): Markup {
  const estimates = groups.flatMap(({ estimate }) => (estimate === null ? [] : [estimate]));
  const ends = groups.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high]));
  const scale = signedScale([...estimates, ...ends], 4);
  const y = (value: number) => HEIGHT * (1 - scale(value));
  // Every third hour has its name: on a phone there is room for no more.
  const every = groups.length > 12 ? 3 : 1;
  const middle = (index: number) => (index + 0.5) / groups.length;
  return html`${plot({
    label: `Median difference to BTC after ${horizon} by ${title.toLowerCase()}`,
    height: HEIGHT,
    x: {
      title,
      ticks: groups.flatMap(({ name }, index) => (index % every === 0 ? [{ at: middle(index), text: name }] : [])),
    },
    y: signedAxis(scale, 'Median difference to BTC, percentage points', 4),
    marks: groups.map(({ name, sample, estimate, interval }, index) => {
      if (estimate === null) return undefined;
      const range = interval === null ? 'no interval' : `95 % from ${signed(interval.low)} to ${signed(interval.high)}`;
      return [
        interval !== null && upright(middle(index), y(interval.high), y(interval.low), 'iv s0'),
        dot(middle(index), y(estimate), 4, 'k0', `${name}: ${signed(estimate)}, ${range}, ${count(sample)} outcomes`),
      ];
    }),
  })}`;
}
