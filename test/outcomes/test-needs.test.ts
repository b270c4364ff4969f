/** What a type lacks before its numbers can be tested, and when that comes. */

import { sum } from 'd3-array';
import { describe, expect, it } from 'vitest';
import { DAY, endOfMonth } from '../../src/base/units.ts';
import { isAllBoughtSoon, type TypePurchases } from '../../src/outcomes/purchases.ts';
import {
  type EnoughForTest,
  enoughForTest,
  testNeedOf,
  type UsableOutcomes,
} from '../../src/outcomes/test-needs.ts';
import { neededWords } from '../../src/output/views/tune-results.ts';
import { randomOf } from '../support/history.ts';

const NOW = Date.UTC(2026, 10, 1);
const ENOUGH: EnoughForTest = { pairs: 90, days: 24 };

interface Cards {
  /** Cards of each day. */
  readonly aDay: number;
  readonly days: number;
  /** The share of them whose outcome is bought; 1 unless given. */
  readonly share?: number;
  readonly more?: Partial<TypePurchases>;
  readonly usable?: UsableOutcomes;
}

/** What is lacking, with days from now in the place of dates. The type is bought as until now; first, ten a day are. */
function needOf({ aDay, days, share = 1, more = {}, usable }: Cards) {
  const cards = aDay * days;
  const bought = Math.round(cards * share);
  const purchases: TypePurchases = {
    bought,
    unbought: cards - bought,
    days,
    daysWithCards: days,
    boughtPerDay: aDay * share,
    boughtPerDayIfFirst: bought < cards ? 10 : undefined,
    ...more,
  };
  const allBought: UsableOutcomes = { outcomes: bought, days: Math.min(days, bought) };
  const need = testNeedOf(usable ?? allBought, purchases, ENOUGH, NOW);
  if (need === undefined || need.lacks === 'cards_a_day') return need?.lacks;
  const daysUntil = (at: number | undefined) => (at === undefined ? undefined : (at - NOW) / DAY);
  const { lacks, needed, by, byFocus } = need;
  return { lacks, needed, by: daysUntil(by), byFocus: daysUntil(byFocus) };
}

describe('what a test needs', () => {
  it('is more pairs, the more numbers are tested, and days enough for twelve blocks', () => {
    const enoughOf = (tests: number) => enoughForTest(tests, 0.05, '24h').pairs;
    expect(enoughOf(10), 'pairs for 10 numbers').toBeGreaterThan(90);
    expect(enoughOf(60), 'pairs for 60 numbers').toBeGreaterThan(1.3 * enoughOf(10));
    expect([enoughForTest(10, 0.05, '24h').days, enoughForTest(10, 0.05, '1h').days]).toEqual([
      24, 12,
    ]);
  });

  it('is outcomes of the same day: of four a day three and more are pairs', () => {
    expect({
      enough: needOf({ aDay: 4, days: 30 }),
      // 60 pairs are lacking, of 4 less 0.98 a day: 20 days and 120 outcomes, told as 150.
      few: needOf({ aDay: 4, days: 10 }),
      // A day tells 1.1 more: 80 pairs take more days than a date may be away.
      fewOfTwo: needOf({ aDay: 2, days: 10 }),
    }).toEqual({
      enough: undefined,
      few: { lacks: 'outcomes', needed: 150, by: 28, byFocus: undefined },
      fewOfTwo: { lacks: 'outcomes', needed: 200, by: undefined, byFocus: undefined },
    });
  });

  it('comes when what is missing is bought: so many a day, of which 4 % have no figure', () => {
    const need = needOf({ aDay: 8, days: 15, usable: { outcomes: 60, days: 15 } });
    // Half of the cards have the number: of eight a day 58 % are counted on, seen in 60 of 120, and 96 % is usual.
    const share = (60 + 0.96 * 25) / (120 + 25);
    expect(need).toMatchObject({ needed: 150, by: Math.ceil((150 - 60) / (8 * share)) });
  });

  it('is days, where pairs come sooner than these', () => {
    expect(needOf({ aDay: 20, days: 18 })).toEqual({
      lacks: 'days',
      needed: 24,
      by: 7,
      byFocus: undefined,
    });
    expect(needOf({ aDay: 20, days: 2 })).toMatchObject({ lacks: 'days', needed: 24 });
  });

  it('never comes of a type that has hardly two cards on a day, whatever is bought', () => {
    const rare = (days: number, cards: number, twice = 0) =>
      needOf({
        aDay: 1,
        days,
        more: {
          bought: cards,
          unbought: 0,
          daysWithCards: cards - twice,
          boughtPerDay: cards / days,
          boughtPerDayIfFirst: undefined,
        },
        usable: { outcomes: cards, days: cards - twice },
      });
    expect({
      firstDays: rare(10, 6),
      later: rare(90, 62, 3),
      // Two days say nothing of a year.
      tooEarly: rare(2, 2),
    }).toEqual({
      firstDays: 'cards_a_day',
      later: 'cards_a_day',
      tooEarly: {
        lacks: 'outcomes',
        needed: expect.any(Number),
        by: undefined,
        byFocus: undefined,
      },
    });
  });

  it('comes by no date while nothing is bought of a type', () => {
    const cards = { aDay: 8, days: 30, share: 0.25, usable: { outcomes: 58, days: 28 } };
    expect(needOf({ ...cards, more: { boughtPerDay: 0 } })).toMatchObject({
      lacks: 'outcomes',
      by: undefined,
      byFocus: expect.any(Number),
    });
    const nothing = { boughtPerDay: 0, boughtPerDayIfFirst: undefined };
    expect(needOf({ ...cards, more: nothing })).toMatchObject({
      lacks: 'outcomes',
      needed: 150,
      by: undefined,
      byFocus: undefined,
    });
  });

  it('takes more outcomes where few of a day are bought: they fall on more days', () => {
    const cards = { aDay: 20, days: 40, share: 0.05, usable: { outcomes: 38, days: 25 } };
    const neededOf = (boughtPerDay: number) => {
      const need = needOf({ ...cards, more: { boughtPerDay } });
      return typeof need === 'object' ? need.needed : need;
    };
    expect([2, 20].map(neededOf)).toEqual([200, 150]);
  });

  it('comes later where the first cards are too old by then: their outcomes do not count any more', () => {
    const usable = { outcomes: 160, days: 85 };
    const dateOf = (days: number) => {
      const more = { days, daysWithCards: 110, boughtPerDay: 1.5 };
      const need = needOf({ aDay: 2, days: 140, share: 9 / 14, more, usable });
      return typeof need === 'object' ? need.by : undefined;
    };
    expect({ old: dateOf(180), young: dateOf(115) }).toEqual({ old: 34, young: 30 });
  });
});

