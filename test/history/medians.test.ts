/** Which types' medians are asked for, and how often: the plan alone, without a service. */
import { describe, expect, it } from 'vitest';
import { fitsList, type MediansEvidence, planMedians } from '../../src/history/export/medians.ts';
import { stats } from '../support/samples.ts';
import { DAY, HOUR, NOW } from './support.ts';

/** Outcomes of the last 30 days: enough of four types, and one that is rare. */
const DUE = { rare: 7, few: 8, some: 20, many: 40, most: 90 };

function evidenceOf(changes: Partial<MediansEvidence> = {}): MediansEvidence {
  return {
    survey: { now: NOW, dueByType: new Map(Object.entries(DUE)), mediansFrom: NOW - DAY },
    answers: [],
    cards: [],
    refused: {},
    isNearlyAllBought: false,
    ...changes,
  };
}

/** Eight answers a month fit into a tenth of 400 credits: four types every 30 days, and four answers more. */
const BUDGET = { limit: 400, resetsAt: NOW + 20 * DAY };

/** An answer of a type, of so many days ago. */
const answerOf = (type: string, daysAgo: number) => ({
  at: NOW - daysAgo * DAY,
  type,
  stats: stats({ screener_type: type }),
});

describe('types are asked for', () => {
  it('the commonest first, as often as a tenth of the credits allows', () => {
    const everyDays = (limit: number) => {
      const { types } = planMedians(evidenceOf(), { ...BUDGET, limit }, { stats: true });
      return Object.fromEntries(
        Object.entries(types).map(([type, { every_days }]) => [type, every_days]),
      );
    };
    expect(everyDays(400)).toEqual({ most: 15, many: 15, some: 15, few: 15, rare: null });
    expect(everyDays(349)).toEqual({ most: 15, many: 15, some: 30, few: 30, rare: null });
    expect(everyDays(100)).toEqual({ most: 30, many: 30, some: 30, few: 30, rare: null });
    const { due } = planMedians(evidenceOf(), BUDGET, { stats: true });
    expect(due).toEqual(['most', 'many', 'some', 'few']);
  });

  it('those of --focus first', () => {
    const { due } = planMedians(evidenceOf(), BUDGET, { stats: true, focus: ['few', 'some'] });
    expect(due).toEqual(['some', 'few', 'most', 'many']);
  });

  it('a refused one after the others, and not before 20 hours', () => {
    const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR).toISOString();
    const refused = {
      'stats most': hoursAgo(21),
      'stats many': hoursAgo(30),
      'stats some': hoursAgo(19),
    };
    const { due } = planMedians(evidenceOf({ refused }), BUDGET, { stats: true, focus: ['most'] });
    expect(due).toEqual(['few', 'many', 'most']);
  });

  it('for the first time when the listed cards go back 15 days', () => {
    const survey = { ...evidenceOf().survey, mediansFrom: NOW + 3 * DAY };
    const { due, types } = planMedians(evidenceOf({ survey }), BUDGET, { stats: true });
    expect(due).toEqual([]);
    expect(types.most).toEqual({
      outcomes: 90,
      every_days: 15,
      why_not: null,
      asked_at: null,
      next_at: new Date(NOW + 3 * DAY).toISOString().replace('.000Z', 'Z'),
    });
  });

  it('again 15 or 30 days after the last answer', () => {
    const answers = [answerOf('some', 16), answerOf('most', 14), answerOf('many', 15)];
    const often = planMedians(evidenceOf({ answers }), BUDGET, { stats: true });
    expect(often.due).toEqual(['many', 'some', 'few']);
    const seldom = planMedians(evidenceOf({ answers }), { ...BUDGET, limit: 100 }, { stats: true });
    expect(seldom.due).toEqual(['few']);
  });

  it('on the day that was promised, although its run begins some seconds earlier', () => {
    const answers = [answerOf('most', 15 - 1 / (24 * 60)), answerOf('many', 14.9)];
    const { due } = planMedians(evidenceOf({ answers }), BUDGET, { stats: true });
    expect(due).toEqual(['most', 'some', 'few']);
  });
});

describe('none is asked for', () => {
  it.each([
    {
      what: 'where they are switched off',
      options: { stats: false },
      isNearlyAllBought: false,
      why: 'switched_off',
    },
    {
      what: 'where nearly all outcomes are bought',
      options: { stats: true },
      isNearlyAllBought: true,
      why: 'all_bought',
    },
  ])('$what', ({ options, isNearlyAllBought, why }) => {
    const answers = [answerOf('most', 40)];
    const plan = planMedians(evidenceOf({ answers, isNearlyAllBought }), BUDGET, options);
    expect(plan).toMatchObject({ due: [], creditsLater: 0, creditsPerDay: 0 });
    expect(Object.values(plan.types).map(({ why_not }) => why_not)).toEqual(
      Object.keys(DUE).map(() => why),
    );
    expect(plan.types.most?.asked_at).toBe('2026-10-11T18:05:00Z');
  });

  it('of a type with few outcomes', () => {
    const { types } = planMedians(evidenceOf(), BUDGET, { stats: true });
    expect(types.rare).toEqual({
      outcomes: 7,
      every_days: null,
      why_not: 'few_outcomes',
      asked_at: null,
      next_at: null,
    });
  });
});

