/** Which types' medians are asked for, and how often: the plan alone, without a service. */
import { describe, expect, it } from 'vitest';
import { type MediansEvidence, planMedians } from '../../src/history/export/medians.ts';
import { stats } from '../support/samples.ts';
import { DAY, HOUR, NOW } from './support.ts';

/** Outcomes of the last 30 days: enough of four types, and one that is rare. */
const DUE = { rare: 7, few: 8, some: 20, many: 40, most: 90 };

function evidenceOf(changes: Partial<MediansEvidence> = {}): MediansEvidence {
  return {
    survey: { at: NOW, dueByType: new Map(Object.entries(DUE)), mediansFrom: NOW - DAY },
    answers: [],
    cards: [],
    refused: {},
    isAllBought: false,
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
});

describe('none is asked for', () => {
  it.each([
    { what: 'where they are switched off', options: {}, isAllBought: false, why: 'switched_off' },
    {
      what: 'where nearly all outcomes are bought',
      options: { stats: true },
      isAllBought: true,
      why: 'all_bought',
    },
  ])('$what', ({ options, isAllBought, why }) => {
    const answers = [answerOf('most', 40)];
    const plan = planMedians(evidenceOf({ answers, isAllBought }), BUDGET, options);
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
