import { DAY, dayNumber } from '../runtime/units.ts';

/** The UTC days of a window, several together where there are too many to draw. Times are epoch milliseconds UTC. */
export interface Periods {
  readonly first: number;
  readonly last: number;
  readonly days: number;
  /** `day`, `week` or `28 days`. */
  readonly unit: string;
  /** All by the period that their times lie in; a period may have none. */
  split<T>(all: Iterable<T>, timeOf: (one: T) => number): T[][];
  startOf(index: number): number;
}

/** More bars than that are no longer told from one another on a phone. */
const MOST = 190;

export function periodsOf(firstTime: number, lastTime: number): Periods {
  const first = dayNumber(firstTime) * DAY;
  const last = dayNumber(lastTime) * DAY;
  const days = Math.round((last - first) / DAY) + 1;
  const step = days <= MOST ? 1 : 7 * Math.ceil(days / 7 / MOST);
  return {
    first,
    last,
    days,
    unit: step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`,
    split<T>(all: Iterable<T>, timeOf: (one: T) => number) {
      const periods: T[][] = Array.from({ length: Math.ceil(days / step) }, () => []);
      for (const one of all) periods[Math.floor((timeOf(one) - first) / (step * DAY))]?.push(one);
      return periods;
    },
    startOf: (index) => first + index * step * DAY,
  };
}