it('all outcomes are bought soon if that is within two months', () => {
  expect({
    unknown: isAllBoughtSoon(undefined, NOW),
    earlier: isAllBoughtSoon(NOW - DAY, NOW),
    twoMonths: isAllBoughtSoon(NOW + 60 * DAY, NOW),
    later: isAllBoughtSoon(NOW + 60 * DAY + 1, NOW),
  }).toEqual({ unknown: false, earlier: true, twoMonths: true, later: false });
});

it('needs are told in steps of fifty, so that they stay as outcomes come in', () => {
  // No card comes any more, so that what is lacking is reckoned from the cards so far, four on each of ten days.
  const usable: UsableOutcomes = { outcomes: 40, days: 10 };
  const ended: TypePurchases = {
    bought: 40,
    unbought: 0,
    days: 10,
    daysWithCards: 10,
    boughtPerDay: 0,
    boughtPerDayIfFirst: undefined,
  };
  const mostPerDay = (40 + Math.sqrt(40) + 1) / 10;
  const pairsOfCard = (mostPerDay - (1 - Math.exp(-mostPerDay))) / mostPerDay;
  const neededOf = (outcomes: number) => {
    const pairs = 30 + (outcomes - 40) * pairsOfCard;
    const need = testNeedOf(usable, ended, { ...ENOUGH, pairs }, NOW);
    return need?.lacks === 'outcomes' ? need.needed : need?.lacks;
  };
  expect([60, 101, 149, 199, 201, 501].map(neededOf)).toEqual([100, 150, 150, 200, 250, 550]);
});

