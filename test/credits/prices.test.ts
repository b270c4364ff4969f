/** A service that charges more than its document says, and neighbours who only look like it. */
import { describe, expect } from 'vitest';
import type { Access } from '../../src/api/contract/resources.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { type Answer, type ApiServer, KEY, ok } from '../support/server.ts';
import { request, startProcess } from './world.ts';

/** What `/access` says: as many times the document's price, and what neighbours spend. */
function charging(server: ApiServer, price: number, neighbours: () => number = () => 0): void {
  const sample = samples.access() as Access;
  server.always('/access', () => {
    const used = Math.min(1000, server.credits * price + neighbours());
    const credits = { ...sample.credits, used, limit: 1000, remaining: 1000 - used };
    return ok({ ...sample, credits, per_minute: 600 });
  });
}

function detailOf(path: string): Answer {
  const id = Number(path.slice('/signals/'.length));
  return ok({ ...samples.nthDetail(9000 - id), id });
}

const ids = samples.cards(60).map(({ id }) => String(id));
const SHOW = ['signals', 'show', ...ids.slice(0, 40), '--ndjson'];

describe('a service that charges 2 where its document says 1', () => {
  it('is told once, and ends the command the second time in a row (exit 7)', async ({
    server,
    here,
  }) => {
    charging(server, 2);
    const ran = await here(SHOW);
    expect(ran.code, ran.stderr).toBe(7);
    expect(ran.stderr).toMatch(
      /^warning: The service charged (\d+) credits where (\d+) were expected/m,
    );
    const [, charged, expected] =
      /^error: .* charged (\d+) credits where (\d+) were expected/m.exec(ran.stderr) ?? [];
    expect(server.credits, 'cards bought').toBeLessThanOrEqual(20);
    expect(ran.stdout.trim().split('\n')).toHaveLength(server.credits);
    // At the document's prices, as far as two answers of /access can tell.
    expect(Number(charged)).toBe(2 * Number(expected));
    expect(ran.stderr).not.toContain('elsewhere');
  });

  it('is told likewise in an export, which keeps what it has', async ({ server, here }) => {
    charging(server, 2);
    const ran = await here(['signals', 'export', '--all-credits', '--json']);
    expect(ran.code, ran.stderr).toBe(7);
    expect(JSON.parse(ran.stdout)).toMatchObject({ stopped_by: 'error' });
    expect(server.credits, 'requests with a price').toBeLessThanOrEqual(20);
  });

  it('spends little more than --max-credits allows', async ({ server, here }) => {
    charging(server, 2);
    const ran = await here([...SHOW, '--max-credits', '30']);
    expect(ran.code, ran.stderr).toBe(7);
    expect(2 * server.credits, 'credits charged').toBeLessThanOrEqual(40);
  });

  it('is not blamed on others: what was charged here counts as spent here', async ({
    server,
    here,
  }) => {
    charging(server, 2);
    await here(SHOW);
    const known = await here(['access']);
    const spent = Number(/Today .* (\d+) of 150 used/.exec(known.stdout)?.[1]);
    // What went before the first answer of /access was seen by nobody.
    expect(spent, 'credits of this machine').toBeGreaterThan(1.5 * server.credits);
    expect(known.stdout).not.toMatch(/ELSEWHERE/);
  });
});

it('where outcomes alone cost 2, a list with outcomes is stopped, too', async ({
  server,
  here,
}) => {
  const sample = samples.access() as Access;
  server.always('/access', () => {
    const used = server.credits + server.to('/signals/{id}').length;
    const credits = { ...sample.credits, used, limit: 1000, remaining: 1000 - used };
    return ok({ ...sample, credits, per_minute: 600 });
  });
  // Short pages: each look finds a list among the requests.
  const list = server.steady('/signals');
  server.always('/signals', (request) =>
    list({ ...request, query: { ...request.query, limit: '4' } }),
  );
  const ran = await here([
    'signals',
    'ls',
    '--outcomes',
    '-n',
    '60',
    '--ndjson',
    '--max-credits',
    '100',
  ]);
  expect(ran.code, ran.stderr).toBe(7);
  expect(ran.stderr).toMatch(
    /^warning: The service charged (\d+) credits where (\d+) were expected/m,
  );
  expect(ran.stderr).toMatch(/^error: .*"overcharged"|^\{"error":\{"code":"overcharged"/m);
  expect(server.credits, 'requests with a price').toBeLessThanOrEqual(25);
});

describe('no command is stopped', () => {
  it('where prices are right', async ({ server, here }) => {
    charging(server, 1);
    const ran = await here(SHOW);
    expect({ code: ran.code, credits: server.credits }, ran.stderr).toEqual({
      code: 0,
      credits: 40,
    });
    expect(ran.stderr).not.toContain('charged');
    // Free, and few: with each that is right the next comes later.
    expect(server.to('/access').length, 'requests to /access').toBeLessThanOrEqual(4);
  });

  it('where a command is short, which asks for nothing more', async ({ server, here }) => {
    charging(server, 2);
    await here(['signals', 'show', ...ids.slice(0, 5)]);
    expect(server.to('/access')).toHaveLength(0);
  });

  it('where another program of this machine sends meanwhile', async ({ server, here, home }) => {
    charging(server, 2);
    const clock = new TestClock(NOW);
    const account = { baseUrl: server.baseUrl, key: KEY };
    const other = startProcess(clock, home.state, account);
    server.always('/signals/{id}', async ({ path }) => {
      if (server.credits % 5 === 0) {
        const turn = await other.account.gate.enter(request());
        turn.settle({ status: 200 });
      }
      return detailOf(path);
    });
    const ran = await here(SHOW, { clock });
    expect({ code: ran.code, credits: server.credits }, ran.stderr).toEqual({
      code: 0,
      credits: 40,
    });
  });

  it('where another machine is known to spend, as credits went while nothing was sent here', async ({
    server,
    here,
  }) => {
    let neighbours = 0;
    charging(server, 1, () => neighbours);
    await here(['access']);
    neighbours = 30;
    await here(['access']);
    server.always('/signals/{id}', ({ path }) => {
      neighbours += 1;
      return detailOf(path);
    });
    const ran = await here(SHOW);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('charged');
    expect((await here(['access'])).stdout).toMatch(/ELSEWHERE/);
  });

  it('where a burst of another machine falls into a run', async ({ server, here }) => {
    let neighbours = 0;
    charging(server, 1, () => neighbours);
    server.always('/signals/{id}', ({ path }) => {
      if (server.credits === 12) neighbours = 9;
      return detailOf(path);
    });
    const ran = await here(SHOW);
    expect({ code: ran.code, credits: server.credits }, ran.stderr).toEqual({
      code: 0,
      credits: 40,
    });
    expect(ran.stderr).not.toContain('charged');
    expect((await here(['access'])).stdout).toMatch(/ELSEWHERE/);
  });
});
