/** Which windows of the list a run asks for, and what it leaves to later runs. */

import { expect, it } from 'vitest';
import { LIMITS } from '../../src/api/limits.ts';
import { awkwardList } from '../support/awkward.ts';
import {
  cardOf,
  cardsAnHourApart,
  DAY,
  exportInto,
  HOUR,
  NOW,
  setUp,
  stateOf,
  stored,
} from './support.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

it('the list goes on while its windows have cards, however far behind the oldest span they lie', async () => {
  // A card every five days of 200.
  const details = Array.from({ length: 40 }, (_, i) => cardOf(40 - i, 0.3 + i * 5 * 24));
  const { service, dir } = setUp({ details, list: awkwardList({ windows: 'at most 30 days' }) });
  await exportInto(dir, service, { outcomes: false, since: NOW - 20 * DAY });
  await exportInto(dir, service, { outcomes: false });
  const spans = stateOf(dir).spans.length;
  expect({ cards: stored(dir).length, spans }).toEqual({ cards: 40, spans: 1 });
});

it('no window ends after now: cards that come during a run are left to the next', async () => {
  const details = Array.from({ length: 120 }, (_, i) => {
    const hours = 40 + i * 16;
    const seenAt = NOW - (hours - (i % 2) * 30) * HOUR;
    return cardOf(120 - i, hours, { last_seen_at: new Date(seenAt).toISOString() });
  });
  const { service, dir } = setUp({ details, list: awkwardList({ order: 'last_seen_at' }) });
  const { sent } = await exportInto(dir, service, { outcomes: false });
  const ends = sent.flatMap(({ params }) => (params.until ? [Date.parse(`${params.until}`)] : []));
  expect(ends, 'the first shorter window').toContain(NOW);
  expect(Math.max(...ends)).toBe(NOW);
  expect(stored(dir)).toHaveLength(120);
});

it('a run that stops within a minute loses no card of it, though the service rounds the ends of windows', async () => {
  // A card every ten seconds.
  const details = Array.from({ length: 60 }, (_, i) => cardOf(60 - i, 1 + (i * 10 + 3) / 3600));
  const { service, dir } = setUp({
    details,
    list: awkwardList({ windows: 'rounded inwards to the minute' }),
  });
  await exportInto(dir, service, { outcomes: false, maxCredits: 1 });
  expect(stored(dir)).toHaveLength(25);
  await exportInto(dir, service, { outcomes: false });
  expect(stored(dir)).toHaveLength(60);
});

it('where cursors are refused, two seconds with more cards than a page are passed over in a run, and the rest is left', async () => {
  // Four seconds with 30 cards each, an hour apart.
  const details = Array.from({ length: 120 }, (_, i) => cardOf(120 - i, 1 + Math.floor(i / 30)));
  const { service, dir } = setUp({ details, list: awkwardList({ cursors: 'refused' }) });
  await exportInto(dir, service, { outcomes: false, since: NOW - DAY });
  const gaps = stateOf(dir).gaps.map(({ since, until }) => ({
    beginsBefore: NOW - Date.parse(since),
    seconds: (Date.parse(until) - Date.parse(since)) / SECOND,
  }));
  // A window ends a minute later than what it is for: the minute belongs to the gap.
  expect(gaps).toEqual([
    { beginsBefore: HOUR + MINUTE + SECOND, seconds: 61 },
    { beginsBefore: 2 * HOUR + MINUTE + SECOND, seconds: 61 },
    { beginsBefore: DAY, seconds: (21 * HOUR) / SECOND },
  ]);
});

it.each([
  { what: 'can be used', cursor: undefined },
  { what: 'is empty', cursor: '' },
  { what: 'is too long', cursor: 'x'.repeat(LIMITS.cursorLength + 1) },
])(
  'a run that stops after a page whose cursor $what does not ask for the page again',
  async ({ cursor }) => {
    const list = awkwardList({});
    const { service, dir } = setUp({
      details: cardsAnHourApart(60),
      list: (...asked) => {
        const page = list(...asked);
        return page.next_cursor === null
          ? page
          : { ...page, next_cursor: cursor ?? page.next_cursor };
      },
    });
    const options = { outcomes: false, since: NOW - 5 * DAY };
    await exportInto(dir, service, { ...options, maxCredits: 1 });
    const oldest = Math.min(...stored(dir).map(({ created_at }) => Date.parse(created_at)));
    expect(stateOf(dir).spans.map(({ since }) => Date.parse(since))).toEqual([oldest]);
  },
);
