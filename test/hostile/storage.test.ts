import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { runShell } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { KEY } from '../support/server.ts';

const TRACE = /Unexpected failure|\n\s+at .*:\d+|node:internal/;

it.skipIf(!existsSync('/dev/full'))(
  'no room on standard output is said, in every format',
  async ({ server, home }) => {
    server.holds(samples.cards(25));
    for (const command of [
      'snapshot',
      'signals ls --json',
      'signals show 8999 8998 --csv',
      '--help',
      '--version',
    ]) {
      const ran = await runShell(`screener ${command} > /dev/full`, { home, env: server.env });
      expect(ran, command).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/no space left/),
      });
      expect(ran.stderr, command).not.toMatch(TRACE);
    }
    // Notes that cannot be written are no reason to fail, and errors keep their exit code.
    expect(
      (await runShell('screener snapshot --json 2>/dev/full', { home, env: server.env })).code,
    ).toBe(0);
    expect(
      (await runShell('screener snapshot --nonsense 2>/dev/full', { home, env: server.env })).code,
    ).toBe(2);
  },
);

it.for([
  {
    line: 'ulimit -f 1; screener signals ls --json > cards.json',
    message: 'Standard output cannot be written: the file may not grow further.',
    hint: 'A limit of the shell (`ulimit -f`) or of the file system forbids it; what had been written so far is incomplete.',
  },
  {
    line: 'screener snapshot --json 1< /dev/null',
    message: 'Standard output cannot be written: it is not open for writing.',
    hint: 'Redirect it to a file or a program; what had been written so far is incomplete.',
  },
])(
  '$line: the reason is said, and what to do',
  async ({ line, message, hint }, { server, home }) => {
    server.holds(samples.cards(25));
    const { code, stderr } = await runShell(line, { home, env: server.env, cwd: home.folder });
    expect(code).toBe(1);
    expect(errorLine(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ message, hint });
  },
);

// A file where a folder should be: no user may write there, not even root. Daemons have /dev/null for a home.
it('a home that cannot be used is no obstacle with key and URL in the environment', async ({
  server,
  home,
  screener,
}) => {
  server.holds(samples.cards(25));
  const env = { HOME: '/dev/null', SCREENER_CONFIG_DIR: undefined, SCREENER_STATE_DIR: undefined };
  for (const command of [['signals', 'ls'], ['access']]) {
    const ran = await screener([...command, '--json'], { env });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr.match(/^warning: /gm), command.join(' ')).toHaveLength(1);
  }
  const bare = { ...env, SCREENER_API_KEY: undefined, SCREENER_BASE_URL: undefined };
  expect(errorLine((await screener(['access', '--json'], { env: bare })).stderr)).toMatchObject({
    code: 'not_logged_in',
  });
  const login = await screener(['login', '--json', '--base-url', server.baseUrl], {
    env: bare,
    stdin: KEY,
  });
  expect(errorLine(login.stderr)).toMatchObject({ code: 'storage', exit_code: 1 });
  expect(login.stderr).not.toMatch(TRACE);
  expect((await screener(['logout'], { env: bare })).code).toBe(0);
  const exported = await screener(['signals', 'export', '/dev/null/history', '--json'], {
    env: { ...env, SCREENER_STATE_DIR: home.state },
  });
  expect(errorLine(exported.stderr)).toMatchObject({ code: 'storage' });
});
