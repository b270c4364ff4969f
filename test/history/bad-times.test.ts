/** Cards without a time among good ones: a gap is where they may lie, and nothing else. */
import { expect, it } from 'vitest';
import type { ApiResponse } from '../../src/sandbox/response.ts';
import { type Cron, startCron } from './cron.ts';
import { cardsAnHourApart, DAY, NOW } from './support.ts';

const WITHOUT_OUTCOMES = ['--no-outcomes', '--no-screeners', '--no-stats'];

/** 60 cards, an hour apart: pages of 25, 25 and 10. The newest has the id 60. */
const CARDS = cardsAnHourApart(60);

/** The page without the times of some cards. */
function withoutTimes(response: ApiResponse, ids: ReadonlySet<number>): ApiResponse {
  const body = JSON.parse(String(response.body));
  for (const card of body.response.items) if (ids.has(card.id)) card.created_at = 5;
  return { ...response, body: JSON.stringify(body) };
}

/** A service that sends these cards without their times. */
async function cronWithoutTimes(ids: readonly number[]): Promise<Cron> {
  return startCron({
    details: CARDS,
    start: NOW,
    instead: ({ operation }, real) =>
      operation === 'signals' ? withoutTimes(real(), new Set(ids)) : undefined,
  });
}

const idsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

it.each([
  { what: 'the first page', ids: idsFrom(36, 60), pages: 2 },
  { what: 'the second page', ids: idsFrom(11, 35), pages: 2 },
  { what: 'the last page', ids: idsFrom(1, 10), pages: 1 },
])('where all cards of $what have no time, the others are judged', async ({ ids, pages }) => {
  const cron = await cronWithoutTimes(ids);
  const first = await cron.export('--no-screeners', '--no-stats');
  expect({ code: first.code, cards: cron.cards().length }).toEqual({
    code: 9,
    cards: CARDS.length - ids.length,
  });
  expect(first.stderr).toContain('This first export may cost');
  await cron.clock.sleep(DAY);
  const second = await cron.export('--no-screeners', '--no-stats');
  expect(second.stderr).not.toContain('This first export may cost');
  const listed = second.requests.filter(({ operation }) => operation === 'signals');
  // What is new, and the gap.
  expect(listed.length).toBeLessThanOrEqual(1 + pages);
  expect(cron.manifest().judged_at).toContain('2026-11-21T');
});

it.each([
  { what: 'first of the list', ids: [60] },
  { what: 'last of a page', ids: [36] },
  { what: 'first of a page', ids: [35] },
  { what: 'around the end of a page', ids: [34, 35, 36, 37] },
  { what: 'in the middle of a page', ids: [48, 47] },
  { what: 'the last of the list', ids: [1] },
  { what: 'a whole page', ids: idsFrom(11, 35) },
])('cards without a time, $what, come as soon as they have one', async ({ ids }) => {
  const cron = await cronWithoutTimes(ids);
  await cron.export(...WITHOUT_OUTCOMES);
  expect(cron.cards()).toHaveLength(CARDS.length - ids.length);
  expect(cron.manifest().spans.length).toBeGreaterThan(0);
  cron.answerInstead(undefined);
  // The look back of a day lists the newest cards again in any case.
  await cron.clock.sleep(3 * 60 * 60 * 1000);
  await cron.export(...WITHOUT_OUTCOMES);
  expect({ complete: cron.manifest().complete, cards: cron.cards().length }).toEqual({
    complete: true,
    cards: CARDS.length,
  });
});
