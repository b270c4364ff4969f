import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import { withoutTerminal } from '../support/pty.ts';
import * as samples from '../support/samples.ts';
import { event, failure, listing, ok } from '../support/server.ts';
import { cursorShown, ESCAPE, type OnTerminal, onTerminal, screen } from './drive.ts';

const FRAME = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

function expectClean({ tty, modes }: OnTerminal): void {
  expect(cursorShown(tty)).toBe(true);
  expect(modes.after).toEqual(modes.before);
  expect(screen(tty).filter((line) => FRAME.test(line))).toEqual([]);
}

describe.skipIf(withoutTerminal())('a wait', { concurrent: true }, () => {
  it('has a spinner with words, and nothing of it stays', async ({ server, home }) => {
    // The answer comes once the spinner is seen.
    const shown = event();
    server.always('/market-snapshot', { ...ok(samples.snapshot()), after: shown.happened });
    const steps = [{ after: 'Asking for the market snapshot', done: shown.happen }];
    const result = await onTerminal(['snapshot'], { home, env: server.env, steps });
    expect(result.code).toBe(0);
    expect(result.tty).toMatch(FRAME);
    expect(result.tty).toContain('Asking for the market snapshot');
    expectClean(result);
    expect(screen(result.tty).join('\n')).toMatch(/Oversold +\[█+░+\] 31 of 412/);
  });

  it('is told on a terminal that is resized; what comes after fits it', async ({ server, home }) => {
    const pages = listing(samples.cards(30));
    const resized = event();
    server.always('/signals', (request) => ({ ...pages(request), after: resized.happened }));
    const result = await onTerminal(['signals', 'ls', '-n', '30'], {
      home,
      env: server.env,
      columns: 160,
      steps: [
        { after: 'Asking for cards', columns: 60 },
        { after: 'Asking for cards', done: resized.happen },
      ],
    });
    expect(result.code).toBe(0);
    const rows = screen(result.tty).filter((line) => /USDT|SYMBOL/.test(line));
    expect(rows).toHaveLength(31);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(60);
    expectClean(result);
  });

  it('longer than the line is cut to it, also where it is narrow', async ({ server, home }) => {
    server.always('/market-snapshot', failure(503, 30));
    const result = await onTerminal(['snapshot'], {
      home,
      env: server.env,
      columns: 24,
      steps: [{ after: '…', send: '\u0003' }],
    });
    expect(result.code).toBe(130);
    expectClean(result);
  });
});

describe.skipIf(withoutTerminal())('streams', { concurrent: true }, () => {
  it('stdout a pipe: data alone there, the spinner on the terminal', async ({ server, home }) => {
    const pages = listing(samples.cards(60));
    const shown = event();
    server.always('/signals', (request) =>
      server.requests.length < 3 ? pages(request) : { ...pages(request), after: shown.happened },
    );
    const result = await onTerminal(['signals', 'ls', '--all', '--ndjson'], {
      home,
      env: server.env,
      streams: { stdout: 'pipe' },
      steps: [{ after: 'Asking for cards: 50 so far', done: shown.happen }],
    });
    expect(result.code).toBe(0);
    expect(parseLines(result.stdout)).toEqual(samples.cards(60));
    expect(result.tty).toMatch(FRAME);
    expect(result.tty).toContain('Asking for cards: 50 so far');
    expectClean(result);
  });

  it('stderr a pipe: a table with colours, no spinner anywhere', async ({ server, home }) => {
    server.always('/signals', listing(samples.cards(3))).next('/signals', failure(503, 1));
    const result = await onTerminal(['signals', 'ls'], { home, env: server.env, streams: { stderr: 'pipe' } });
    expect(result.code).toBe(0);
    expect(result.tty).toContain(`${ESCAPE}[`);
    for (const text of [result.tty, result.stderr]) expect(text).not.toMatch(FRAME);
    expect(result.tty).not.toContain(`${ESCAPE}[?25`);
    expect(result.stderr).toContain('1 credit spent');
    expect(result.stderr).not.toContain(ESCAPE);
  });

  it('both the terminal: data and spinner never share a line', async ({ server, home }) => {
    const pages = listing(samples.cards(75));
    const shown = [event(), event(), event()];
    server.always('/signals', (request) => ({
      ...pages(request),
      after: shown[server.to('/signals').length - 1]?.happened ?? Promise.resolve(),
    }));
    const result = await onTerminal(['signals', 'ls', '--all', '--yes', '--ndjson'], {
      home,
      env: server.env,
      columns: 100,
      steps: ['Asking for cards', '25 so far', '50 so far'].map((after, n) => ({ after, done: shown[n]?.happen })),
    });
    expect(result.tty).toMatch(FRAME);
    const lines = screen(result.tty).filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line))).toEqual(samples.cards(75));
    expectClean(result);
  });

  for (const closed of ['stdin', 'stdout', 'stderr'] as const) {
    it(`${closed} closed: no harm`, async ({ server, home }) => {
      server.always('/market-snapshot', ok(samples.snapshot())).next('/market-snapshot', failure(503, 1));
      const result = await onTerminal(['snapshot'], { home, env: server.env, streams: { [closed]: 'closed' } });
      expect(result.code).toBe(0);
      if (closed !== 'stdout') expect(result.tty).toContain('Oversold');
      expect(result.tty).not.toMatch(/ {4}at |Error:/);
      expectClean(result);
    });
  }
});
