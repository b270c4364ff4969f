/** No card is missing, whatever the list's order, cursors and windows are. */
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
    const first = cardsOver(80, 130, 1);
    const later = cardsOver(2, 60, 5001, -48);
    const last = [cardOf(9001, -43 * 24)];
    const { service, dir } = setUp({ details: first, list: awkwardList(behaviour) });
    const run = async () => {
      let runs = 0;
      for (;;) {
        const { error, summary, sent } = await exportInto(dir, service, { outcomes: false });
        runs += 1;
        service.refill();
        if (runs === 12) throw error;
        if (error === undefined && summary.complete) return sent.length;
      }
    };
    const idsOf = (details: readonly SignalDetail[]) =>
      details.map(({ id }) => id).sort((a, b) => a - b);
    const ids = () => idsOf(stored(dir));
    await run();
    expect(ids()).toEqual(idsOf(first));

    await service.clock.sleep(48 * HOUR + HOUR);
    service.details = [...first, ...later];
    await run();
    expect(ids()).toEqual(idsOf([...first, ...later]));

    // A quiet month, and one more card.
    await service.clock.sleep(41 * 24 * HOUR);
    service.details = [...first, ...later, ...last];
    await run();
    expect(ids()).toEqual(idsOf([...first, ...later, ...last]));
    expect(stateOf(dir)).toMatchObject({ gaps: [], complete: true });
    expect(stateOf(dir).spans).toHaveLength(1);
  },
);

it('a service that gives a day at most: an error on the first run, later the list begins there, which is said', async () => {
  const cards = cardsOver(2, 60, 1);
  const { service, dir } = setUp({ details: cards });
  await exportInto(dir, service, { since: NOW - 6 * HOUR });
  const strict = new Service({
    details: cards,
    list: awkwardList({ windows: 'at most a day, and a day by default' }),
  });
  expect(codeOf((await exportInto(directory(), strict)).error)).toBe('invalid_arguments');
  const since = NOW - 48 * HOUR;
  const second = await exportInto(dir, strict, { since });
  expect(second).toMatchObject({ error: undefined, summary: { complete: true } });
  expect(second.said.notes).toEqual([
    expect.stringMatching(/lists nothing before 2026-11-20T12:05/),
  ]);
  expect((await exportInto(dir, strict, { since })).sent.map(({ status }) => status)).toEqual([
    200,
  ]);
});

it.each([
  ['only the last 30 days', 30, 0],
  ['only the last 7 days', 7, 0],
  ['cut to the last 30 days', 30, 0],
  ['cut to the last 7 days', 7, 0],
  ['only the last 7 days', 7, 90],
] as const)(
  'a service that gives %s: all; from the second day on nothing is refused',
  async (windows, days, since) => {
    const details = Array.from({ length: 8 * 72 }, (_, i) => cardOf(1000 - i, 3 * i - 14 * 24));
    const { service, dir } = setUp({ details, list: awkwardList({ windows }) });
    const goal = since === 0 ? {} : { since: NOW - since * 24 * HOUR };
    for await (const { run, sent, summary, said } of exports(dir, service, 14, {
      outcomes: false,
      ...goal,
    })) {
      expect([run, summary.complete]).toEqual([run, true]);
      expect(said.notes.filter((note) => /lists nothing before/.test(note))).toHaveLength(
        run === 0 ? 1 : 0,
      );
      if (run > 0) expect(sent.map(({ status }) => status)).not.toContain(422);
    }
    const ids = new Set(stored(dir).map(({ id }) => id));
    const isListed = (at: number) => at > NOW - days * 24 * HOUR && at <= NOW + 13 * 24 * HOUR;
    const possible = details.filter(({ created_at }) => isListed(Date.parse(created_at)));
    expect([possible.length, possible.filter(({ id }) => !ids.has(id))]).toEqual([
      (days + 13) * 8,
      [],
    ]);
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
      details: cards.map((one) => (isBad(one.id) ? bad(one) : one)),
    });
    const asked: number[] = [];
    for (let day = 0; day < 12; day += 1) {
      const { error, sent } = await exportInto(dir, service, { outcomes: false });
      asked.push(sent.length);
      if (day === 0)
        expect(error).toMatchObject({
          code: 'bad_answer',
          message: expect.stringContaining('Card 300'),
        });
      await service.clock.sleep(DAY);
    }
    expect([asked[0], stateOf(dir).gaps.length]).toEqual([12, 12]);
    expect(Math.max(...asked.slice(1))).toBeLessThanOrEqual(1 + 2 * 2);
    service.details = cards;
    for await (const { summary } of exports(dir, service, 12, { outcomes: false }))
      if (summary.complete) break;
    expect([stored(dir).length, stateOf(dir).gaps]).toEqual([300, []]);
  },
);
