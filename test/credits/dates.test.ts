import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { failure, ok } from '../support/server.ts';

describe('a Date header that is years off', () => {
  it.for([400, -400])(
    '(%i days) leaves no such time in the ledger',
    async (days, { server, here, home }) => {
      const clock = new TestClock(NOW);
      const headers = { date: new Date(NOW + days * DAY).toUTCString() };
      server.always('/market-snapshot', { ...ok(samples.snapshot()), headers });
      server.always('/screeners', {
        ...failure(503, 30),
        headers: { ...headers, 'Retry-After': '30' },
      });
      expect((await here(['snapshot'], { clock })).code).toBe(0);
      expect((await here(['screeners', '--max-wait', '1s'], { clock })).code).toBe(8);
      const ledger = path.join(home.state, 'ledger');
      const folder = path.join(ledger, ...readdirSync(ledger));
      const kept = readFileSync(path.join(folder, 'usage.json'), 'utf8');
      const times = [...kept.matchAll(/"(?:latest|at|sent|ended)":(\d+)/g)].map(([, at]) =>
        Number(at),
      );
      expect(times.length, 'requests that had a time').toBeGreaterThan(4);
      const farOff = times.filter((at) => Math.abs(at - clock.now()) > DAY);
      expect(farOff).toEqual([]);
      await clock.sleep(31_000);
      server.always('/screeners', { ...ok(samples.screeners()), headers });
      expect((await here(['screeners'], { clock })).code).toBe(0);
    },
  );
});
