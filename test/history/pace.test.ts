/** How the month's credits are shared out over its days, and what is left for the medians of the service. */
import { describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { run as plan } from '../../src/commands/signals-export.ts';
import { type Outlook, outlookSentence } from '../../src/history/export/outlook.ts';
import { appendStats, readStatsLog } from '../../src/history/store/answers.ts';
import { History } from '../../src/history/store/history.ts';
import { withoutOverlap } from '../../src/outcomes/service-answers.ts';
import { chance } from '../../src/sandbox/market/noise.ts';
import { stats } from '../support/samples.ts';
import {
  cardsFrom,
  DAY,
  exportInto,
  exports,
  HOUR,
  invocationOf,
  setUp,
  stored,
} from './support.ts';

interface World {
  /** Cards a day, from `before` days before the first run on. */
  readonly perDay: number;
  readonly before?: number;
  /** Epoch milliseconds UTC of the first run. */
  readonly start: number;
  readonly days: number;
  readonly runsPerDay?: number;
  /** Of the month, which ends with November. */
  readonly credits?: number;
  /** Credits that another machine spends on a day. */
  readonly neighbour?: (day: number) => number;
  readonly keep?: number;
}

/** Outcomes that were bought on each day; what was left of the month's credits at the end of each. */
async function month({
  perDay,
  before = 8,
  start,
  days,
  runsPerDay = 1,
  credits = 1000,
  neighbour = () => 0,
  keep,
}: World) {
  const details = cardsFrom(start - before * DAY, perDay * (days + before), perDay);
  const { service, dir } = setUp({ details, now: start, monthCredits: credits, dayCredits: 150 });
  const outcomes: number[] = [];
  const left: number[] = [];
  for await (const { run, summary } of exports(
    dir,
    service,
    runsPerDay * days,
    { keep },
    DAY / runsPerDay,
  )) {
    const day = Math.floor(run / runsPerDay);
    expect({ day, isListLeft: summary.remaining.list }).toEqual({ day, isListLeft: false });
    if (run % runsPerDay === 0) service.neighbour(neighbour(day));
    outcomes[day] = (outcomes[day] ?? 0) + summary.outcomes;
    left[day] = service.left;
  }
  return { outcomes, left, cards: stored(dir).length };
}

/** Early on the first day of a month, and on the first of its second half. */
const FIRST = Date.UTC(2026, 10, 1, 6);
const MIDDLE = Date.UTC(2026, 10, 16, 6);

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
      {
        perDay: 46,
        start: MIDDLE,
        days: 15,
        credits: 500,
        neighbour: (day: number) => Math.floor(16 * chance(5, day)),
      },
      0.57,
    ],
    [
      'two runs a day in a first month of fifteen days, without a past',
      { perDay: 46, before: 0, start: MIDDLE, days: 15, credits: 500, runsPerDay: 2 },
      0.82,
    ],
  ] as const)('every day has its share until the reset: %s', async (_, world, least) => {
    const { outcomes, left } = await month(world);
    const bought = outcomes.reduce((sum, one) => sum + one, 0);
    expect(bought / world.credits, 'outcomes of the month, for a credit').toBeGreaterThan(least);
    expect(
      constancy(outcomes),
      'fewest outcomes of a later day, of the mean of the first days',
    ).toBeGreaterThan(0.85);
    expect(Math.max(...outcomes), 'most outcomes of a day').toBeLessThan(
      'runsPerDay' in world ? 60 : 45,
    );
    // Nothing to speak of is left over, either.
    expect(left.at(-2), 'credits left on the last day').toBeLessThan(80);
  });

  it('no day is without outcomes beside a neighbour of 0 to 40 credits a day and --keep, nor is the list', async () => {
    const neighbour = (day: number) => Math.floor(41 * chance(6, day));
    const { outcomes, left } = await month({
      perDay: 46,
      start: MIDDLE,
      days: 14,
      credits: 500,
      neighbour,
      keep: 100,
    });
    expect(Math.min(...outcomes), 'fewest outcomes of a day').toBeGreaterThan(0);
    expect(
      outcomes.reduce((sum, one) => sum + one, 0),
      'outcomes of the month',
    ).toBeGreaterThan(45);
    expect(Math.min(...left), 'fewest credits left').toBeGreaterThanOrEqual(100);
  });
});

