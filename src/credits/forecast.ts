/** How long the month's credits last, at the rate of the latest days. Pure. */
import { LIMITS } from '../api/limits.ts';
import { DAY, dayNumber } from '../runtime/units.ts';
import { type DaySpending, habit, monthLeft, resetOf, spentIn, type Usage } from './usage.ts';

/** How long the month's credits last. */
export interface CreditForecast {
  /** Credits a day of the latest whole UTC days, up to 14: this machine's and elsewhere. */
  readonly perDay: number;
  /** Credits a day that last until the reset. */
  readonly affordable: number;
  /** When none is left, epoch milliseconds UTC; undefined where some remain at the reset. */
  readonly goneAt: number | undefined;
  /** When commands with --keep have to stop at their reserve, and the largest such reserve. */
  readonly keptFrom: number | undefined;
  readonly keep: number;
  /** Credits left at the reset. */
  readonly leftAtReset: number;
}

/** @returns undefined where `/access` was not asked this month, or nothing is known of any day */
export function forecastCredits(usage: Usage, now: number): CreditForecast | undefined {
  const left = monthLeft(usage, now);
  if (left === undefined || usage.access === null) return undefined;
  const resetsAt = resetOf(usage.access.credits, now);
  const today = dayNumber(now);
  const rates = ratesOf(usage.days, today);
  const daysOfToday = usage.days.filter(({ day }) => day === today);
  const spentToday = ratesOf(daysOfToday, today + 1);
  let remaining = left;
  let goneAt: number | undefined;
  let keptFrom: number | undefined;
  for (let day = today; day * DAY < resetsAt && goneAt === undefined; day += 1) {
    const before = remaining;
    // Commands with the smallest reserve come last to their limit.
    for (const [keep, rate] of rates) {
      const wanted = day === today ? Math.max(0, rate - (spentToday.get(keep) ?? 0)) : rate;
      const allowed = Math.max(0, Math.min(wanted, remaining - keep, LIMITS.creditsPerDay - (before - remaining)));
      if (keep > 0 && remaining - keep < wanted) keptFrom ??= Math.max(now, day * DAY);
      remaining -= allowed;
    }
    const from = Math.max(now, day * DAY);
    if (remaining <= 0 && before > 0) goneAt = from + ((day + 1) * DAY - from) / 2;
  }
  return {
    perDay: sum([...rates.values()]),
    affordable: Math.floor(left / Math.max(1, (resetsAt - now) / DAY)),
    goneAt: goneAt === undefined || goneAt >= resetsAt ? undefined : goneAt,
    keptFrom,
    keep: Math.max(0, ...rates.keys()),
    leftAtReset: Math.max(0, remaining),
  };
}

/** Credits a day by the reserve their commands keep, the largest reserve first; 0 is who keeps none, and elsewhere. */
function ratesOf(days: readonly DaySpending[], today: number): ReadonlyMap<number, number> {
  const { recent, count } = habit(days, today);
  // On the first day there is nothing but that day.
  const whole = recent.filter(({ day }) => day < today);
  const counted = whole.length > 0 ? whole : recent;
  const rates = new Map<number, number>();
  const add = (keep: number, credits: number) => rates.set(keep, (rates.get(keep) ?? 0) + credits / count);
  for (const { operations, elsewhere, kept, firstExport } of counted) {
    // A first export is no habit.
    const own = spentIn(operations).charged - firstExport;
    for (const [keep, credits] of Object.entries(kept)) add(Number(keep), credits);
    add(0, own - sum(Object.values(kept)) + elsewhere);
  }
  return new Map([...rates].sort(([a], [b]) => b - a));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