describe('the pace reckons with', () => {
  it('answers that come due until the reset, and a month of them', () => {
    // All four are due now; the next answers are due in 15 days, before the reset.
    const often = planMedians(evidenceOf(), BUDGET, { stats: true });
    expect(often).toMatchObject({ creditsLater: 4 * 5, creditsPerDay: (4 * 5) / 15 });
    // In 30 days, after it.
    const seldom = planMedians(evidenceOf(), { ...BUDGET, limit: 100 }, { stats: true });
    expect(seldom).toMatchObject({ creditsLater: 0, creditsPerDay: (4 * 5) / 30 });
    // One of 5 days ago is due in 10 days and in 25.
    const answers = [answerOf('most', 5)];
    const longer = { ...BUDGET, resetsAt: NOW + 26 * DAY };
    const plan = planMedians(evidenceOf({ answers }), longer, { stats: true });
    expect(plan.creditsLater).toBe((3 + 2) * 5);
  });
});

/** The service's answer on a type, whose 24 h have so many outcomes. */
function answerWith(
  { sample, pending = 0, missing = 0 }: { sample: number; pending?: number; missing?: number },
  more: Partial<ReturnType<typeof stats>> = {},
) {
  const horizon = { sample, pending, missing, btc_sample: sample };
  const medians = { median_move_pct: 1, median_vs_btc_percentage_points: 1 };
  const horizons = { '1h': { ...horizon, ...medians }, '24h': { ...horizon, ...medians } };
  return stats({ screener_type: 'most', horizons, ...more });
}

/** Cards of a type in the 30 days before NOW, an hour apart. */
const cardsOf = (type: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ at: NOW - i * HOUR, type }));

describe('an answer fits the list', () => {
  it('if it counts about as many outcomes as the list has cards of its type in its 30 days', () => {
    const before = { at: NOW - 30 * DAY, type: 'most' };
    const after = { at: NOW + 1, type: 'most' };
    const cards = [...cardsOf('most', 36), ...cardsOf('many', 50), before, after];
    const fits = (counts: Parameters<typeof answerWith>[0]) =>
      fitsList({ at: NOW, type: 'most', stats: answerWith(counts) }, cards);
    expect({
      same: fits({ sample: 36 }),
      asManyInAll: fits({ sample: 30, pending: 4, missing: 2 }),
      // The root of 36.
      sixMore: fits({ sample: 42 }),
      sixFewer: fits({ sample: 30 }),
      sevenMore: fits({ sample: 43 }),
      sevenFewer: fits({ sample: 29 }),
    }).toEqual({
      same: true,
      asManyInAll: true,
      sixMore: true,
      sixFewer: true,
      sevenMore: false,
      sevenFewer: false,
    });
  });

  it('not if it is stale; one that the service cut off counts what it sampled', () => {
    const cards = cardsOf('most', 400);
    const fits = (answer: ReturnType<typeof stats>) =>
      fitsList({ at: NOW, type: 'most', stats: answer }, cards);
    const cut = { sample_limited: true, sampled_rows: 100 };
    expect({
      stale: fits(answerWith({ sample: 400 }, { stale: true })),
      aTenthFewer: fits(answerWith({ sample: 360 })),
      moreThanATenth: fits(answerWith({ sample: 359 })),
      cut: fits(answerWith({ sample: 100 }, cut)),
      notCut: fits(answerWith({ sample: 100 }, { ...cut, sample_limited: false })),
    }).toEqual({
      stale: false,
      aTenthFewer: true,
      moreThanATenth: false,
      cut: true,
      notCut: false,
    });
  });
});

describe('a type whose answers do not fit', () => {
  it.each([
    { what: 'one of 19 hours ago', hoursAgo: [19], isDue: false },
    { what: 'one of 20 hours ago', hoursAgo: [20], isDue: true },
    { what: 'two, the first 67 hours ago', hoursAgo: [67, 44], isDue: false },
    { what: 'two, the first 68 hours ago', hoursAgo: [68, 44], isDue: true },
    { what: 'three in three days', hoursAgo: [80, 50, 5], isDue: false },
    { what: 'three on the day before', hoursAgo: [21, 20, 19], isDue: true },
    { what: 'three on this day', hoursAgo: [3, 2, 1], isDue: false },
    { what: 'one of an earlier sitting', hoursAgo: [97], isDue: false },
    { what: 'one of an earlier sitting, one of 21 hours ago', hoursAgo: [140, 21], isDue: true },
  ])('$what: asked for again: $isDue', ({ hoursAgo, isDue }) => {
    const answers = hoursAgo.map((hours) => ({
      at: NOW - hours * HOUR,
      type: 'most',
      stats: answerWith({ sample: 90 }, { stale: true }),
    }));
    const { due } = planMedians(evidenceOf({ answers }), BUDGET, { stats: true });
    expect(due.includes('most')).toBe(isDue);
  });

  it('waits from the first answer that does not fit, not from one before that fitted', () => {
    const cards = cardsOf('most', 90);
    const answerFor = (hoursAgo: number, sample: number) => {
      return { at: NOW - hoursAgo * HOUR, type: 'most', stats: answerWith({ sample }) };
    };
    const nextAfter = (...answers: readonly ReturnType<typeof answerFor>[]) => {
      const { types } = planMedians(evidenceOf({ answers, cards }), BUDGET, { stats: true });
      return (Date.parse(types.most?.next_at ?? '') - NOW) / HOUR;
    };
    const fits = answerFor(60, 30);
    const unfit = [answerFor(3, 5), answerFor(2, 5)];
    expect({
      fitsAlone: nextAfter(fits),
      thenOneUnfit: nextAfter(fits, answerFor(3, 5)),
      thenTwoOfOneDay: nextAfter(fits, ...unfit),
      thenOneThatFits: nextAfter(fits, ...unfit, answerFor(1, 89)),
    }).toEqual({
      fitsAlone: 15 * 24 - 1 - 60,
      thenOneUnfit: 20 - 3,
      thenTwoOfOneDay: 68 - 3,
      thenOneThatFits: 15 * 24 - 1 - 1,
    });
  });
});