it('credits that cover what is due and what is to come are spent as outcomes come due', async () => {
  const { outcomes } = await month({
    perDay: 10,
    start: MIDDLE,
    days: 15,
    before: 20,
    neighbour: () => 3,
  });
  expect(outcomes.slice(0, 2).reduce((sum, one) => sum + one, 0)).toBe(200);
  expect(new Set(outcomes.slice(2))).toEqual(new Set([10]));
});

it.each([
  [
    'more comes due than a month covers',
    15,
    0,
    30,
    'about 225 are bought by 1 Dec, when the credits reset; after that, 7 of the 15 that come due each day, chosen at random',
  ],
  ['the next month covers what this one leaves', 3, 210, 45, 'all are bought by 1 Dec'],
  ['this month covers all', 2, 0, 30, 'all are bought by 16 Nov'],
])(
  'what exports will buy is foreseen within a tenth: %s',
  async (_, perDay, spent, days, sentence) => {
    const start = MIDDLE;
    const details = cardsFrom(start - 30 * DAY, perDay * (30 + days), perDay);
    const { service, dir } = setUp({ details, now: start - DAY, monthCredits: 300 });
    for (let i = 0; i < spent; i += 1) await service.connect().client.call('snapshot', {});
    await service.clock.sleep(DAY);
    let foreseen: Outlook | undefined;
    const bought: number[] = [];
    const waiting: number[] = [];
    for await (const { summary, run } of exports(dir, service, days, { screeners: true })) {
      bought.push(summary.outcomes);
      waiting.push(summary.remaining.outcomes_due);
      if (run > 0) continue;
      const connection = service.connect();
      await connection.client.call('access', {});
      const quote = { ...invocationOf({ service, plan: true }), connect: async () => connection };
      const history = new History(dir, quote.notes, service.clock);
      await plan(quote, { history, outcomes: true, screeners: false, stats: false });
      foreseen = (quote.said.results[0] as { outlook: Outlook }).outlook;
    }
    const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
    expect(foreseen && outlookSentence(foreseen)).toBe(sentence);
    const { bought_by_reset = 0, bought_a_day_then = 0 } = foreseen ?? {};
    expect(
      Math.abs(sum(bought.slice(1, 15)) / bought_by_reset - 1),
      'error of the outcomes foreseen by the reset',
    ).toBeLessThan(0.1);
    expect(
      Math.abs(sum(bought.slice(15)) / (days - 15) / bought_a_day_then - 1),
      'error of the outcomes foreseen a day',
    ).toBeLessThan(0.1);
    const caughtUp =
      foreseen?.all_bought_by == null ? days : (Date.parse(foreseen.all_bought_by) - start) / DAY;
    expect(waiting.findLastIndex((due) => due > 0) + 1).toBeCloseTo(caughtUp, -1);
  },
);

/** `perDay` cards a day from 30 days before FIRST on, in turn of `types` types; the first types have more of them. */
function cardsOf(types: number, perDay: number, days: number): SignalDetail[] {
  return cardsFrom(FIRST - 30 * DAY, perDay * (days + 30), perDay).map((card, i) => {
    const type = Math.min(i % types, i % (types + 2));
    return { ...card, source_bot_type: `type_${String(type).padStart(2, '0')}` };
  });
}

interface Daily extends NonNullable<Parameters<typeof exportInto>[2]> {
  readonly monthCredits?: number;
}

