/** Exports from a service that uses what the document leaves open; the stand-in's switches. */
import { describe, expect, it } from 'vitest';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import type { SwitchTexts } from '../../src/sandbox/switches.ts';
import { exportInto, HOUR, Service, stored, temporaryDirectories } from './support.ts';

const directory = temporaryDirectories();
const START = Date.UTC(2026, 10, 3, 6);
const HEAVY = process.env.SCREENER_HEAVY === '1';
const DAYS = HEAVY ? 6 : 2;

const ALL: SwitchTexts[] = [
  {},
  { order: 'seen', cursorExpiry: 'always' },
  { order: 'seen', windowBy: 'seen', cursorExpiry: 3 },
  { order: 'created', windowBy: 'seen', cursorExpiry: 'always' },
  { order: 'id', ids: 'random', cursorExpiry: 2 },
  { order: 'shuffled', ids: 'random', cursorExpiry: 'always' },
  { order: 'shuffled', windowBy: 'seen', bounds: 'exclusive', cursorExpiry: 2 },
  { maxWindow: '30d', bounds: 'exclusive' },
  { maxWindow: '30d:clamp', order: 'seen' },
  { maxWindow: '7d', defaultWindow: '7d', cursorExpiry: 'always' },
  { defaultWindow: '1d', maxWindow: '1d' },
  { emptyPages: 3 },
  { emptyPages: 3, cursorExpiry: 4, order: 'seen' },
  { reportUntil: 'hour' },
  { reportUntil: 'day', cursorExpiry: 2 },
];

describe('a service at its worst', () => {
  it.each(HEAVY ? ALL : [1, 3, 6, 12].flatMap((i) => ALL[i] ?? []))(
    'no card is missing: %j',
    async (switches) => {
      const { missing, all } = await kept(switches, 24);
      expect([missing, all > 600]).toEqual([0, true]);
    },
    60_000,
  );

  it.each(HEAVY ? [1, 8, 24] : [24])(
    'cards recorded two hours late, a run every %i h: found, once that is learnt',
    async (every) => {
      const { missing, all, pages } = await kept({ lateCards: '2h' }, every);
      expect(missing).toBe(0);
      // A page a run, and one for every 25 cards; then what looking again costs.
      expect(pages).toBeLessThan(1.6 * ((DAYS * 24) / every + all / 25) + 12);
    },
  );
});

/** Keeps a history for some days, a run every so many hours, and compares it with what the service has at the end. */
async function kept(switches: SwitchTexts, every: number) {
  const world = createMarketWorld({ seed: 7, cards: 600, startedAt: START });
  const service = new Service({ details: [], now: START, switches });
  service.world = world;
  const dir = directory();
  const run = async () => {
    for (let tries = 0; tries < 10; tries += 1) {
      service.nextDay();
      const { error, summary } = await exportInto(dir, service, { outcomes: false });
      if (error === undefined && summary.complete) return;
      if (tries === 9) throw error ?? new Error(JSON.stringify(summary));
    }
  };
  for (let hour = 0; hour <= DAYS * 24; hour += every) {
    await run();
    await service.clock.sleep(every * HOUR);
  }
  await run();
  const pages = service.sent.filter(({ name }) => name === 'signals').length;
  const found = new Map(stored(dir).map((card) => [`${card.source_symbol} ${card.created_at}`, card]));
  // Cards of the last hours may not be recorded yet.
  const expected = world
    .index(service.clock.now())
    .filter(({ createdAt }) => createdAt < service.clock.now() - 3 * HOUR);
  const times = new Map<string, number>();
  for (const card of found.values()) times.set(card.created_at, (times.get(card.created_at) ?? 0) + 1);
  const missing = expected.filter(({ createdAt, symbol }) => !found.has(`${symbol} ${isoOf(createdAt)}`)).length;
  return { missing, all: expected.length, pages };
}

function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
