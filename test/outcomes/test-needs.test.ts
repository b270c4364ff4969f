/** What a type lacks before its numbers can be tested, and when that comes. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { isAllBoughtSoon, type TypePurchases } from '../../src/outcomes/purchases.ts';
import {
  type EnoughForTest,
  enoughForTest,
  testNeedOf,
  type UsableOutcomes,
} from '../../src/outcomes/test-needs.ts';
import { neededWords } from '../../src/output/views/tune-results.ts';

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

/** What is lacking, with days from now in the place of dates. */
function needOf({ aDay, days, share = 1, more = {}, usable }: Cards) {
  const cards = aDay * days;
  const bought = Math.round(cards * share);
  const purchases: TypePurchases = {
    bought,
    unbought: cards - bought,
    boughtPerDayOfAll: 10,
    // It is the only type, and the bought share stays the same.
    sample: { bought, due: cards, cardsPerDay: aDay, boughtPerDay: aDay * share, delayDays: 0 },
    isInFocusAlone: false,
    daysToAllBought: undefined,
    cardsPerDay: aDay,
    days,
    daysByCards: new Map([[aDay, days]]),
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

  it('is outcomes of the same day: those of four a day are three pairs', () => {
    expect({
      enough: needOf({ aDay: 4, days: 30 }),
      // 60 pairs are lacking, of 3 a day: 120 outcomes, told as 150. Of these 110 are lacking, 3.3 a day from tomorrow on: that is
      // 4 less a standard error.
      few: needOf({ aDay: 4, days: 10 }),
      // A day tells 1 more: half as many days again.
      fewOfTwo: needOf({ aDay: 2, days: 10 }),
    }).toEqual({
      enough: undefined,
      few: { lacks: 'outcomes', needed: 150, by: 35, byFocus: undefined },
      // 90 days are too many for a date.
      fewOfTwo: { lacks: 'outcomes', needed: 200, by: undefined, byFocus: undefined },
    });
  });

  it('is days, where pairs come sooner than these', () => {
    expect(needOf({ aDay: 20, days: 18 })).toEqual({
      lacks: 'days',
      needed: 24,
      by: 7,
      byFocus: undefined,
    });
    expect(needOf({ aDay: 20, days: 2 })).toMatchObject({ lacks: 'days', needed: 24, by: 23 });
  });

  it('never comes of a type that has hardly two cards on a day, whatever is bought', () => {
    const rare = (days: number, cards: number, twice = 0) =>
      needOf({
        aDay: 1,
        days,
        more: {
          bought: cards,
          unbought: 0,
          daysByCards: new Map([
            [1, cards - 2 * twice],
            [2, twice],
          ]),
          cardsPerDay: cards / days,
          sample: {
            bought: cards,
            due: cards,
            cardsPerDay: cards / days,
            boughtPerDay: cards / days,
            delayDays: 0,
          },
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

  it('of a type that exports buy first already comes as they buy it', () => {
    const cards = { aDay: 20, days: 30, share: 0.05 };
    const proposed = needOf(cards);
    expect(proposed).toMatchObject({
      lacks: 'outcomes',
      by: undefined,
      byFocus: expect.any(Number),
    });
    if (typeof proposed !== 'object') throw new Error('Nothing is lacking.');
    const underWay = { ...proposed, by: proposed.byFocus, byFocus: undefined };
    expect(needOf({ ...cards, more: { isInFocusAlone: true } })).toEqual(underWay);
  });

  it('comes later while exports buy another type first, or has no date', () => {
    const cards = { aDay: 8, days: 15, share: 0.5 };
    const delayed = (delayDays: number, boughtPerDay: number) => {
      const sample = { bought: 60, due: 120, cardsPerDay: 8, boughtPerDay, delayDays };
      return needOf({ ...cards, more: { sample } });
    };
    const byOf = (need: ReturnType<typeof needOf>) => (typeof need === 'object' ? need.by : need);
    const undelayed = byOf(needOf(cards));
    expect({
      waits: byOf(delayed(10, 4)),
      isSlower: Number(byOf(delayed(10, 3))) > Number(undelayed) + 10,
      never: byOf(delayed(Number.POSITIVE_INFINITY, 0)),
      // Ten days without purchases, but a part of the cards of these days is bought later.
    }).toEqual({ waits: Number(undelayed) + 9, isSlower: true, never: undefined });
  });

  it('comes sooner if exports buy old cards, too', () => {
    // Of all types 160 of 800 outcomes are bought, and 20 a day of the 40 that come due: in 20 days 560 of 1,600, 35 %.
    const sample = { bought: 160, due: 800, cardsPerDay: 40, boughtPerDay: 20, delayDays: 0 };
    const cards = { aDay: 8, days: 20, share: 0.2 };
    const need = needOf({ ...cards, more: { sample } });
    const newCardsAlone = { ...sample, boughtPerDay: 8 };
    expect({ need, newCardsAlone: needOf({ ...cards, more: { sample: newCardsAlone } }) }).toEqual({
      // In 33 days 820 of 2,120 are bought: 39 % of the 236 new ones of this type, and 30 of its 128 old ones.
      need: { lacks: 'outcomes', needed: 150, by: 33, byFocus: 13 },
      newCardsAlone: {
        lacks: 'outcomes',
        needed: expect.any(Number),
        by: undefined,
        byFocus: expect.any(Number),
      },
    });
  });

  it('counts only outcomes that have the number', () => {
    // Of eight cards a day half have it: three pairs a day. So it needs 120 outcomes, told as 150, 90 more than there are. Of
    // 7.3 cards a day, a standard error less than eight, 54 % are counted to have it: seen in 60 of 120, and 96 % is usual.
    const half = needOf({ aDay: 8, days: 15, usable: { outcomes: 60, days: 15 } });
    expect(half).toEqual({ lacks: 'outcomes', needed: 150, by: 23, byFocus: undefined });
    const share = (60 + 0.96 * 25) / (120 + 25);
    const perDay = 8 - Math.sqrt(8 / 15);
    expect(Math.ceil(1 + 90 / (share * perDay))).toBe(23);
  });
});

describe('if the credits will soon have covered all outcomes', () => {
  const cards = { aDay: 8, days: 15, share: 0.2 };

  it('they come with that, and no type is bought first', () => {
    expect({
      // Eight cards a day give seven pairs: the cards so far are enough.
      inThreeDays: needOf({ ...cards, more: { daysToAllBought: 3 } }),
      // The first day brings the pairs, the days are those of the cards.
      today: needOf({ aDay: 8, days: 12, share: 0.2, more: { daysToAllBought: 0.5 } }),
      nobodyKnows: needOf({ ...cards, days: 60, share: 0.05 }),
      soon: needOf({ ...cards, days: 60, share: 0.05, more: { daysToAllBought: 20 } }),
    }).toMatchObject({
      inThreeDays: { lacks: 'days', needed: 24, by: expect.any(Number), byFocus: undefined },
      today: { lacks: 'days', needed: 24, by: 14, byFocus: undefined },
      nobodyKnows: { lacks: 'outcomes', by: undefined, byFocus: expect.any(Number) },
      soon: { lacks: 'outcomes', by: expect.any(Number), byFocus: undefined },
    });
  });

  it('also of a type that exports buy first', () => {
    const more = { daysToAllBought: 3 };
    expect(needOf({ ...cards, more: { ...more, isInFocusAlone: true } })).toEqual(
      needOf({ ...cards, more }),
    );
  });

  it('is soon within two months', () => {
    expect({
      unknown: isAllBoughtSoon(undefined, NOW),
      earlier: isAllBoughtSoon(NOW - DAY, NOW),
      twoMonths: isAllBoughtSoon(NOW + 60 * DAY, NOW),
      later: isAllBoughtSoon(NOW + 60 * DAY + 1, NOW),
    }).toEqual({ unknown: false, earlier: true, twoMonths: true, later: false });
  });
});

it('needs are told in steps of fifty, so that they stay as outcomes come in', () => {
  // No card comes any more, so that what is lacking is reckoned from the cards so far, four on each of ten days.
  const usable: UsableOutcomes = { outcomes: 40, days: 10 };
  const ended: TypePurchases = {
    bought: 40,
    unbought: 0,
    boughtPerDayOfAll: 0,
    sample: { bought: 40, due: 40, cardsPerDay: 0, boughtPerDay: 0, delayDays: 0 },
    isInFocusAlone: false,
    daysToAllBought: undefined,
    cardsPerDay: 0,
    days: 10,
    daysByCards: new Map([[4, 10]]),
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

  it('has no date before so many cards are there, of which 4 % have no figure', () => {
    const scarce = { aDay: 5.4, days: 37, share: 29 / 200, more: { boughtPerDayOfAll: 24 } };
    const daysByCards = new Map([
      [5, 22],
      [6, 15],
    ]);
    const need = needOf({ ...scarce, more: { ...scarce.more, daysByCards } });
    if (typeof need !== 'object' || need.byFocus === undefined) throw new Error('No date.');
    const cards = scarce.aDay * (scarce.days + need.byFocus);
    expect(0.96 * cards, 'outcomes by then').toBeGreaterThan(told(need.needed));
  });

  it('has a later date if the rate is known of a few days only', () => {
    const dateOf = (days: number) => {
      const need = needOf({ aDay: 4, days: 8, more: { days } });
      return typeof need === 'object' ? need.by : undefined;
    };
    expect(Number(dateOf(8))).toBeGreaterThan(Number(dateOf(28)));
  });

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
});

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
    // Ten outcomes a day, of old and new cards; the day on which so many are there is a whole one.
    expect(Math.abs(24 + 10 * byFocus - needed), 'outcomes when it ends').toBeLessThan(10);
    expect({
      sampleSoon: needOf({ aDay: 8, days: 60, share: 1 / 2, usable: { outcomes: 110, days: 50 } }),
      fewCredits: needOf({
        aDay: 8,
        days: 60,
        share: 1 / 20,
        more: { boughtPerDayOfAll: 0.4 },
        usable: { outcomes: 24, days: 22 },
      }),
      allBought: needOf({ aDay: 2, days: 4 }),
    }).toEqual({
      sampleSoon: { lacks: 'outcomes', needed: 200, by: 49, byFocus: 18 },
      fewCredits: {
        lacks: 'outcomes',
        needed: expect.any(Number),
        by: undefined,
        byFocus: undefined,
      },
      allBought: { lacks: 'outcomes', needed: 200, by: undefined, byFocus: undefined },
    });
  });

  it('of a silent type brings what its cards have, and nothing comes without', () => {
    const silent = { cardsPerDay: 0, boughtPerDay: 0 };
    const usable = { outcomes: 24, days: 22 };
    expect({
      enough: needOf({ aDay: 8, days: 60, share: 1 / 20, more: silent, usable }),
      tooFew: needOf({
        aDay: 4,
        days: 20,
        share: 1 / 2,
        more: silent,
        usable: { outcomes: 40, days: 18 },
      }),
    }).toMatchObject({
      enough: { by: undefined, byFocus: expect.any(Number) },
      tooFew: { by: undefined, byFocus: undefined },
    });
  });
});