async function daily(
  all: SignalDetail[],
  days: number,
  { monthCredits = 1000, ...given }: Daily = {},
) {
  const { service, dir } = setUp({ details: all, now: FIRST, monthCredits, dayCredits: 150 });
  const asked: number[] = [];
  const left: number[] = [];
  for await (const { sent } of exports(dir, service, days, {
    stats: true,
    screeners: true,
    ...given,
  })) {
    // The list never lacks credits.
    const listed = all.filter((one) => Date.parse(one.created_at) <= service.clock.now());
    expect(stored(dir)).toHaveLength(listed.length);
    asked.push(sent.filter(({ name }) => name === 'stats').length);
    left.push(service.left);
    const first = sent.findIndex(({ name }) => name === 'signal');
    const stats = sent.findIndex(({ name }) => name === 'stats');
    if (first >= 0 && stats >= 0)
      expect(first, 'places of the first outcome and the first medians').toBeLessThan(stats);
  }
  return { dir, asked, left };
}

describe('the medians of the service', () => {
  it('are asked for in the first run, after its outcomes, and every 15 days where a tenth of the credits suffices, with --keep', async () => {
    const { dir, asked, left } = await daily(cardsOf(2, 8, 32), 32, {
      keep: 50,
      monthCredits: 250,
    });
    const none = Array(14).fill(0);
    expect(asked).toEqual([2, ...none, 2, ...none, 2, 0]);
    const kept = withoutOverlap(await readStatsLog(dir, Number.POSITIVE_INFINITY));
    expect(kept.size).toBe(2);
    for (const answers of kept.values()) expect(answers, 'answers of a type').toHaveLength(2);
    expect(kept.get('type_01')?.[0]?.stats).toMatchObject({
      screener_type: 'type_01',
      window_days: 30,
    });
    expect(Math.min(...left.slice(0, 29)), 'fewest credits left').toBeGreaterThanOrEqual(50);
  });

  it.each<[string, { perDay: number; maxCredits?: number; asked?: string[] }, number[]]>([
    ['40, be they more than the share of the day', { perDay: 40 }, [40, 2]],
    ['in a later run, if need be', { perDay: 40, maxCredits: 70 }, [35, 0, 5, 2]],
    ['none, where nearly all that are due are bought', { perDay: 1 }, [30, 0]],
    ['whatever the user asked first', { perDay: 40, asked: ['type_00', 'type_01'] }, [40, 0]],
  ])(
    'come after the outcomes that tell their error: %s',
    async (_, { perDay, maxCredits, asked = [] }, expected) => {
      const { service, dir } = setUp({
        details: cardsOf(2, perDay, 1),
        now: FIRST + DAY,
        monthCredits: 1000,
      });
      if (asked.length > 0) await exportInto(dir, service, { outcomes: false });
      for (const type of asked)
        await appendStats(dir, { at: FIRST + DAY, type, stats: stats({ screener_type: type }) });
      const had: number[] = [];
      while (had.length < expected.length) {
        const { summary } = await exportInto(dir, service, { stats: true, maxCredits });
        had.push(summary.outcomes, summary.medians);
      }
      expect(had).toEqual(expected);
    },
  );

  it('wait until the cards of an empty account go back fifteen days', async () => {
    const start = FIRST - 30 * DAY;
    const cards = cardsOf(2, 8, 32).filter(
      ({ created_at }) => Date.parse(created_at) >= start + 2 * DAY,
    );
    const { asked } = await daily(cards, 32);
    const sittings = asked.map((count, day) => ({ day, count })).filter(({ count }) => count > 0);
    // The list goes back 28 days at the first run; later nearly all outcomes are bought.
    expect(sittings).toEqual([{ day: 0, count: 2 }]);
  });

  it('are asked of all types with 8 outcomes, those with most first, as far as the credits of a day go', async () => {
    const many = cardsOf(14, 46, 3);
    const few = cardsFrom(FIRST - 6 * DAY, 7, 1).map((card) => ({
      ...card,
      id: card.id + 90_000,
      source_bot_type: 'rare',
    }));
    const { dir, asked } = await daily([...many, ...few], 3);
    expect(asked).toEqual([10, 4, 0]);
    const counts = new Map<string, number>();
    for (const one of many.filter(({ created_at }) => Date.parse(created_at) <= FIRST))
      counts.set(one.source_bot_type, (counts.get(one.source_bot_type) ?? 0) + 1);
    const most = [...counts].sort(([, a], [, b]) => b - a);
    const answers = await readStatsLog(dir, Number.POSITIVE_INFINITY);
    expect(answers.map(({ type }) => type)).not.toContain('rare');
    const ofFirstDay = answers.slice(0, 10).map(({ type }) => counts.get(type) ?? 0);
    const least = Math.min(...ofFirstDay);
    expect(least, 'cards of the type with fewest, of those asked for').toBeGreaterThanOrEqual(
      most[9]?.[1] ?? 0,
    );
  });

  it('are not asked for where the user has just asked, nor with --no-stats; --plan quotes them', async () => {
    const { service, dir } = setUp({ details: cardsOf(4, 40, 0), now: FIRST, dayCredits: 150 });
    const first = await exportInto(dir, service, { outcomes: false });
    expect(new Set(first.sent.map(({ name }) => name))).toEqual(new Set(['signals']));
    await appendStats(dir, {
      at: FIRST - 5 * DAY,
      type: 'type_02',
      stats: stats({ screener_type: 'type_02' }),
    });
    const invocation = invocationOf({ service, plan: true });
    const history = new History(dir, invocation.notes, invocation.context.clock);
    await plan(invocation, { history, outcomes: false, screeners: true, stats: true });
    expect(invocation.said.results[0]).toMatchObject({
      medians_due: 3,
      credits_at_least: 1 + 1 + 3 * 5,
    });
    // 15 credits pay the settings and two types.
    const limited = invocationOf({ service, plan: true, maxCredits: 15 });
    await plan(limited, { history, outcomes: false, screeners: true, stats: true });
    expect(limited.said.results[0]).toMatchObject({ medians_due: 2 });
    const { summary, sent, credits } = await exportInto(dir, service, {
      outcomes: false,
      stats: true,
    });
    const asked = sent
      .filter(({ name }) => name === 'stats')
      .map(({ params }) => params.screener_type);
    expect(asked.sort()).toEqual(['type_00', 'type_01', 'type_03']);
    expect({ medians: summary.medians, credits }).toEqual({ medians: 3, credits: 1 + 3 * 5 });
  });

  it('that are refused end no run, fail it, and are asked for again a day later, after the others', async () => {
    const { service, dir } = setUp({ details: cardsOf(2, 40, 0), now: FIRST });
    service.intercept = (name, { screener_type }) =>
      name === 'stats' && screener_type === 'type_01' ? 500 : undefined;
    const asked: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const { error, sent, summary } = await exportInto(dir, service, {
        stats: true,
        maxCredits: 110,
      });
      asked.push(sent.filter(({ name }) => name === 'stats').length);
      expect(error, `run ${run}`).toMatchObject({
        exitCode: 8,
        message: expect.stringMatching(/^Could not get the service's medians for type_01: /),
        hint: expect.stringContaining('--no-stats'),
      });
      expect(summary, `run ${run}`).toMatchObject({
        stopped_by: 'error',
        parts: { list: { failure: null }, medians: { complete: false, failure: { status: 500 } } },
      });
      await service.clock.sleep(DAY);
    }
    expect(asked).toEqual([1, 2, 1, 1, 1]);
    expect((await readStatsLog(dir, Number.POSITIVE_INFINITY)).map(({ type }) => type)).toEqual([
      'type_00',
    ]);
    service.intercept = undefined;
    const { error, summary } = await exportInto(dir, service, { stats: true, maxCredits: 110 });
    expect({ error, failure: summary.parts.medians.failure }).toEqual({
      error: undefined,
      failure: null,
    });
  });
});

