import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { programPath, startCommand, startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { listing, NEVER, ok } from '../support/server.ts';

describe.concurrent('an interrupt', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} during a page: what there is, how to go on, and the process dies of it`, async ({
      server,
      home,
    }) => {
      // Two pages of cards, then one that does not come.
      const pages = listing(samples.cards(100));
      server.always('/signals', (request) =>
        server.to('/signals').length < 3 ? pages(request) : { ...pages(request), after: NEVER },
      );
      const running = startScreener(['signals', 'ls', '--all', '--json'], {
        home,
        env: server.env,
      });
      await server.asked(4);
      running.child.kill(signal);
      const ran = await running.done;
      const page = JSON.parse(ran.stdout);
      const [, cursor] =
        /Go on with:\n +screener signals ls --all --cursor (\S+)/.exec(ran.stderr) ?? [];
      expect({ signal: ran.signal, items: page.items, cursor }).toEqual({
        signal,
        items: samples.cards(50),
        cursor: expect.stringContaining(page.next_cursor),
      });
      expect(ran.stderr, signal).toContain('2 credits spent');
      expect(ran.stderr, signal).toContain('"code":"interrupted"');
    });
  }

  it('ends a watch at once, and the program that it handed a card to', async ({ server, home }) => {
    server.holds(samples.cards(3));
    const script = path.join(home.folder, 'card.cjs');
    writeFileSync(
      script,
      "process.on('SIGINT', () => {}); require('fs').appendFileSync('said', 'card '); setInterval(() => {}, 1e6)",
    );
    const args = [
      'signals',
      'watch',
      '--ndjson',
      '--since',
      '2026-11-01',
      `--exec=${process.execPath} ${script}`,
    ];
    const running = startScreener(args, { home, env: server.env, cwd: home.folder });
    const said = () =>
      readFileSync(path.join(home.folder, 'said'), { encoding: 'utf8', flag: 'a+' });
    await expect.poll(said).toBe('card ');
    running.child.kill('SIGINT');
    const { signal, stderr } = await running.done;
    expect({ signal, isBlamed: stderr.includes('--exec failed') }).toEqual({
      signal: 'SIGINT',
      isBlamed: false,
    });
    expect(said()).toBe('card ');
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
