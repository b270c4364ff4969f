/** No card is missing, whatever the list's order, cursors and windows are. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type Awkward, awkwardList, CURSORS, ORDERS, WINDOWS } from '../support/awkward.ts';
import {
  cardOf,
  codeOf,
  DAY,
  directory,
  exportInto,
  exports,
  HOUR,
  NOW,
  Service,
  setUp,
  stateOf,
  stored,
} from './support.ts';

type Listing = Required<Omit<Awkward, 'pages'>>;

/** Over 80 days, with bursts that share a second, quiet weeks, ids that do not follow time, and cards seen again. */
function cardsOver(days: number, count: number, firstId: number, end = 0): SignalDetail[] {
  return Array.from({ length: count }, (_, i) => {
    const isBurst = i % 40 < 9;
    const at = isBurst ? Math.floor(i / 40) * 40 : i;
    const hours = end + 0.3 + (at / count) * days * 24;
    const id = firstId + ((i * 53) % 997) * 3;
    const created = NOW - hours * HOUR;
    const seenAt = Math.min(created + (i % 11) * 9 * HOUR, NOW - end * HOUR);
    const seen = i % 5 === 0 ? new Date(seenAt).toISOString() : null;
    return cardOf(id, hours, { last_seen_at: seen });
  });
}

const keys = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as Key[];
const all: Listing[] = keys(ORDERS).flatMap((order) =>
  keys(CURSORS).flatMap((cursors) => keys(WINDOWS).map((windows) => ({ order, cursors, windows }))),
);
/** Only newest first one can go on without a cursor; the document's `since` and `until` are about no other time. */
const isPlain = ({ order, cursors, windows }: Listing) =>
  (order === 'created_at' || !cursors.startsWith('refused')) &&
  !/a day by default|the last/.test(windows);
const matrix = all.filter(isPlain);

/** Those that most depends on, unless all of the matrix was asked for. */
const SOME = [
  'last_seen_at, key, any',
  'last_seen_at, offset, rounded inwards to the minute',
  'created_at, refused now and then, any',
  'created_at, key, no future, clock behind',
  'created_at, refused, rounded inwards to the minute',
  'id, offset, cut to 30 days',
  'created_at, refused, at most 30 days',
  'recorded, empty pages, at most 30 days',
  'created_at, offset, without its ends',
  'created_at, key, at most 7 days',
];
const isOneOfSome = ({ order, cursors, windows }: Listing) =>
  SOME.includes([order, cursors, windows].join(', '));
const some = process.env.SCREENER_HEAVY === '1' ? matrix : matrix.filter(isOneOfSome);

it.each(some)(
  'no card is missing: order by $order, cursors: $cursors, windows: $windows',
  async (behaviour) => {
    // Two busy days, and one more card after a quiet month.
    const details = [
      ...cardsOver(80, 130, 1),
      ...cardsOver(2, 60, 5001, -48),
      cardOf(9001, -43 * 24),
    ];
    const { service, dir } = setUp({ details, list: awkwardList(behaviour) });
    const idsUntil = (end: number) =>
      details
        .filter(({ created_at }) => Date.parse(created_at) <= end)
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    const ids = () =>
      stored(dir)
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    /** Daily runs until one is complete. */
    const run = async () => {
      for (let runs = 1; ; runs += 1) {
        const { error, summary } = await exportInto(dir, service, { outcomes: false });
        if (error === undefined && summary.complete) return;
        if (runs === 12) throw error ?? new Error('not complete after twelve days');
        await service.clock.sleep(DAY);
        service.refill();
      }
    };
    for (const days of [2, 41, 0]) {
      await run();
      expect(ids(), `before a pause of ${days} days`).toEqual(idsUntil(service.clock.now()));
      await service.clock.sleep(days * DAY + HOUR);
    }
    expect(ids()).toEqual(idsUntil(NOW + 100 * DAY));
    expect(stateOf(dir)).toMatchObject({ gaps: [], complete: true });
    expect(stateOf(dir).spans).toHaveLength(1);
  },
);

/** What `matrix` leaves out: in another order, a walk cannot go on without its cursor. */
const deadEnds = keys(ORDERS)
  .filter((order) => order !== 'created_at')
  .flatMap((order) => [
    { order, cursors: 'refused' as const, isListedBefore: false },
    { order, cursors: 'refused' as const, isListedBefore: true },
    { order, cursors: 'refused as not found' as const, isListedBefore: false },
  ]);

