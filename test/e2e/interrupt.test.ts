import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { listing } from '../support/listing.ts';
import { withoutTerminal } from '../support/pty.ts';
import { runScreener, startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, failure, KEY, NEVER, ok } from '../support/server.ts';

/** Two pages of cards, then one that does not come. */
function thirdPageHangs(server: ApiServer): void {
  const pages = listing(samples.cards(100));
  server.always('/signals', (request) =>
    server.requests.length < 3 ? pages(request) : { ...pages(request), after: NEVER },
  );
}

describe.concurrent('an interrupt', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} during a page: what there is, how to go on, 130`, async ({ server, home }) => {
      thirdPageHangs(server);
      const running = startScreener(['signals', 'ls', '--all', '--json'], { home, env: server.env });
      await server.asked(3);
      running.child.kill(signal);
      const ran = await running.done;
      expect(ran).toMatchObject({ code: 130, signal: null });
      const page = JSON.parse(ran.stdout);
      expect(page.items).toEqual(samples.cards(50));
      expect(ran.stderr).toContain('2 credits spent');
      expect(ran.stderr).toMatch(/Next: screener signals ls --all --cursor \S+/);
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
    const running = startScreener(['signals', 'show', '9000', '8999', '8998', '--json'], { home, env: server.env });
    await server.asked(3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(JSON.parse(ran.stdout)).toEqual([samples.detail(0), samples.detail(1)]);
  });
});

const ESCAPE = '\u001b';

describe.skipIf(withoutTerminal())('on a terminal', { concurrent: true }, () => {
  it('login asks, shows no key, and saves', async ({ server, home }) => {
    server.always('/access', ok(samples.access()));
    const running = startScreener(['login'], { home, tty: 80 });
    await running.seen(/Base URL \(https:\/\/HOST\/api\/external\/v1\): /);
    running.child.stdin?.write(`http://127.0.0.1:${server.port}\r`);
    await running.seen(/API key \(not shown\): /);
    running.child.stdin?.write(`${KEY}\r`);
    const ran = await running.done;
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Logged in: plan PRO');
    expect(ran.stdout).toContain(home.saved);
    expect(ran.stdout).not.toContain(KEY);
    expect((await runScreener(['access'], { home })).code).toBe(0);
  });

  it('Ctrl-C at a question', async ({ server, home }) => {
    const running = startScreener(['login'], { home, tty: 80, env: { SCREENER_BASE_URL: server.baseUrl } });
    await running.seen(/API key/);
    running.child.stdin?.write('\u0003');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(server.requests).toHaveLength(0);
  });

  it('Ctrl-D at a question', async ({ server, home }) => {
    const running = startScreener(['login'], { home, tty: 80, env: { SCREENER_BASE_URL: server.baseUrl } });
    await running.seen(/API key/);
    running.child.stdin?.write('\u0004');
    expect((await running.done).code).toBe(2);
  });

  it('Ctrl-C at a countdown gives the cursor back', async ({ server, home }) => {
    server.always('/market-snapshot', failure(503, 40));
    const running = startScreener(['snapshot'], { home, tty: 80, env: { ...server.env, TERM: 'xterm-256color' } });
    await running.seen(/: (41|40|39)s left/);
    running.child.stdin?.write('\u0003');
    const ran = await running.done;
    expect(ran).toMatchObject({ code: 130, signal: null });
    const hidden = ran.stdout.lastIndexOf(`${ESCAPE}[?25l`);
    expect(hidden).toBeGreaterThanOrEqual(0);
    expect(ran.stdout.lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(hidden);
    expect(ran.stdout).toContain('Interrupted');
  });

  it('a table has colour and fits the width; a dumb terminal gets none', async ({ server, home }) => {
    server.always('/signals', listing(samples.cards(3)));
    const rich = startScreener(['signals', 'ls'], { home, tty: 80, env: { ...server.env, TERM: 'xterm-256color' } });
    rich.child.stdin?.on('error', () => {});
    const plain = startScreener(['signals', 'ls'], { home, tty: 80, env: { ...server.env, TERM: 'dumb' } });
    const [{ stdout: colored }, { stdout }] = await Promise.all([rich.done, plain.done]);
    expect(colored).toContain(`${ESCAPE}[3`);
    expect(stdout).not.toContain(ESCAPE);
    const rows = stdout.split(/\r?\n/).filter((line) => /USDT|SYMBOL/.test(line));
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });
});