describe('what pages tell', () => {
  const told = (needed: number) => Number(/\d+/.exec(neededWords(needed)));

  it('is the number at which the test can be made, on nearly all mornings until then', () => {
    const mornings: { readonly outcomes: number; readonly told: number }[] = [];
    for (let days = 2; days < 60; days += 1) {
      const need = needOf({ aDay: 4, days });
      if (typeof need === 'object') mornings.push({ outcomes: 4 * days, told: told(need.needed) });
    }
    const last = mornings.at(-1);
    expect(last?.told).toBeGreaterThan(last?.outcomes ?? 0);
    expect(Number(last?.told) - Number(last?.outcomes)).toBeLessThan(50);
    const numbers = new Set(mornings.map((morning) => morning.told));
    expect([...numbers]).toEqual([last?.told]);
  });

  it('comes true in four of five accounts that buy a sample, young ones, too', () => {
    const dates = [5, 10, 20, 40].flatMap((morning) => seasonsAt(morning));
    const kept = dates.filter(({ foreseen, happened }) => happened <= foreseen);
    expect(dates.length).toBeGreaterThan(40);
    expect(kept.length / dates.length).toBeGreaterThan(0.8);
    // The dates are of some use: the test comes within two months of most of them.
    const soon = kept.filter(({ foreseen, happened }) => foreseen - happened < 60);
    expect(soon.length / kept.length).toBeGreaterThan(0.9);
  });
});

/** When a test was foreseen, to the end of that month, and when it could be made: days of the season. */
interface ForeseenTest {
  readonly foreseen: number;
  readonly happened: number;
}

/** The tests that are foreseen on a morning of sixty seasons. */
function seasonsAt(morning: number): ForeseenTest[] {
  const random = randomOf(morning);
  const tests: ForeseenTest[] = [];
  for (let season = 0; season < 60; season += 1) {
    const perDay = 1 + 12 * random();
    const share = 0.1 + 0.9 * random();
    // How many cards, and how many bought outcomes, each day has.
    const cards = Array.from({ length: 150 }, () => Math.floor(2 * perDay * random() + 0.5));
    const outcomes = cards.map(
      (count) => Array.from({ length: count }, random).filter((chance) => chance < share).length,
    );
    const stateAt = (day: number) => {
      const bought = outcomes.slice(0, day);
      const days = bought.filter((count) => count > 0).length;
      return { outcomes: sum(bought), days };
    };
    const isTestable = (day: number) => {
      const usable = stateAt(day);
      return usable.outcomes - usable.days >= ENOUGH.pairs && usable.days >= ENOUGH.days;
    };
    const usable = stateAt(morning);
    const so = cards.slice(0, morning);
    const unbought = sum(so) - usable.outcomes;
    const purchases: TypePurchases = {
      bought: usable.outcomes,
      unbought,
      days: morning,
      daysWithCards: so.filter((count) => count > 0).length,
      boughtPerDay: usable.outcomes / morning,
      boughtPerDayIfFirst: undefined,
    };
    const need = testNeedOf(usable, purchases, ENOUGH, NOW + morning * DAY);
    if (need === undefined || need.lacks === 'cards_a_day' || need.by === undefined) continue;
    const foreseen = (endOfMonth(need.by) - NOW) / DAY;
    const days = Array.from({ length: 150 }, (_, day) => day);
    const happened = days.find(isTestable) ?? Number.POSITIVE_INFINITY;
    tests.push({ foreseen, happened });
  }
  return tests;
}

describe('buying a type first', () => {
  it('is proposed if the sample takes twice as long', () => {
    const scarce = needOf({ aDay: 8, days: 60, share: 1 / 20, usable: { outcomes: 24, days: 22 } });
    expect(scarce).toEqual({
      lacks: 'outcomes',
      needed: expect.any(Number),
      by: undefined,
      byFocus: expect.any(Number),
    });
    const { needed = 0, byFocus = 0 } = scarce as { needed: number; byFocus: number };
    const half = { aDay: 8, days: 60, share: 1 / 2, usable: { outcomes: 110, days: 50 } };
    // Ten outcomes a day, of old and new cards.
    expect(Math.abs(24 + 10 * byFocus - needed), 'outcomes when it ends').toBeLessThan(20);
    expect({
      sampleSoon: needOf(half),
      sampleSooner: needOf({ ...half, more: { boughtPerDay: 6 } }),
      fewCredits: needOf({
        aDay: 8,
        days: 60,
        share: 1 / 20,
        more: { boughtPerDay: 0.4, boughtPerDayIfFirst: 0.4 },
        usable: { outcomes: 24, days: 22 },
      }),
      allBought: needOf({ aDay: 2, days: 4 }),
    }).toEqual({
      sampleSoon: { lacks: 'outcomes', needed: 200, by: 45, byFocus: 18 },
      sampleSooner: { lacks: 'outcomes', needed: 200, by: 30, byFocus: undefined },
      fewCredits: {
        lacks: 'outcomes',
        needed: expect.any(Number),
        by: undefined,
        byFocus: undefined,
      },
      allBought: { lacks: 'outcomes', needed: 200, by: undefined, byFocus: undefined },
    });
  });
});
