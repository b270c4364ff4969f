import { expect, it } from 'vitest';
import type { Screeners } from '../../src/api/contract/resources.ts';
import { DefaultHistory } from '../../src/history/default-history.ts';
import { readScreenersLog, readStatsLog } from '../../src/history/store/answers.ts';
import { testContext } from '../support/context.ts';
import { stats } from '../support/samples.ts';
import { cardOf, directory, NOW, started } from './support.ts';

function historyOf(
  dir: string,
  account = 'account-a',
  context = testContext({ env: { SCREENER_HISTORY: dir } }),
) {
  return new DefaultHistory({ context, notes: { warn: () => {}, debug: () => {} }, account });
}

it('outcomes that are settled are taken; pending, null and missing ones are not', async () => {
  const pending = cardOf(2, 30);
  pending.outcome = { ...pending.outcome, state_24h: 'pending' } as typeof pending.outcome;
  const details = [cardOf(1, 30), pending, cardOf(3, 30, { outcome: null }), cardOf(4, 1)];
  const { dir } = await started(details);
  expect([...(await historyOf(dir).usableDetails([1, 2, 3, 4, 5]))]).toEqual([[1, details[0]]]);
  expect((await historyOf(dir, 'account-b').usableDetails([1])).size).toBe(0);
  expect((await historyOf(directory()).usableDetails([1])).size).toBe(0);
});

it('settings are kept where they differ from the ones before, whatever their order', async () => {
  const { dir } = await started([]);
  const context = testContext({ env: { SCREENER_HISTORY: dir } });
  const items = [{ type: 'oi_surge', active: false, conditions: {} }];
  const answer = (rate: number): Screeners => ({
    scope: 'current_settings',
    items: [
      { type: 'pump', active: true, conditions: { price: { pct: 3, window: 15 }, rate } },
      ...items,
    ],
  });
  const turned = { ...answer(1), items: answer(1).items.toReversed() };
  for (const one of [answer(1), answer(1), turned, answer(2), answer(1)]) {
    await historyOf(dir, 'account-a', context).keepScreeners(one);
    await context.clock.sleep(1000);
  }
  const looks = await readScreenersLog(dir, Number.POSITIVE_INFINITY);
  expect(looks.map(({ screeners }) => screeners)).toEqual([answer(1), answer(2), answer(1)]);
  expect(looks.map(({ at }) => at - (looks[0]?.at ?? 0))).toEqual([0, 3000, 4000]);
});

it("the service's own statistics of a type are kept in the history of their account, in no other", async () => {
  const { dir } = await started([cardOf(1, 30), cardOf(2, 40), cardOf(3, 2)]);
  const answer = { at: NOW, type: 'pump', stats: stats() };
  await historyOf(dir, 'another').keepStats(answer);
  expect(await readStatsLog(dir, Number.POSITIVE_INFINITY)).toEqual([]);
  const history = historyOf(dir);
  await history.keepStats(answer);
  await history.keepStats({ ...answer, type: 'oi_surge' });
  expect(await readStatsLog(dir, Number.POSITIVE_INFINITY)).toMatchObject([
    answer,
    { ...answer, type: 'oi_surge' },
  ]);
});
