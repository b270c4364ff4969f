/** What exports foresee of their purchases, in figures and in words. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { foresee, type Outlook, outlookSentence } from '../../src/history/export/outlook.ts';
import type { BuyableCard } from '../../src/history/export/survey.ts';

const NOW = Date.UTC(2026, 10, 29, 9);
const RESET = Date.UTC(2026, 11, 1);

interface Account {
  /** Outcomes that are due and not bought. */
  readonly open: number;
  readonly cardsPerDay: number;
  /** Credits for outcomes until the reset, and in each month from then on. */
  readonly now: number;
  readonly monthly: number;
  /** Outcomes that can still be bought today, with the credits of the day. */
  readonly today?: number;
}

function outlookFor({ open, cardsPerDay, now, monthly, today = 140 }: Account): Outlook {
  const buyable = Array.from({ length: open }, () => ({}) as BuyableCard);
  return foresee(
    { now: NOW, buyable, cardsPerDay },
    {
      resetsAt: RESET,
      creditsForOutcomes: now,
      boughtEarlierToday: 0,
      leftToday: today,
      creditsForOutcomesAfterReset: monthly,
      mostPerDay: 140,
      otherCreditsPerDay: 3,
    },
  );
}

const sentenceFor = (account: Account): string => outlookSentence(outlookFor(account));

describe('the outlook of an export', () => {
  const after = 'are bought by 1 Dec, when the credits reset; after that';

  it('names a day within ten months of the reset, and none after them', () => {
    const boughtBy = (open: number) =>
      outlookFor({ open, cardsPerDay: 20, now: 40, monthly: 800 }).all_bought_by;
    expect({ inTenMonths: boughtBy(2020), later: boughtBy(2040) }).toEqual({
      inTenMonths: '2027-08-29T00:00:00Z',
      later: null,
    });
  });

  it('names the day on which all is bought, months after the reset, too', () => {
    expect({
      soon: sentenceFor({ open: 80, cardsPerDay: 15, now: 200, monthly: 900 }),
      thisReset: sentenceFor({ open: 600, cardsPerDay: 15, now: 20, monthly: 1100 }),
      // It said that 20 of the 15 are bought each day, chosen at random.
      twoMonths: sentenceFor({ open: 600, cardsPerDay: 15, now: 20, monthly: 800 }),
      // 27 of the 20.
      halfAYear: sentenceFor({ open: 1500, cardsPerDay: 20, now: 40, monthly: 800 }),
    }).toEqual({
      soon: 'all are bought by 29 Nov',
      thisReset: 'all are bought by 5 Dec',
      twoMonths: 'all are bought by 1 Jan',
      halfAYear: 'all are bought by 29 Jun',
    });
  });

  it('buys no more today than the credits of the day still pay', () => {
    const account = { open: 100, cardsPerDay: 0, now: 400, monthly: 900 };
    expect({
      usual: sentenceFor(account),
      spent: sentenceFor({ ...account, today: 0 }),
      few: sentenceFor({ ...account, today: 10 }),
    }).toEqual({
      usual: 'all are bought by 29 Nov',
      spent: 'all are bought by 30 Nov',
      few: 'all are bought by 30 Nov',
    });
    // What today cannot buy is bought on the day that is left until the reset.
    const scarce = { open: 400, cardsPerDay: 0, now: 100, monthly: 60, today: 0 };
    expect(outlookFor(scarce).bought_by_reset).toBe(100);
  });

  it('spreads nothing over the days if the credits pay for all, also after a purchase today', () => {
    const boughtBy = (boughtEarlierToday: number) =>
      foresee(
        {
          now: NOW,
          buyable: Array.from({ length: 100 }, () => ({}) as BuyableCard),
          cardsPerDay: 0,
        },
        {
          resetsAt: NOW + 20 * DAY,
          creditsForOutcomes: 300,
          boughtEarlierToday,
          leftToday: 50,
          creditsForOutcomesAfterReset: 300,
          mostPerDay: 50,
          otherCreditsPerDay: 0,
        },
      ).all_bought_by;
    // Of 100 outcomes, 50 are bought today and 50 tomorrow. If 1 was bought today already, 1 is left for the third day.
    expect({ noneBefore: boughtBy(0), oneBefore: boughtBy(1) }).toEqual({
      noneBefore: '2026-11-30T00:00:00Z',
      oneBefore: '2026-12-01T00:00:00Z',
    });
  });

  it('names the types that are bought first in the place of a random sample', () => {
    const outlook = outlookFor({ open: 100, cardsPerDay: 40, now: 60, monthly: 600 });
    expect(outlookSentence(outlook, ['pump', 'dump'])).toBe(
      `about 60 ${after}, 20 of the 40 that come due each day, pump, dump first`,
    );
  });

  it('speaks of no purchases if there are none', () => {
    const account = { open: 100, cardsPerDay: 5, monthly: 0 };
    expect({
      never: sentenceFor({ ...account, now: 0 }),
      afterReset: sentenceFor({ ...account, now: 20 }),
    }).toEqual({
      never: 'no credits are left for outcomes',
      afterReset: `about 20 ${after}, none of the 5 that come due each day`,
    });
  });

  it('tells of a random sample only where fewer are bought than come due', () => {
    expect({
      sample: sentenceFor({ open: 100, cardsPerDay: 40, now: 60, monthly: 600 }),
      // 15.6 of 15.7 are no sample of 16.
      nearlyAll: sentenceFor({ open: 100, cardsPerDay: 15.7, now: 20, monthly: 468 }),
      years: sentenceFor({ open: 9000, cardsPerDay: 15, now: 20, monthly: 480 }),
    }).toEqual({
      sample: `about 60 ${after}, 20 of the 40 that come due each day, chosen at random`,
      nearlyAll: `about 20 ${after}, as many each day as come due (16)`,
      years: `about 20 ${after}, as many each day as come due (15)`,
    });
  });
});
