import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import { without } from '../support/programs.ts';
import { programPath } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { event, failure, listing } from '../support/server.ts';
import {
  commandOnTerminal,
  cursorShown,
  ESCAPE,
  type OnTerminal,
  onTerminal,
  screen,
} from './drive.ts';

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
    server.always('/signals', (request) => ({ ...pages(request), after: shown.happened }));
    const result = await onTerminal(['signals', 'ls', '--all', '--ndjson'], {
      home,
      env: server.env,
      streams: { stdout: 'pipe' },
      steps: [{ after: 'Asking for cards', done: shown.happen }],
    });
    expect(result.code).toBe(0);
    expect(parseLines(result.stdout)).toEqual(samples.cards(60));
    expect(result.tty).toMatch(FRAME);
    expectClean(result);
  });

  const readers = {
    'the terminal': '',
    'a program that writes to the terminal': '| cat',
  };
  for (const [reader, pipe] of Object.entries(readers)) {
    it(`the spinner is gone before data: ${reader}`, async ({ server, home }) => {
      const pages = listing(samples.cards(60));
      const first = event();
      const second = event();
      server.always('/signals', (request) => {
        const isFirst = server.to('/signals').length === 1;
        return { ...pages(request), after: (isFirst ? first : second).happened };
      });
      const program = `"${process.execPath}" "${programPath()}"`;
      const result = await commandOnTerminal(
        ['sh', '-c', `${program} signals ls --all --yes --ndjson ${pipe}`],
        {
          home,
          env: server.env,
          steps: [
            { after: 'Asking for cards', done: first.happen },
            { after: '"id"', done: second.happen },
          ],
        },
      );
      const lines = screen(result.tty).filter((line) => line.includes('"id"'));
      expect(lines).toHaveLength(60);
      for (const line of lines) expect(line).toMatch(/^\{/);
      expectClean(result);
    });
  }

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
