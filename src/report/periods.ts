import { DAY, dayNumber } from '../runtime/units.ts';

export type Periods = ReturnType<typeof periodsOf>;

/** More bars than that are no longer told from one another on a phone. */
const MOST = 190;

/** The UTC days of a window, several together where there are too many to draw. Times are epoch milliseconds UTC. */
export function periodsOf(firstTime: number, lastTime: number) {
  const first = dayNumber(firstTime) * DAY;
  const last = dayNumber(lastTime) * DAY;
  const days = Math.round((last - first) / DAY) + 1;
  const step = days <= MOST ? 1 : 7 * Math.ceil(days / 7 / MOST);
  return {
    first,
    last,
    days,
    /** `day`, `week` or `28 days`. */
    unit: step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`,
    /** All by the period that their times lie in; a period may have none. */
    split<T>(all: Iterable<T>, timeOf: (one: T) => number) {
      const periods: T[][] = Array.from({ length: Math.ceil(days / step) }, () => []);
      for (const one of all) periods[Math.floor((timeOf(one) - first) / (step * DAY))]?.push(one);
      return periods;
    },
    startOf: (index: number) => first + index * step * DAY,
  };
}
