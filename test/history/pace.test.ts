/** How the month's credits are shared out over its days. */
import { describe, expect, it } from 'vitest';
import { run as plan } from '../../src/commands/signals-export.ts';
import { type Outlook, outlookSentence } from '../../src/history/export/outlook.ts';
import { History } from '../../src/history/store/history.ts';
import { chance } from '../../src/sandbox/market/noise.ts';
import { cardsFrom, DAY, exports, invocationOf, setUp, stored } from './support.ts';

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
async function month({ perDay, before = 8, start, days, runsPerDay = 1, neighbour = () => 0, keep }: World) {
  const details = cardsFrom(start - before * DAY, perDay * (days + before), perDay);
  const { service, dir } = setUp({ details, now: start, monthCredits: 1000, dayCredits: 150 });
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

it.each([
  [
    'more comes due than a month covers',
    15,
    0,
    'about 225 are bought by 1 Dec, when the credits reset; after that, 7 of the 15 that come due each day, chosen at random',
  ],
  ['the next month covers what this one leaves', 3, 210, 'all are bought by 1 Dec'],
  ['this month covers all', 2, 0, 'all are bought by 16 Nov'],
])('what exports will buy is foreseen within a tenth: %s', async (_, perDay, spent, sentence) => {
  const start = Date.UTC(2026, 10, 16, 6);
  const details = cardsFrom(start - 30 * DAY, perDay * 75, perDay);
  const { service, dir } = setUp({ details, now: start - DAY, monthCredits: 300 });
  for (let i = 0; i < spent; i += 1) await service.connect().client.call('snapshot', {});
  await service.clock.sleep(DAY);
  let foreseen: Outlook | undefined;
  const bought: number[] = [];
  const waiting: number[] = [];
  for await (const { summary, run } of exports(dir, service, 45, { screeners: true })) {
    bought.push(summary.outcomes);
    waiting.push(summary.remaining.outcomes_due);
    if (run > 0) continue;
    const connection = service.connect();
    await connection.client.call('access', {});
    const quote = { ...invocationOf({ service, plan: true }), connect: async () => connection };
    const history = new History(dir, quote.notes);
    await plan(quote, { history, outcomes: true, screeners: false, stats: false });
    foreseen = (quote.said.results[0] as { outlook: Outlook }).outlook;
  }
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
  expect(foreseen && outlookSentence(foreseen)).toBe(sentence);
  const { bought_by_reset = 0, bought_a_day_then = 0 } = foreseen ?? {};
  expect(Math.abs(sum(bought.slice(1, 15)) / bought_by_reset - 1)).toBeLessThan(0.1);
  expect(Math.abs(sum(bought.slice(15)) / 30 / bought_a_day_then - 1)).toBeLessThan(0.1);
  const caughtUp = foreseen?.all_bought_by == null ? 45 : (Date.parse(foreseen.all_bought_by) - start) / DAY;
  expect(waiting.findLastIndex((due) => due > 0) + 1).toBeCloseTo(caughtUp, -1);
});
