/** Which outcomes are bought, which of them first, and when pages say that they are due. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type BuyableCard, inBuyingOrder } from '../../src/history/export/survey.ts';
import { dueAfter } from '../../src/history/store/manifest.ts';
import { startCron } from './cron.ts';
import { cardOf, DAY, HOUR, inHashOrder, NOW, started, stored } from './support.ts';

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
  const card = (id: number, type: string, failed = 0, isRepeatPurchase = false): BuyableCard =>
    ({ id, type, requests: { ...never, failed }, isRepeatPurchase }) as BuyableCard;
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

it('where outcomes come two days late, pages say that they are due when exports buy them', async () => {
  const cron = await startCron({ details: [cardOf(2, 30)], start: NOW });
  await cron.export('--no-outcomes', '--no-stats');
  const path = join(cron.dir, 'export.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const lateness = { ...manifest.lateness, settled: [2 * DAY] };
  writeFileSync(path, JSON.stringify({ ...manifest, lateness }));
  const card = (await cron.command('signals', 'show', '2', '--local')).stdout;
  expect(card).toContain('Outcome due 2026-11-22 12:05 UTC (in 1 day 18 hours)');
  expect(card).not.toContain('buys the outcome');
  expect((await cron.command('stats', 'pump', '--local')).stdout).toContain(
    'the first outcome is due on 22 Nov',
  );
  expect((await cron.export('--no-stats')).requests.map(({ operation }) => operation)).toEqual([
    'access',
    'signals',
  ]);
  await cron.clock.sleep(Date.parse('2026-11-22T12:05:00Z') - cron.clock.now());
  const due = (await cron.command('signals', 'show', '2', '--local')).stdout;
  expect(due).toContain('`screener signals export` buys the outcome.');
  await cron.export('--no-stats');
  expect(cron.bought()).toEqual(new Map([[2, 1]]));
});
