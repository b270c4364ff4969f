/** How the month's credits are shared out over its days. */
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { chance } from '../../src/sandbox/market/noise.ts';
import { cardOf, DAY, directory, exports, Service, stored } from './support.ts';

interface World {
  /** Cards a day, from `before` days before the first run on. */
  readonly perDay: number;
  readonly before?: number;
  /** Epoch milliseconds UTC of the first run. */
  readonly start: number;
  readonly days: number;
  readonly runsPerDay?: number;
  /** Credits that another machine spends on a day. */
  readonly neighbour?: (day: number) => number;
  readonly keep?: number;
}

/** Outcomes that were bought on each day; what was left of the month's credits at the end of each. */
async function month({ perDay, before = 30, start, days, runsPerDay = 1, neighbour = () => 0, keep }: World) {
  const all: SignalDetail[] = Array.from({ length: perDay * (days + before) }, (_, i) => {
    const created_at = new Date(start - before * DAY + i * (DAY / perDay)).toISOString();
    return { ...cardOf(i + 1, 0), created_at };
  });
  const service = new Service({ details: all, now: start, monthCredits: 1000, dayCredits: 150 });
  const dir = directory();
  const outcomes: number[] = [];
  const left: number[] = [];
  for await (const { run, summary } of exports(dir, service, runsPerDay * days, { keep }, DAY / runsPerDay)) {
    const day = Math.floor(run / runsPerDay);
    expect([day, summary.remaining.list]).toEqual([day, false]);
    if (run % runsPerDay === 0) service.neighbour(neighbour(day));
    outcomes[day] = (outcomes[day] ?? 0) + summary.outcomes;
    left[day] = service.left;
  }
  return { outcomes, left, cards: stored(dir).length };
}

/** Early on the first day of a month. */
const FIRST = Date.UTC(2026, 10, 1, 6);

/** What a day of the second half gets at least, as a share of one of the first half. */
function constancy(outcomes: readonly number[]): number {
  const half = Math.floor(outcomes.length / 2);
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
  return Math.min(...outcomes.slice(half)) / mean(outcomes.slice(1, half));
}

describe("where the month's credits do not cover everything", () => {
  it.each([
    [
      'beside a neighbour of 0 to 15 credits a day',
      { perDay: 46, neighbour: (day: number) => Math.floor(16 * chance(5, day)) },
      570,
    ],
    ['two runs a day in a first month, without a past', { perDay: 46, before: 0, runsPerDay: 2 }, 820],
  ] as const)('every day has its share until the reset: %s', async (_, world, least) => {
    const { outcomes, left } = await month({ start: FIRST, days: 30, ...world });
    const bought = outcomes.reduce((sum, one) => sum + one, 0);
    expect(bought).toBeGreaterThan(least);
    expect(constancy(outcomes)).toBeGreaterThan(0.85);
    expect(Math.max(...outcomes)).toBeLessThan('runsPerDay' in world ? 60 : 45);
    // Nothing to speak of is left over, either.
    expect(left.at(-2)).toBeLessThan(80);
  });

  it('no day is without outcomes beside a neighbour of 0 to 40 credits a day and --keep, nor is the list', async () => {
    const neighbour = (day: number) => Math.floor(41 * chance(6, day));
    const { outcomes, left } = await month({ perDay: 46, start: FIRST, days: 29, neighbour, keep: 100 });
    expect(Math.min(...outcomes)).toBeGreaterThan(0);
    expect(outcomes.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(90);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(100);
  });
});

it('credits that cover what is due and what is to come are spent as outcomes come due', async () => {
  const { outcomes } = await month({ perDay: 10, start: FIRST, days: 30, before: 20, neighbour: () => 3 });
  expect(outcomes.slice(0, 2).reduce((sum, one) => sum + one, 0)).toBe(200);
  expect(new Set(outcomes.slice(2))).toEqual(new Set([10]));
});
