/** This machine's clock makes no second day: what is final after two UTC days counts the days of the service. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure } from '../../src/sandbox/response.ts';
import { type Cron, startCron } from './cron.ts';
import { cardOf, cardsAnHourApart, DAY, HOUR, NOW } from './support.ts';

/** Between two runs that see the same thing. By a right clock, it is one moment. */
const A_MOMENT = 1.5 * HOUR;

/** Wrong clocks that make two UTC days of the moment, with and without Date headers of the service. */
const CLOCKS = [
  { clock: '26 hours ahead', ahead: 26 * HOUR, dated: true },
  { clock: '26 hours ahead of a service without Date headers', ahead: 26 * HOUR, dated: false },
  { clock: 'three days ahead', ahead: 3 * DAY, dated: true },
];

/** Cards of August to November, four days apart, the newest two days old. */
const CARDS = Array.from({ length: 28 }, (_, i) => cardOf(28 - i, 48 + 96 * i));
const october = ({ dir }: Cron) => join(dir, 'signals-2026-10.ndjson');
const missing = (cron: Cron) => cron.manifest().months['2026-10']?.missing;
const pagesOf = ({ requests }: Awaited<ReturnType<Cron['export']>>) =>
  requests.filter(({ operation }) => operation === 'signals').length;

async function completeHistory(dated: boolean): Promise<Cron> {
  const cron = await startCron({ details: CARDS, start: NOW, dated });
  for (let day = 0; day < 2; day += 1) {
    expect((await cron.export()).code).toBe(0);
    await cron.clock.sleep(DAY);
  }
  expect(cron.manifest().complete).toBe(true);
  return cron;
}

/** Runs of the machine with its wrong clock. */
async function exportAhead(cron: Cron, ahead: number, ...words: string[]) {
  await cron.clock.sleep(A_MOMENT);
  cron.machineAhead = ahead;
  const run = await cron.export(...words);
  cron.machineAhead = 0;
  return run;
}

describe.each(CLOCKS)('a clock $clock', ({ ahead, dated }) => {
  it('makes no month lost that is away for a moment', async () => {
    const cron = await completeHistory(dated);
    const cards = cron.cards();
    const whole = readFileSync(october(cron));
    rmSync(october(cron));
    expect((await cron.export()).code).toBe(0);
    const run = await exportAhead(cron, ahead);
    expect({ code: run.code, pages: pagesOf(run), missing: missing(cron) }).toEqual({
      code: 0,
      pages: 1,
      missing: { first: expect.any(String), cards: 8 },
    });
    expect(run.stderr).toContain('If it still lacks cards after a day');
    writeFileSync(october(cron), whole);
    await cron.clock.sleep(A_MOMENT);
    expect((await cron.export()).stderr).toContain('Complete');
    expect(cron.cards()).toEqual(cards);
    expect([...cron.bought().values()].filter((times) => times > 1)).toEqual([]);
  });

  it.each(['answers', 'fails'])('makes no card gone where the list %s', async (list) => {
    const cron = await startCron({ details: cardsAnHourApart(40), start: NOW, dated });
    let bought = 0;
    let lost: string | undefined;
    const isOfLost = (id: string | undefined) => {
      bought += 1;
      if (bought === 2) lost = id;
      return id === lost;
    };
    cron.answerInstead(({ operation, query }) =>
      operation === 'signal' && isOfLost(query.id) ? failure(404) : undefined,
    );
    await cron.export('--no-stats');
    expect(cron.manifest().asked[lost ?? '']).toMatchObject({ not_found: true });
    cron.answerInstead(({ operation, query }) => {
      if (operation === 'signals' && list === 'fails') return failure(500);
      return operation === 'signal' && query.id === lost ? failure(404) : undefined;
    });
    for (let run = 0; run < 2; run += 1) {
      const { requests } = await exportAhead(cron, ahead, '--no-stats');
      const asked = requests.filter(({ query }) => query.id === lost);
      expect(asked.length, 'once a run').toBeLessThanOrEqual(1);
    }
    expect(cron.manifest().counts?.gone).toBe(0);
    cron.answerInstead(undefined);
    // What a wrong clock left counts as asked for now: a second run asks for the card.
    for (const wait of [DAY, 7 * HOUR]) {
      await cron.clock.sleep(wait);
      await cron.export('--no-stats');
    }
    expect(cron.manifest().counts).toMatchObject({ to_buy: 0, gone: 0 });
  });

  it('makes no list begin where it is refused', async () => {
    const cron = await startCron({ details: CARDS, start: NOW, dated });
    const oldest = NOW - 40 * DAY;
    cron.answerInstead(({ operation, query }) => {
      const isOld = Date.parse(query.since ?? '') < oldest;
      return operation === 'signals' && isOld ? failure(422) : undefined;
    });
    await cron.export();
    expect(cron.manifest().gaps.some(({ begin }) => begin !== undefined)).toBe(true);
    await exportAhead(cron, ahead);
    expect(cron.manifest().begins_at).toBeNull();
  });
});

it('a loss that is first seen by a clock 26 hours behind, in a run without a page, is not sure a moment later', async () => {
  const cron = await completeHistory(true);
  await cron.export();
  await cron.clock.sleep(DAY);
  rmSync(october(cron));
  cron.machineAhead = -26 * HOUR;
  await cron.export('--max-credits', '0');
  cron.machineAhead = 0;
  await cron.clock.sleep(A_MOMENT);
  expect(pagesOf(await cron.export())).toBe(1);
  expect(missing(cron)).toMatchObject({ cards: 8 });
});