it('in a scarce month the list is read once six hours have passed, or a page is full; --all-credits reads it always', async () => {
  const perDay = 40;
  const details = cardsFrom(FIRST - 20 * DAY, perDay * 24, perDay);
  const { service, dir } = setUp({ details, now: FIRST, monthCredits: 1000, dayCredits: 150 });
  // The first run may spend the day's credits.
  await exportInto(dir, service);
  await service.clock.sleep(DAY);
  const looks: number[] = [];
  let pages = 0;
  for await (const { sent, summary, closing } of exports(dir, service, 2 * 24, {}, HOUR)) {
    const lists = sent.filter(({ name }) => name === 'signals').length;
    pages += lists;
    if (lists > 0) looks.push(service.clock.now());
    // It says when it is read.
    const from = Date.parse(summary.list_at ?? '');
    expect({ isRead: lists > 0, isLeft: from > service.clock.now() }).toEqual({
      isRead: lists > 0,
      isLeft: lists === 0,
    });
    if (lists > 0) continue;
    const time = new Date(Math.ceil(from / 1000) * 1000).toISOString();
    const when = `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
    expect(closing[0]).toContain(
      ` Stopped at today's share of the month's credits (--all-credits spends more). Tomorrow's run continues from here. The list is next read after ${when}.`,
    );
  }
  const hours = looks.slice(1).map((at, i) => (at - (looks[i] ?? at)) / HOUR);
  expect(new Set(hours)).toEqual(new Set([6]));
  // Once a day the look back asks for a day's cards once more.
  expect(pages, 'pages of all runs').toBeLessThanOrEqual(2 * (4 + 3));
  const asked = async (allCredits: boolean) => {
    const { sent } = await exportInto(dir, service, { allCredits, outcomes: false });
    return sent.filter(({ name }) => name === 'signals').length;
  };
  await asked(true);
  await service.clock.sleep(HOUR);
  expect({ usually: await asked(false), withAllCredits: await asked(true) }).toEqual({
    usually: 0,
    withAllCredits: 1,
  });
  const listed = details.filter(({ created_at }) => Date.parse(created_at) <= service.clock.now());
  expect(stored(dir)).toHaveLength(listed.length);
});

