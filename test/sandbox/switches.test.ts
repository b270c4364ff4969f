import { describe, expect, it } from 'vitest';
import type { SignalDetail, SignalPage } from '../../src/api/contract/resources.ts';
import type { ApiOptions } from '../../src/sandbox/api.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { readSwitches, SWITCHES, type SwitchTexts } from '../../src/sandbox/switches.ts';
import { worldOf } from '../support/resources.ts';
import { type Bench, bench, detail, details, errorOf, marketWorld, START, walkAll } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number): string => new Date(at).toISOString();
const set = (options: ApiOptions): Bench => bench({ world: worldOf(details(60)), ...options });
const ids = (page: SignalPage): number[] => page.items.map(({ id }) => id);
const page = (here: Bench, cursor: string | null = null, query = ''): SignalPage =>
  here.resource<SignalPage>(`/signals?${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
const descending = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('the minute', () => {
  it('fixed: turns at :00, also for whoever has just used it up', () => {
    const here = set({ limiter: 'fixed', perMinute: 2 });
    expect([here.get('/access').status, here.get('/access').status]).toEqual([200, 200]);
    // The clock stands at 20 s.
    expect(here.get('/access').headers['retry-after']).toBe('40');
    here.clock.now += 40_000;
    expect(here.get('/access').status).toBe(200);
  });

  it('bucket:N: bursts of N, then one request a gap', () => {
    const here = set({ limiter: 'bucket:3', perMinute: 15 });
    const answers = Array.from({ length: 5 }, () => here.get('/access'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]?.headers['retry-after']).toBe('4');
    here.clock.now += 4000;
    expect([here.get('/access').status, here.get('/access').status]).toEqual([200, 429]);
    here.clock.now += DAY;
    expect(Array.from({ length: 4 }, () => here.get('/access').status)).toEqual([200, 200, 200, 429]);
  });

  it.each([
    ['free', 200, 1],
    ['counted', 429, 1],
    ['charged', 200, 2],
    ['both', 429, 2],
  ])('refusals %s: the next request gets %i, and refusals cost', (refusals, status, credits) => {
    const here = set({ refusals, perMinute: 1 });
    here.get('/signals');
    here.clock.now += 30_000;
    expect(here.get('/signals').status).toBe(429);
    expect(here.api.quota.month).toBe(credits);
    here.clock.now += 30_000;
    expect(here.get('/access').status).toBe(status);
  });
});

describe('order', () => {
  // Newer ids are a minute newer; these four cards were seen again long after.
  const seenAgain = [3, 17, 30, 44];
  const mixed = details(60).map((card) => (seenAgain.includes(card.id) ? seen(card) : card));
  function seen(card: SignalDetail): SignalDetail {
    return { ...card, last_seen_at: iso(START - card.id * HOUR) };
  }

  it('seen: by last_seen_at, created_at where there is none', () => {
    const here = set({ order: 'seen', world: worldOf(mixed) });
    const all = walkAll(here, 'limit=7');
    expect(all.slice(0, 2)).toEqual([3, 17]);
    expect([...all].sort((a, b) => b - a)).toEqual(descending(60, 1));
    expect(all).not.toEqual(descending(60, 1));
  });

  it('id: by id, whatever the time', () => {
    const backwards = details(60).map((card) => ({ ...card, id: 61 - card.id }));
    const here = set({ order: 'id', world: worldOf(backwards) });
    expect(walkAll(here, 'limit=7')).toEqual(descending(60, 1));
  });

  it('shuffled: days follow each other, cards within them do not; every card once', () => {
    const here = set({ order: 'shuffled', world: marketWorld() });
    const plain = walkAll(set({ world: marketWorld() }));
    const all = walkAll(here);
    const dayOf = (id: number): string =>
      marketWorldDays.get(id) ?? here.resource<SignalDetail>(`/signals/${id}`).created_at.slice(0, 10);
    const days = all.map(dayOf);
    expect(days).toEqual([...days].sort().reverse());
    expect(all).not.toEqual(plain);
    expect([...all].sort()).toEqual([...plain].sort());
  });
  const marketWorldDays = new Map(
    marketWorld()
      .index(START)
      .map((key) => [key.id, iso(key.createdAt).slice(0, 10)]),
  );
});

it('ids random: unlike time, each leads to its card', () => {
  const here = set({ ids: 'random' });
  const all = walkAll(here);
  expect(new Set(all).size).toBe(60);
  expect(all).not.toEqual([...all].sort((a, b) => b - a));
  expect(all.every((id) => Number.isSafeInteger(id) && id >= 1)).toBe(true);
  expect(all.some((id) => id > 2 ** 45)).toBe(true);
  const times = all.map((id) => here.resource<SignalDetail>(`/signals/${id}`).created_at);
  expect(times).toEqual(
    details(60)
      .map(({ created_at }) => created_at)
      .reverse(),
  );
});

describe('windows', () => {
  const old = [1, 10, 40, 100].map((days, i) => detail(9 - i, { created_at: iso(START - days * DAY) }));
  const here = (switches: SwitchTexts): Bench => set({ ...switches, world: worldOf(old) });
  const since = (days: number): string => `since=${iso(START - days * DAY)}`;

  it('go back by default as far as it is told', () => {
    expect(ids(page(here({ defaultWindow: '7d' })))).toEqual([9]);
    expect(ids(page(here({ defaultWindow: '50d' })))).toEqual([9, 8, 7]);
  });

  it('longer than allowed are refused, or shortened in silence', () => {
    const strict = here({ maxWindow: '30d' });
    expect(strict.get(`/signals?${since(31)}`).status).toBe(422);
    expect(strict.get(`/signals?${since(30)}`).status).toBe(200);
    expect(strict.get(`/signals?${since(50)}&until=${iso(START - 25 * DAY)}`).status).toBe(200);
    const silent = page(here({ maxWindow: '30d:clamp' }), null, since(200));
    expect([ids(silent), silent.since]).toEqual([[9, 8], '2026-10-21T19:03:20Z']);
  });

  it('that begin too long ago are refused', () => {
    const strict = here({ maxAge: '90d' });
    expect(strict.get(`/signals?${since(91)}&until=${iso(START - 80 * DAY)}`).status).toBe(422);
    expect(strict.get(`/signals?${since(90)}`).status).toBe(200);
  });

  it('exclude their ends where they are exclusive', () => {
    const window = `${since(40)}&until=${iso(START - DAY)}`;
    expect(ids(page(here({}), null, window))).toEqual([9, 8, 7]);
    expect(ids(page(here({ bounds: 'exclusive' }), null, window))).toEqual([8]);
  });

  it('look at last_seen_at where that is what counts', () => {
    const world = worldOf([{ ...detail(1), created_at: iso(START - 50 * DAY), last_seen_at: iso(START) }]);
    expect(ids(page(set({ world }), null, since(1)))).toEqual([]);
    expect(ids(page(set({ windowBy: 'seen', world }), null, since(1)))).toEqual([1]);
  });

  it.each([
    ['exact', '2026-11-20T19:03:20Z'],
    ['hour', '2026-11-20T20:00:00Z'],
    ['day', '2026-11-21T00:00:00Z'],
  ])('report %s until', (reportUntil, until) => {
    expect(page(here({ reportUntil })).until).toBe(until);
  });
});

describe('cursors', () => {
  const follow = (here: Bench, pages: number): string => {
    let cursor: string | null = null;
    for (let i = 0; i < pages; i++) cursor = page(here, cursor, 'limit=5').next_cursor;
    return cursor ?? '';
  };
  const status = (here: Bench, cursor: string): number => here.get(`/signals?limit=5&cursor=${cursor}`).status;

  it('are always refused', () => {
    const here = set({ cursorExpiry: 'always' });
    const answer = here.get(`/signals?limit=5&cursor=${follow(here, 1)}`);
    expect([answer.status, errorOf(answer)]).toEqual([422, 'Invalid arguments: cursor has expired.']);
  });

  it('end after so many pages', () => {
    const here = set({ cursorExpiry: 3 });
    expect(status(here, follow(here, 2))).toBe(200);
    expect(status(here, follow(here, 3))).toBe(422);
  });

  it('grow too old', () => {
    const here = set({ cursorExpiry: '60s' });
    const cursor = follow(here, 1);
    here.clock.now += 60_000;
    expect(status(here, cursor)).toBe(200);
    here.clock.now += 1;
    expect(status(here, cursor)).toBe(422);
  });

  it('lead to empty pages before each page of cards', () => {
    const here = set({ emptyPages: 2 });
    const lengths: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const next: SignalPage = page(here, cursor ?? null);
      lengths.push(next.items.length);
      cursor = next.next_cursor;
    }
    expect(lengths).toEqual([0, 0, 25, 0, 0, 25, 0, 0, 10]);
  });

  it('lead to the same page again, each time with another', () => {
    const here = set({ repeatPage: 2 });
    const seen: number[][] = [];
    const cursors = new Set<string | null>();
    let cursor: string | null = null;
    for (let i = 0; i < 5; i++) {
      const next = page(here, cursor);
      seen.push(ids(next));
      cursor = next.next_cursor;
      cursors.add(cursor);
    }
    expect(seen[0]).toEqual(descending(60, 36));
    expect(seen.slice(1)).toEqual(Array.from({ length: 4 }, () => descending(35, 11)));
    expect(cursors.size).toBe(5);
    expect(cursors).not.toContain(null);
  });
});

describe('cards and outcomes', () => {
  const outcome = {
    entry_at: iso(START),
    entry_price: 1,
    state_1h: 'available',
    move_1h_pct: 1,
    btc_move_1h_pct: 0,
    state_24h: 'available',
    move_24h_pct: 2,
    btc_move_24h_pct: 0,
  };
  const cards = details(60).map((card) => ({ ...card, created_at: iso(START), outcome }));
  const here = (switches: SwitchTexts): Bench => set({ ...switches, world: worldOf(cards) });
  const outcomeAt = (bench: Bench, hours: number, id = 1) => {
    bench.clock.now = START + hours * HOUR;
    return bench.resource<SignalDetail>(`/signals/${id}`).outcome;
  };

  it('come late', () => {
    const late = here({ outcomeDelay: '6h' });
    expect(outcomeAt(late, 6.9)).toMatchObject({ state_1h: 'pending', move_1h_pct: null, state_24h: 'pending' });
    expect(outcomeAt(late, 29.9)).toMatchObject({ move_1h_pct: 1, state_24h: 'pending', btc_move_24h_pct: null });
    expect(outcomeAt(late, 30)).toEqual(outcome);
  });

  it('are null until cards are old enough, or for a share for good', () => {
    const until = here({ nullOutcomes: '26h' });
    expect([outcomeAt(until, 25.9), outcomeAt(until, 26)]).toEqual([null, outcome]);
    const some = here({ nullOutcomes: '20%' });
    const none = cards.filter(({ id }) => outcomeAt(some, 1000, id) === null).length;
    expect(none).toBeGreaterThan(3);
    expect(none).toBeLessThan(25);
  });

  it('are recorded late, some of them', () => {
    const late = here({ lateCards: '2h' });
    const count = (hours: number): number => {
      late.clock.now = START + hours * HOUR;
      return walkAll(late).length;
    };
    const early = count(1.9);
    expect(early).toBeGreaterThan(25);
    expect(early).toBeLessThan(55);
    expect(count(2)).toBe(60);
  });

  it('a card not yet recorded is not found', () => {
    const late = here({ lateCards: '2h' });
    const statuses = (): number[] => cards.map(({ id }) => late.get(`/signals/${id}`).status);
    expect(statuses().filter((status) => status === 404)).toHaveLength(60 - walkAll(late).length);
    late.clock.now += 2 * HOUR;
    expect(new Set(statuses())).toEqual(new Set([200]));
  });
});

it('latency: no answer comes sooner', async () => {
  const sandbox = await startSandbox({ latency: '40ms' });
  const asked = performance.now();
  await fetch(`${sandbox.baseUrl}/access`);
  // A timer may fire a fraction of a millisecond early.
  expect(performance.now() - asked).toBeGreaterThan(39);
  await sandbox.close();
});

it.each([
  [{ limiter: 'bucket' }, '--limiter bucket is not possible.'],
  [{ maxWindow: '30' }, '--max-window 30 is not possible.'],
  [{ limiter: 'fixed:3' }, '--limiter fixed:3 is not possible.'],
  [{ order: 'newest' }, '--order newest is not possible.'],
  [{ cursorExpiry: 0 }, '--cursor-expiry 0 is not possible.'],
  [{ nullOutcomes: 'all' }, '--null-outcomes all is not possible.'],
  [{ latency: '1y' }, '--latency 1y is not possible.'],
  [{ emptyPages: 1001 }, '--empty-pages 1001 is not possible.'],
])('%o is refused', (switches, message) => {
  expect(() => readSwitches(switches)).toThrow(message);
});

it('every switch says what it does in one line', () => {
  for (const { about } of Object.values(SWITCHES)) expect(about).toMatch(/^[a-z][^\n]{10,150}$/);
});
