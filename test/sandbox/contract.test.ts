import { describe, expect, it } from 'vitest';
import { Envelope, type SignalPage } from '../../src/api/contract/resources.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { worldOf } from '../support/resources.ts';
import { bench, details, marketWorld, passes, walkAll } from './support.ts';

const { schema: Page } = OPERATIONS.signals;

describe('every answer is one the document allows', () => {
  it.each([1, 77])('of seed %i: all pages, all details', (seed) => {
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

  it.each([marketWorld(), worldOf([]), worldOf(details(3))])('the single resources', (world) => {
    const { resource } = bench({ world });
    for (const [name, { schema, path }] of Object.entries(OPERATIONS)) {
      if (!path.includes('{id}')) expect(passes(schema, resource(path)), name).toBe('passes');
    }
    expect(passes(OPERATIONS.stats.schema, resource('/signal-stats?screener_type=oi_growth'))).toBe('passes');
  });

  it('the Envelope, of errors too', () => {
    const { get } = bench({ world: marketWorld(), monthCredits: 1 });
    for (const path of ['/access', '/nothing', '/signals?limit=0', '/signals/1', '/signals', '/signals']) {
      expect(passes(Envelope, JSON.parse(get(path).body))).toBe('passes');
    }
  });
});