describe('answers of the service that cannot be used', () => {
  it.each([
    ['are stale', { stale: true }],
    ['count other cards than the list', { sampled_rows: 1, horizons: undefined }],
  ] as const)(
    '%s: asked for again after a day, after three, then at the next sitting',
    async (_, wrong) => {
      const all = cardsOf(2, 20, 20);
      const { service, dir } = setUp({ details: all, now: FIRST, monthCredits: 300 });
      service.intercept = (name, { screener_type }) => {
        if (name !== 'stats' || screener_type !== 'type_01') return undefined;
        const few = { sample: 9, pending: 0, missing: 0, btc_sample: 9 };
        const horizon = { ...few, median_move_pct: 1, median_vs_btc_percentage_points: 1 };
        const horizons = { '1h': horizon, '24h': horizon };
        return { ...stats({ screener_type: 'type_01', horizons }), ...('stale' in wrong && wrong) };
      };
      const asked: Record<string, number[]> = { type_00: [], type_01: [] };
      for await (const { run, sent } of exports(dir, service, 18, { stats: true })) {
        for (const { name, params } of sent)
          if (name === 'stats') asked[String(params.screener_type)]?.push(run);
      }
      expect(asked).toEqual({ type_00: [0, 15], type_01: [0, 1, 3] });
    },
  );
});

it('--focus types are asked for their medians first', async () => {
  const { service, dir } = setUp({ details: cardsOf(8, 46, 2), now: FIRST, monthCredits: 1000 });
  const focus = ['type_06'];
  const { sent } = await exportInto(dir, service, { stats: true, focus });
  const types = sent
    .filter(({ name }) => name === 'stats')
    .map(({ params }) => params.screener_type);
  expect(types[0]).toBe('type_06');
  expect(types).toHaveLength(8);
});

it('--focus TYPE that nothing has is named at the end', async () => {
  const { service, dir } = setUp({ details: cardsOf(2, 4, 2), now: FIRST });
  const { closing, summary } = await exportInto(dir, service, { focus: ['type_01', 'pumpp'] });
  expect(summary.unknown_focus).toEqual(['pumpp']);
  expect(closing).toContain('--focus pumpp: no card and no screener has this type.');
});
