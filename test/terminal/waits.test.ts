import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import { without } from '../support/programs.ts';
import * as samples from '../support/samples.ts';
import { event, failure, listing } from '../support/server.ts';
import { cursorShown, ESCAPE, type OnTerminal, onTerminal, screen } from './drive.ts';

const FRAME = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

function expectClean({ tty, modes }: OnTerminal): void {
  expect(cursorShown(tty), 'the cursor is shown again').toBe(true);
  expect(modes.after).toEqual(modes.before);
  expect(screen(tty).filter((line) => FRAME.test(line))).toEqual([]);
}

describe.skipIf(without('python3'))('streams', { concurrent: true }, () => {
  it('stdout a pipe: data alone there, the spinner on the terminal', async ({ server, home }) => {
    const pages = listing(samples.cards(60));
    const shown = event();
    server.always('/signals', (request) =>
      server.to('/signals').length < 3
        ? pages(request)
        : { ...pages(request), after: shown.happened },
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
    server.holds(samples.cards(3)).next('/signals', failure(503, 1));
    const result = await onTerminal(['signals', 'ls'], {
      home,
      env: server.env,
      streams: { stderr: 'pipe' },
    });
    expect(result.code).toBe(0);
    expect(result.tty).toContain(`${ESCAPE}[`);
    const { tty, stderr } = result;
    for (const [stream, text] of Object.entries({ tty, stderr }))
      expect(text, stream).not.toMatch(FRAME);
    expect(result.tty).not.toContain(`${ESCAPE}[?25`);
    expect(result.stderr).toContain('1 credit spent');
    expect(result.stderr).not.toContain(ESCAPE);
  });

  for (const closed of ['stdin', 'stdout', 'stderr'] as const) {
    it(`${closed} closed: no harm`, async ({ server, home }) => {
      server.next('/market-snapshot', failure(503, 1));
      const result = await onTerminal(['snapshot'], {
        home,
        env: server.env,
        streams: { [closed]: 'closed' },
      });
      expect(result.code).toBe(0);
      if (closed !== 'stdout') expect(result.tty).toContain('Oversold');
      expect(result.tty).not.toMatch(/ {4}at |Error:/);
      expectClean(result);
    });
  }
});
