import { expect, it } from 'vitest';
import { ServiceTime } from '../../src/api/service-time.ts';
import { DAY } from '../../src/runtime/units.ts';
import * as samples from '../support/samples.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);
const iso = (at: number) => new Date(at).toISOString();

/** What is taken for now after this Date header and then a page. */
function nowAfter(date: number, page: { until?: number; newest?: number }, asked = {}): [known: boolean, now: number] {
  const time = new ServiceTime({ now: () => NOW }, () => {});
  time.learn(new Date(date).toUTCString(), NOW);
  const { until = NOW, newest = NOW - DAY } = page;
  const items = [{ ...samples.nthCard(1), created_at: iso(newest) }];
  time.compare({ ...samples.page([]), until: iso(until), items } as never, asked);
  return [time.isKnown, time.now()];
}

it('believes a Date header that the page does not contradict, and not this machine', () => {
  const hour = 3_600_000;
  expect(nowAfter(NOW - 3 * hour, {})).toEqual([true, NOW - 3 * hour]);
  expect(nowAfter(NOW - 5 * DAY, { until: NOW - 5 * DAY + 20 * hour, newest: NOW - 6 * DAY })).toEqual([
    true,
    NOW - 5 * DAY,
  ]);
});

it.each([5, -5])('does not believe a Date header that is %i years off the end of a page up to now', (years) => {
  expect(nowAfter(NOW + years * 365 * DAY, {})).toEqual([false, NOW]);
});

it('does not believe one that is years before the newest card, wherever the page ends', () => {
  const asked = { until: iso(NOW) };
  expect(nowAfter(NOW - 5 * 365 * DAY, {}, asked)).toEqual([false, NOW]);
  // A window in the past says nothing of a Date header after it.
  expect(nowAfter(NOW, { until: NOW - 90 * DAY, newest: NOW - 91 * DAY }, { until: iso(NOW - 90 * DAY) })).toEqual([
    true,
    NOW,
  ]);
});
