/** Whether medians would tell nothing that the outcomes do not. */
import { expect, it } from 'vitest';
import { willNearlyAllBeBought } from '../../src/history/export/plan.ts';
import { DAY, NOW } from './support.ts';

const PACE = { mostThisRun: 1_000 };
const BUDGET = { forThisRun: 1_000 };

/** Ten outcomes came due in the last 31 days; of so many cards the outcome is still open. */
function evidenceOf(bought: number, openDaysAgo: readonly number[]) {
  return {
    now: NOW,
    buyable: openDaysAgo.map((days) => ({ at: NOW - days * DAY, isBought: false })),
    boughtOfDue: { days: 31, due: 10, bought },
  };
}

it.each([
  { what: 'nine of ten', bought: 9, open: [], isNearly: true },
  { what: 'eight of ten', bought: 8, open: [], isNearly: false },
  { what: 'eight, and one open', bought: 8, open: [31], isNearly: true },
  { what: 'eight, and one open of an earlier month', bought: 8, open: [32], isNearly: false },
])('$what: $isNearly', ({ bought, open, isNearly }) => {
  expect(willNearlyAllBeBought(evidenceOf(bought, open), { outcomes: true }, PACE, BUDGET)).toBe(
    isNearly,
  );
});

it('a card that is asked again for its figure is bought already', () => {
  const { buyable, ...others } = evidenceOf(8, [3]);
  const evidence = { ...others, buyable: buyable.map((card) => ({ ...card, isBought: true })) };
  expect(willNearlyAllBeBought(evidence, { outcomes: true }, PACE, BUDGET)).toBe(false);
});

it('none is bought in this run without credits, without pace, or where outcomes are switched off', () => {
  const evidence = evidenceOf(8, [3, 4]);
  const outcomes = { outcomes: true };
  expect({
    withAll: willNearlyAllBeBought(evidence, outcomes, PACE, BUDGET),
    switchedOff: willNearlyAllBeBought(evidence, { outcomes: false }, PACE, BUDGET),
    withoutPace: willNearlyAllBeBought(evidence, outcomes, { mostThisRun: 0 }, BUDGET),
    withoutCredits: willNearlyAllBeBought(evidence, outcomes, PACE, { forThisRun: 0 }),
  }).toEqual({ withAll: true, switchedOff: false, withoutPace: false, withoutCredits: false });
});

it('is not so where no outcome came due', () => {
  const boughtOfDue = { days: 31, due: 0, bought: 0 };
  expect(
    willNearlyAllBeBought({ now: NOW, buyable: [], boughtOfDue }, { outcomes: true }, PACE, BUDGET),
  ).toBe(false);
});