it.each(deadEnds)(
  'order by $order, cursors $cursors, older cards listed before: $isListedBefore: the list never begins where a cursor was refused, and all comes later',
  async ({ order, cursors, isListedBefore }) => {
    // Two cards every six hours of 40 days: even a week has more than a page.
    const details = Array.from({ length: 8 * 40 }, (_, i) => {
      const hours = 50 + Math.floor(i / 2) * 6 + (i % 2) / 2;
      const seenAt = NOW - (hours - (i % 5) * 9) * HOUR;
      return cardOf(((i * 53) % 997) + 1, hours, { last_seen_at: new Date(seenAt).toISOString() });
    });
    const { service, dir } = setUp({ details, list: awkwardList({ order, cursors }) });
    // With older cards listed before, the refused part lies between two spans.
    if (isListedBefore) {
      const plain = new Service({ details: details.slice(8 * 36), now: NOW - 38 * DAY });
      await exportInto(dir, plain, { outcomes: false });
    }
    for await (const { run, said, summary } of exports(dir, service, 4, { outcomes: false })) {
      const notes = said.notes.filter((note) => /lists nothing before/.test(note));
      expect({ run, notes, complete: summary.complete }).toEqual({
        run,
        notes: [],
        complete: false,
      });
      const { begins_at, gaps } = stateOf(dir);
      const seemsUnlisted = gaps.some(({ begin }) => begin !== undefined);
      expect({ run, begins_at, seemsUnlisted }).toEqual({
        run,
        begins_at: null,
        seemsUnlisted: false,
      });
    }
    // Cursors work again. A gap is asked for within a week.
    const mended = new Service({ details, list: awkwardList({ order }) });
    await mended.clock.sleep(service.clock.now() - mended.clock.now());
    for await (const { summary } of exports(dir, mended, 9, { outcomes: false }))
      if (summary.complete) break;
    expect({ cards: stored(dir).length, gaps: stateOf(dir).gaps }).toEqual({
      cards: details.length,
      gaps: [],
    });
  },
);

it('a service that gives a day at most: an error on the first run; where it refuses on two days the list begins, which is said', async () => {
  const cards = cardsOver(2, 60, 1);
  const { service, dir } = setUp({ details: cards });
  await exportInto(dir, service, { since: NOW - 20 * HOUR });
  const strict = new Service({
    details: cards,
    list: awkwardList({ windows: 'at most a day, and a day by default' }),
  });
  expect(codeOf((await exportInto(directory(), strict)).error)).toBe('invalid_arguments');
  const since = NOW - 48 * HOUR;
  const second = await exportInto(dir, strict, { since });
  expect(second).toMatchObject({
    error: undefined,
    said: { notes: [] },
    summary: { complete: false, stopped_by: 'window', older_before: '2026-11-19T22:05:00Z' },
  });
  // The same day says no more.
  const third = await exportInto(dir, strict, { since });
  expect({ sent: third.sent, summary: third.summary }).toMatchObject({
    sent: [{ status: 200 }],
    summary: { complete: false },
  });
  // Nor does the night, less than 20 hours later.
  for (const hours of [7, 14]) {
    await strict.clock.sleep(7 * HOUR);
    const run = await exportInto(dir, strict, { since });
    expect({ hours, complete: run.summary.complete, notes: run.said.notes }).toEqual({
      hours,
      complete: false,
      notes: [],
    });
  }
  await strict.clock.sleep(7 * HOUR);
  const last = await exportInto(dir, strict, { since });
  expect(last).toMatchObject({ error: undefined, summary: { complete: true } });
  expect(last.said.notes).toEqual([expect.stringMatching(/lists nothing before 2026-11-19T22:05/)]);
  expect((await exportInto(dir, strict, { since })).sent.map(({ status }) => status)).toEqual([
    200,
  ]);
  // An older date asks again.
  const older = await exportInto(dir, strict, { since: since - DAY });
  expect(older.sent.map(({ status }) => status)).toContain(422);
  expect(older).toMatchObject({ summary: { complete: false } });
});

