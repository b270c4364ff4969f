import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { listing } from '../support/listing.ts';
import { programPath, runScreener, startCommand, startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, NEVER, ok } from '../support/server.ts';

/** Two pages of cards, then one that does not come. */
function thirdPageHangs(server: ApiServer): void {
  const pages = listing(samples.cards(100));
  server.always('/signals', (request) =>
    server.requests.length < 3 ? pages(request) : { ...pages(request), after: NEVER },
  );
}

describe.concurrent('an interrupt', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} during a page: what there is, how to go on, and the process dies of it`, async ({ server, home }) => {
      thirdPageHangs(server);
      const running = startScreener(['signals', 'ls', '--all', '--json'], { home, env: server.env });
      await server.asked(3);
      running.child.kill(signal);
      const ran = await running.done;
      expect(ran).toMatchObject({ signal });
      const page = JSON.parse(ran.stdout);
      expect(page.items).toEqual(samples.cards(50));
      expect(ran.stderr).toContain('2 credits spent');
      expect(ran.stderr).toMatch(/Go on with:\n +screener signals ls --all --cursor \S+/);
      expect(ran.stderr).toContain(page.next_cursor);
      expect(ran.stderr).toContain('"code":"interrupted"');
    });
  }

  it('during a page, ndjson: nothing is lost', async ({ server, home }) => {
    thirdPageHangs(server);
    const running = startScreener(['signals', 'ls', '--all', '--ndjson'], { home, env: server.env });
    await server.asked(3);
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(50);
  });

  it('of an export is said once, with what is saved', async ({ server, home }) => {
    server.always('/access', ok(samples.access())).always('/signals', listing(samples.cards(30)));
    server.always('/signals/{id}', { after: NEVER });
    const running = startScreener(['signals', 'export', 'history', '--no-screeners', '--no-stats'], {
      home,
      env: server.env,
      cwd: home.folder,
    });
    await server.asked(4);
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(ran.stderr.match(/interrupted/gi)).toHaveLength(1);
    expect(ran.stderr).toContain('30 new cards and 0 outcomes exported');
    expect(ran.stderr).toContain('Everything paid for is saved');
  });

  it('during the wait that the service asked for', async ({ server, home }) => {
    server.always('/market-snapshot', failure(503, 40));
    const running = startScreener(['snapshot'], { home, env: server.env });
    await running.seen(/waiting 4[01] seconds/);
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    // What the first answer said still holds.
    expect((await runScreener(['snapshot', '--max-wait', '0'], { home, env: server.env })).code).toBe(8);
    expect(server.requests).toHaveLength(1);
  });

  it('during the wait for a turn', async ({ server, home }) => {
    server
      .always('/access', ok({ ...samples.access(), per_minute: 1 }))
      .always('/market-snapshot', ok(samples.snapshot()));
    expect((await runScreener(['access'], { home, env: server.env })).code).toBe(0);
    const running = startScreener(['snapshot'], { home, env: server.env });
    await running.seen(/requests of this minute/);
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    expect(server.to('/market-snapshot')).toHaveLength(0);
  });

  it('while ids are read from standard input', async ({ server, home }) => {
    const running = startScreener(['signals', 'show', '-'], { home, env: server.env });
    // More than a pipe holds: once it is gone, the process reads.
    await new Promise((resolve) => running.child.stdin?.write(`12\n${'\n'.repeat(4_000_000)}`, resolve));
    running.child.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: 130, stdout: '' });
    expect(server.requests).toHaveLength(0);
  });

  it('several ids under way: those that came are printed', async ({ server, home }) => {
    server.always('/signals/{id}', ({ path }) => ok(samples.detail(9000 - Number(path.slice('/signals/'.length)))));
    server.always('/signals/8998', { ...ok(samples.detail(2)), after: NEVER });
    const running = startScreener(['signals', 'show', '9000', '8999', '8998', '--json', '-v'], {
      home,
      env: server.env,
    });
    await server.asked(3);
    await Promise.all([running.seen(/9000 200/), running.seen(/8999 200/)]);
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(JSON.parse(ran.stdout)).toEqual([samples.detail(0), samples.detail(1)]);
  });

  it('a loop of the shell ends with it, and pays no more', async ({ server, home }) => {
    server.always('/market-snapshot', { ...ok(samples.snapshot()), after: NEVER });
    const loop = `for i in 1 2 3; do "${process.execPath}" "${programPath()}" snapshot; done; echo "went on"`;
    // A group of its own, for Ctrl-C reaches all of a terminal's group.
    const running = startCommand(['setsid', 'bash', '-c', loop], { home, env: server.env });
    await server.asked(1);
    process.kill(-(running.child.pid ?? 0), 'SIGINT');
    expect(await running.done).toMatchObject({ signal: 'SIGINT', stdout: '' });
    expect(server.requests).toHaveLength(1);
  });
});
