/** Which outcomes are bought, and which of them first. */
import { expect, it } from 'vitest';
import { type BuyableCard, inBuyingOrder } from '../../src/history/export/survey.ts';
import { dueAfter } from '../../src/history/store/manifest.ts';
import { cardOf, HOUR, inHashOrder, started, stored } from './support.ts';

it('an outcome is bought from the moment it is due, to the millisecond', async () => {
  const hours = dueAfter({ settled: [] }) / HOUR;
  const details = [cardOf(1, hours), cardOf(2, hours - 1 / 3_600_000)];
  const { dir } = await started(details);
  expect(stored(dir).map((card) => ({ id: card.id, isBought: 'outcome' in card }))).toEqual([
    { id: 1, isBought: true },
    { id: 2, isBought: false },
  ]);
});

it('an outcome that failed comes after the others, and before it one that had no figure', () => {
  const never = { at: '', times: 0, failed: 0, not_found: false };
  const card = (id: number, type: string, failed = 0, wasBoughtWhenDue = false): BuyableCard =>
    ({ id, type, requests: { ...never, failed }, wasBoughtWhenDue }) as BuyableCard;
  const cards = [
    card(1, 'pump', 1),
    card(2, 'pump', 2),
    card(3, 'pump', 0, true),
    card(4, 'dump'),
    card(5, 'dump'),
    card(6, 'pump'),
  ];
  const idsFor = (focus: readonly string[]) => inBuyingOrder(cards, focus).map(({ id }) => id);
  expect({ all: idsFor([]), focus: idsFor(['pump']) }).toEqual({
    all: [...inHashOrder([4, 5, 6]), 3, 1, 2],
    focus: [6, ...inHashOrder([4, 5]), 3, 1, 2],
  });
});
