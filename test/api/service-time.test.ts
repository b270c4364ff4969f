import { expect, it } from 'vitest';
import { ServiceTime } from '../../src/api/service-time.ts';
import { DAY } from '../../src/base/units.ts';
import * as samples from '../support/samples.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);
const iso = (at: number) => new Date(at).toISOString();

/** What is taken for now after this Date header, then a page, and then another answer. */
function nowAfter(
  date: number | undefined,
  page: { until?: number; newest?: number },
  { asked = {}, last }: { asked?: object; last?: number } = {},
): number {
  const time = new ServiceTime({ now: () => NOW }, () => {});
  const header = (at: number | undefined) =>
    at === undefined ? undefined : new Date(at).toUTCString();
  time.learnFromHeader(header(date), NOW);
  const { until = NOW, newest = NOW - DAY } = page;
  const items = [{ ...samples.nthCard(1), created_at: iso(newest) }];
  time.learnFromCards({ ...samples.page([]), until: iso(until), items } as never, asked);
  time.learnFromHeader(header(last), NOW);
  return time.now();
}

it('believes a Date header that the page does not contradict, and not this machine', () => {
  const hour = 3_600_000;
  expect(nowAfter(NOW - 3 * hour, {})).toBe(NOW - 3 * hour);
  const page = { until: NOW - 5 * DAY + 20 * hour, newest: NOW - 6 * DAY };
  expect(nowAfter(NOW - 5 * DAY, page)).toBe(NOW - 5 * DAY);
});

it.each([5, -5])(
  'does not believe a Date header that is %i years off what a page up to now says',
  (years) => {
    const off = NOW + years * 365 * DAY;
    expect(nowAfter(off, {})).toBe(NOW);
    // That of another operation alone.
    for (const date of [NOW, undefined])
      expect(nowAfter(date, {}, { last: off }), `date: ${date}`).toBe(NOW);
  },
);

it('believes one that is two days off, because a page may end at a whole day, and none further off', () => {
  const believed = NOW - 2 * DAY;
  const tooFar = believed - 1000;
  expect({ twoDays: nowAfter(believed, {}), further: nowAfter(tooFar, {}) }).toEqual({
    twoDays: believed,
    further: NOW,
  });
});

it('takes the service to be ahead of this machine by no more than its page', () => {
  const minutes = (count: number) => NOW + count * 60_000;
  const ahead = minutes(20 * 60);
  expect({
    untilNow: nowAfter(ahead, { until: NOW }),
    untilLater: nowAfter(ahead, { until: minutes(20) }),
  }).toEqual({ untilNow: NOW, untilLater: minutes(20) });
});

it('does not believe one that is years before the newest card, wherever the page ends', () => {
  const asked = { until: iso(NOW) };
  expect(nowAfter(NOW - 5 * 365 * DAY, {}, { asked })).toBe(NOW);
  // A window in the past says nothing of a Date header after it.
  const past = { until: NOW - 90 * DAY, newest: NOW - 91 * DAY };
  expect(nowAfter(NOW, past, { asked: { until: iso(NOW - 90 * DAY) } })).toBe(NOW);
});

it('takes the time from a page up to now where no Date header tells it', () => {
  expect(nowAfter(undefined, { until: NOW - 5 * DAY, newest: NOW - 6 * DAY })).toBe(NOW - 5 * DAY);
});

it('believes no Date header that is years off before a page tells which clock is right', () => {
  for (const years of [56, 1, -1]) {
    const date = NOW - years * 365 * DAY;
    const warnings: string[] = [];
    const time = new ServiceTime({ now: () => NOW }, (text) => warnings.push(text));
    time.learnFromHeader(new Date(date).toUTCString(), NOW);
    expect(time.now(), `${years} years`).toBe(NOW);
    const direction = years > 0 ? 'ahead of' : 'behind';
    expect(warnings, `${years} years`).toEqual([
      `This machine's clock is ${Math.abs(years) * 365} days ${direction} the service's. ` +
        "Until a page of cards shows which is right, this machine's counts.",
    ]);
    // The page says that the header was right.
    const page = { ...samples.page([]), until: iso(date) };
    time.learnFromCards(page as never, {});
    expect(time.now(), `${years} years, and a page`).toBe(date);
    expect(warnings, `${years} years, and a page`).toHaveLength(1);
  }
});

it("says once how far this machine's clock is off, if it is by more than five minutes", () => {
  const warningsOf = (...minutesAhead: readonly number[]) => {
    const warnings: string[] = [];
    const time = new ServiceTime({ now: () => NOW }, (text) => warnings.push(text));
    for (const minutes of minutesAhead)
      time.learnFromHeader(new Date(NOW - minutes * 60_000).toUTCString(), NOW);
    return warnings;
  };
  const sentence = (off: string) =>
    `This machine's clock is ${off} the service's, whose time counts.`;
  expect({
    same: warningsOf(5, -5),
    ahead: warningsOf(6, 7, 8),
    behind: warningsOf(-90),
    again: warningsOf(6, 0, 6),
    without: new ServiceTime({ now: () => NOW }, () => {}).now(),
  }).toEqual({
    same: [],
    ahead: [sentence('6 minutes ahead of')],
    behind: [sentence('1 hour 30 minutes behind')],
    again: [sentence('6 minutes ahead of'), sentence('6 minutes ahead of')],
    without: NOW,
  });
});
