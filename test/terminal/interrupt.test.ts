import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { without } from '../support/programs.ts';
import { pathToProgram } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { failure, KEY, NEVER, ok } from '../support/server.ts';
import {
  CTRL_C,
  CTRL_Z,
  commandOnTerminal,
  cursorShown,
  type OnTerminal,
  onTerminal,
  screen,
} from './drive.ts';

/** One Ctrl-C, the step's last, ended it although the answer never came: 130, cursor and terminal as they were. */
function expectEnded(result: OnTerminal, lastLine: unknown = 'error: Interrupted.'): string {
  expect(result.code).toBe(130);
  expect(cursorShown(result.tty), 'the cursor is shown again').toBe(true);
  expect(result.modes.after).toEqual(result.modes.before);
  // A line of its own: nothing of the spinner, nor of what the terminal echoed, stays beside it.
  const lines = screen(result.tty);
  expect(lines).toContainEqual(lastLine);
  return lines.join('\n');
}

describe.skipIf(without('python3'))('one Ctrl-C', { concurrent: true }, () => {
  it('at a spinner', async ({ server, home }) => {
    server.always('/market-snapshot', { ...ok(samples.snapshot()), after: NEVER });
    const steps = [{ after: 'Asking for the market snapshot', send: CTRL_C }];
    const text = expectEnded(await onTerminal(['snapshot'], { home, env: server.env, steps }));
    expect(text).toMatch(/up to 1\b/);
    expect(text).toContain('hint: To continue, run the same command again.');
  });

  it('at the countdown of a Retry-After', async ({ server, home }) => {
    server.always('/market-snapshot', failure(503, 40));
    const steps = [{ after: 'seconds left' }, { after: 'seconds left', send: CTRL_C }];
    const result = await onTerminal(['snapshot'], { home, env: server.env, steps });
    expectEnded(result);
    const seconds = [...result.tty.matchAll(/503.*?: (\d+) seconds left/g)].map((match) =>
      Number(match[1]),
    );
    expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
    expect(server.requests).toHaveLength(1);
  });

  it('between several ids: what came is shown', async ({ server, home }) => {
    server.always('/signals/8998', { ...ok(samples.nthDetail(2)), after: NEVER });
    const args = ['signals', 'show', '9000', '8999', '8998'];
    const steps = [{ after: 'Asking for cards: 2 of 3', send: CTRL_C }];
    const text = expectEnded(await onTerminal(args, { home, env: server.env, steps }));
    expect(text).toContain('Card 9000');
    expect(text).toContain('Card 8999');
  });

  it('during a watch, between two looks', async ({ server, home }) => {
    server.holds(samples.cards(2));
    const args = ['signals', 'watch', '--since', '2026-11-01'];
    const steps = [{ after: 'Next look at \\S+', send: CTRL_C }];
    const result = await onTerminal(args, { home, env: server.env, steps });
    const text = expectEnded(result, expect.stringMatching(/screener signals watch --resume$/));
    expect(text).not.toMatch(/error|Interrupted/);
    expect(text.match(/USDT/g)).toHaveLength(2);
    expect(text).toMatch(/^1 credit spent[.;][\s\S]*screener signals watch --resume/m);
  });

  it('at the question for the key: nothing of it is shown', async ({ server, home }) => {
    const steps = [
      {
        after: 'API key for 127.0.0.1:\\d+ \\(not shown\\): ',
        look: true,
        send: `${KEY}${CTRL_C}`,
      },
    ];
    const result = await onTerminal(['login'], {
      home,
      env: { SCREENER_BASE_URL: server.baseUrl },
      steps,
    });
    expect(result.modes.looks).toEqual([{ echo: false, lines: false, signals: false }]);
    expectEnded(result);
    expect(result.tty).not.toContain(KEY.slice(0, 8));
    expect(server.requests).toHaveLength(0);
  });

  it('at the question for the base URL', async ({ home }) => {
    const steps = [{ after: 'Base URL .*: ', send: CTRL_C }];
    expectEnded(await onTerminal(['login'], { home, steps }));
  });
});

describe.skipIf(without('python3'))('login', { concurrent: true }, () => {
  it('takes a pasted key, asks again after a slip, offers the base URL saved before', async ({
    server,
    home,
  }) => {
    const address = `http://127.0.0.1:${server.port}`;
    server.next('/access', failure(401));
    const first = await onTerminal(['login'], {
      home,
      steps: [
        { after: 'Base URL .*: ', send: 'nonsense\r' },
        { after: '(?s)looks like .*Base URL .*: ', send: `${address}\r` },
        // As terminals paste: all at once, with the end of line.
        { after: 'API key', send: `${KEY}\n` },
        { after: '(?s)not accepted.*API key', send: `${KEY}\n` },
      ],
    });
    expect(first.code).toBe(0);
    const steps = [
      { after: `Base URL \\[${server.baseUrl}\\]: `, send: '\r' },
      { after: 'API key', send: `  ${KEY} \r` },
    ];
    const again = await onTerminal(['login'], { home, steps });
    expect(again.code).toBe(0);
    expect(screen(first.tty).join('').replaceAll(' ', '')).toContain(
      home.saved.replaceAll(' ', ''),
    );
    for (const [login, { tty, modes }] of Object.entries({ first, again })) {
      expect(tty, login).not.toContain(KEY);
      expect(screen(tty).join(' '), login).toContain('Logged in: plan PRO');
      expect(modes.after, login).toEqual(modes.before);
      // What comes next does not stand beside the question, though the end of line is not shown either.
      const lines = screen(tty).map((line) => line.trimEnd());
      expect(lines, login).toContain(`API key for 127.0.0.1:${server.port} (not shown):`);
    }
    expect(server.to('/access')).toHaveLength(3);
  });

  // A program that ended instead would leave what is typed next to the shell.
  it.for([
    {
      question: 'the base URL',
      steps: (port: number) => [
        { after: 'Base URL .*: ', send: `http://127.0.0.1:${CTRL_Z}` },
        { after: 'at the shell: ', send: 'fg\n' },
        // Half of the answer is there again.
        { after: 'Base URL .*: http://127.0.0.1:|at the shell: ', send: `${port}\r` },
        { after: 'API key .*: |at the shell: ', look: true, send: `${KEY}\r` },
      ],
    },
    {
      question: 'the key',
      steps: (port: number) => [
        { after: 'Base URL .*: ', send: `http://127.0.0.1:${port}\r` },
        { after: 'API key .*: ', send: CTRL_Z },
        { after: 'at the shell: ', send: 'fg\n' },
        { after: 'API key .*: |at the shell: ', look: true, send: `${KEY}\r` },
      ],
    },
  ])(
    'stopped at the question for $question goes on in the foreground',
    async ({ steps }, { server, home }) => {
      const result = await commandOnTerminal(['bash', '--norc', '--noprofile', '-i'], {
        home,
        env: { PATH: pathToProgram(home), PS1: 'at the shell: ', HISTFILE: '/dev/null' },
        steps: [
          { after: 'at the shell: ', send: 'screener login\n' },
          ...steps(server.port),
          { after: 'at the shell: ', send: 'echo "ended with $?"; exit\n' },
        ],
      });
      expect(result.tty).toMatch(/^ended with 0\r$/m);
      expect(result.tty).not.toContain(KEY);
      expect(result.modes.looks).toEqual([{ echo: false, lines: false, signals: false }]);
      expect(JSON.parse(readFileSync(home.saved, 'utf8'))).toMatchObject({ key: KEY });
    },
  );
});
