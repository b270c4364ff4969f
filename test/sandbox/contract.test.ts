import { describe, expect, it } from 'vitest';
import { Envelope } from '../../src/api/contract/envelope.ts';
import type { SignalPage } from '../../src/api/contract/resources.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import { worldOf } from '../../src/sandbox/world.ts';
import { bench, details, marketWorld, passes, START, walkAll } from './support.ts';

const { schema: Page } = OPERATIONS.signals;

describe('every answer is one the document allows', () => {
  it.each([1, 2, 77])('of seed %i: all pages, all details', (seed) => {
    const here = bench({ world: marketWorld(seed) });
    let cursor: string | null = null;
    do {
      const page: SignalPage = here.resource<SignalPage>(cursor === null ? '/signals' : `/signals?cursor=${cursor}`);
      expect(passes(Page, page)).toBe('passes');
      cursor = page.next_cursor;
    } while (cursor !== null);
    for (const id of walkAll(here)) {
      expect(passes(OPERATIONS.signal.schema, here.resource(`/signals/${id}`))).toBe('passes');
    }
  });

  it.each([marketWorld(), worldOf({ details: [] }), worldOf({ details: details(3) })])(
    'the single resources',
    (world) => {
      const { resource } = bench({ world });
      expect(passes(OPERATIONS.access.schema, resource('/access'))).toBe('passes');
      expect(passes(OPERATIONS.snapshot.schema, resource('/market-snapshot'))).toBe('passes');
      expect(passes(OPERATIONS.screeners.schema, resource('/screeners'))).toBe('passes');
      expect(passes(OPERATIONS.stats.schema, resource('/signal-stats'))).toBe('passes');
      expect(passes(OPERATIONS.stats.schema, resource('/signal-stats?screener_type=oi_growth'))).toBe('passes');
    },
  );

  it('the Envelope, of errors too', () => {
    const { get } = bench({ world: marketWorld(), monthCredits: 1 });
    for (const path of ['/access', '/nothing', '/signals?limit=0', '/signals/1', '/signals', '/signals']) {
      expect(passes(Envelope, JSON.parse(get(path).body))).toBe('passes');
    }
  });

  it.each([
    ['stale', { stale: true, source_stale: true, computed_at: '2026-11-20T12:00:00Z' }],
    ['never', { stale: true, source_stale: true, computed_at: null, sample: 0 }],
    ['fresh', { stale: false, source_stale: false, computed_at: '2026-11-20T19:00:00Z' }],
  ] as const)('a snapshot that is %s', (snapshot, expected) => {
    const world = createMarketWorld({ seed: 1, cards: 1, startedAt: START, snapshot });
    const answer = bench({ world }).resource('/market-snapshot');
    expect(answer).toMatchObject(expected);
    expect(passes(OPERATIONS.snapshot.schema, answer)).toBe('passes');
  });
});