it.each([
  { windows: 'only the last 30 days', days: 30, since: 0 },
  { windows: 'only the last 7 days', days: 7, since: 0 },
  { windows: 'cut to the last 30 days', days: 30, since: 0 },
  { windows: 'cut to the last 7 days', days: 7, since: 0 },
  { windows: 'only the last 7 days', days: 7, since: 90 },
] as const)(
  'a service that gives $windows, of which $since days are wanted: all; from the third day on nothing is refused',
  async ({ windows, days, since }) => {
    const details = Array.from({ length: 8 * 72 }, (_, i) => cardOf(1000 - i, 3 * i - 14 * 24));
    const { service, dir } = setUp({ details, list: awkwardList({ windows }) });
    const goal = since === 0 ? {} : { since: NOW - since * 24 * HOUR };
    for await (const { run, sent, summary, said } of exports(dir, service, 14, {
      outcomes: false,
      ...goal,
    })) {
      expect({ run, complete: summary.complete }).toEqual({ run, complete: run > 0 });
      expect(
        said.notes.filter((note) => /lists nothing before/.test(note)),
        `notes of run ${run}`,
      ).toHaveLength(run === 1 ? 1 : 0);
      if (run > 1)
        expect(
          sent.map(({ status }) => status),
          `statuses of run ${run}`,
        ).not.toContain(422);
    }
    const ids = new Set(stored(dir).map(({ id }) => id));
    const isListed = (at: number) => at > NOW - days * 24 * HOUR && at <= NOW + 13 * 24 * HOUR;
    const possible = details.filter(({ created_at }) => isListed(Date.parse(created_at)));
    expect({
      possible: possible.length,
      missing: possible.filter(({ id }) => !ids.has(id)),
    }).toEqual({ possible: (days + 13) * 8, missing: [] });
  },
);

it.each([
  ['every tenth', (id: number) => id % 10 === 0],
  ['all', () => true],
])(
  '%s of 300 cards bad: a gap a page, two asked for again in a run, at growing intervals',
  async (_, isBad) => {
    const cards = Array.from({ length: 300 }, (_, i) => cardOf(300 - i, 48 + i / 2));
    const bad = (one: SignalDetail) => ({ ...one, last_seen_at: undefined as unknown as null });
    const { service, dir } = setUp({
      details: cards.map((card) => (isBad(card.id) ? bad(card) : card)),
    });
    const asked: number[] = [];
    for (let day = 0; day < 12; day += 1) {
      const { error, sent } = await exportInto(dir, service, { outcomes: false });
      asked.push(sent.length);
      if (day === 0)
        expect(error, 'the first run').toMatchObject({
          code: 'bad_answer',
          message: expect.stringContaining('Card 300'),
        });
      await service.clock.sleep(DAY);
    }
    expect({ requests: asked[0], gaps: stateOf(dir).gaps.length }).toEqual({
      requests: 12,
      gaps: 12,
    });
    expect(Math.max(...asked.slice(1)), 'most requests of a later run').toBeLessThanOrEqual(
      1 + 2 * 2,
    );
    service.details = cards;
    for await (const { summary } of exports(dir, service, 12, { outcomes: false }))
      if (summary.complete) break;
    expect({ cards: stored(dir).length, gaps: stateOf(dir).gaps }).toEqual({
      cards: 300,
      gaps: [],
    });
  },
);

it('a run without credits leaves its gaps as they are: how often the service refused them is kept', async () => {
  const broken = { ...cardOf(1, 60), last_seen_at: undefined as unknown as null };
  const { service, dir } = setUp({ details: [broken, cardOf(2, 50)] });
  const timesAsked: (number | undefined)[] = [];
  for (const credits of [9, 0, 9, 0, 9]) {
    await exportInto(dir, service, { outcomes: false, maxCredits: credits });
    timesAsked.push(stateOf(dir).gaps[0]?.times);
    await service.clock.sleep(DAY);
  }
  expect(timesAsked).toEqual([1, 1, 2, 2, 3]);
});

it('a gap that is listed long after the oldest card says nothing about where the list begins', async () => {
  const details = Array.from({ length: 2 * 130 }, (_, i) => cardOf(260 - i, 12 * i + 0.3));
  const { service, dir } = setUp({ details });
  await exportInto(dir, service, { outcomes: false, since: NOW - 120 * DAY });
  const gap = { since: '2026-11-10T00:00:00Z', until: '2026-11-10T06:00:00Z' };
  const asked = { at: '2026-11-11T00:00:00Z', times: 1 };
  const path = join(dir, 'export.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, gaps: [{ ...gap, ...asked }] }));
  const { sent, summary } = await exportInto(dir, service, { outcomes: false });
  expect({
    complete: summary.complete,
    gaps: stateOf(dir).gaps,
    cards: stored(dir).length,
    // What is new, the gap, and ten days of older cards.
    pages: sent.length,
  }).toEqual({ complete: true, gaps: [], cards: details.length, pages: 3 });
});
