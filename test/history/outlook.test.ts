/** What exports foresee of their purchases, in figures and in words. */
import { describe, expect, it } from 'vitest';
import { foresee, outlookSentence, shareInWords } from '../../src/history/export/outlook.ts';
import type { Due } from '../../src/history/export/survey.ts';

const NOW = Date.UTC(2026, 10, 29, 9);
const RESET = Date.UTC(2026, 11, 1);

interface Account {
  /** Outcomes that are due and not bought. */
  readonly open: number;
  readonly cardsPerDay: number;
  /** Credits for outcomes until the reset, and in each month from then on. */
  readonly now: number;
  readonly monthly: number;
}

function sentenceFor({ open, cardsPerDay, now, monthly }: Account): string {
  const due = Array.from({ length: open }, () => ({}) as Due);
  return outlookSentence(
    foresee(
      { at: NOW, due, cardsPerDay },
      {
        resetsAt: RESET,
        forOutcomes: now,
        boughtToday: 0,
        forOutcomesThen: monthly,
        mostPerDay: 140,
        forOthersPerDay: 3,
      },
    ),
  );
}

describe('the outlook of an export', () => {
  const after = 'are bought by 1 Dec, when the credits reset; after that';

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

it.each([
  { share: 0, words: '' },
  { share: 0.02, words: '1 in 50' },
  { share: 0.0999, words: '1 in 10' },
  { share: 77 / 762, words: '1 in 10' },
  { share: 0.104, words: '1 in 10' },
  { share: 0.12, words: '1 in 8' },
  { share: 0.22, words: '1 in 5' },
  { share: 0.26, words: '1 in 4' },
  { share: 1 / 3, words: '1 in 3' },
  { share: 0.74, words: '3 in 4' },
  { share: 0.98, words: '' },
])('a share of $share is $words', ({ share, words }) => {
  expect(shareInWords(share)).toBe(words);
});
