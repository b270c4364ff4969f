import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { without } from '../support/programs.ts';
import { screeners } from '../support/samples.ts';
import { ok } from '../support/server.ts';
import { onTerminal } from './drive.ts';

const QUESTION = 'This may cost up to 11 credits. Go on? [y/N] ';
/** The same without a terminal of the system's. */
const AT_A_TERMINAL = { tty: 80, isTyped: true };
const BOTH_TYPES = ['stats', '--by', 'type'];

describe.skipIf(without('python3'))('a quote above 10 credits', { concurrent: true }, () => {
  it('is asked for once', async ({ server, home, here }) => {
    await here(['screeners', '--quiet', '--json']);
    const before = server.credits;
    const ran = await onTerminal(BOTH_TYPES, {
      home,
      env: server.env,
      steps: [{ after: 'Go on\\?', send: 'y\r' }],
    });
    expect({ code: ran.code, credits: server.credits - before }).toEqual({ code: 0, credits: 6 });
    expect(ran.tty.split(QUESTION)).toHaveLength(2);
  });

  it.for(['\r', 'no\r'])(
    'spends nothing after another answer: %j',
    async (answer, { server, here }) => {
      await here(['screeners', '--quiet', '--json']);
      const before = server.credits;
      const ran = await here(BOTH_TYPES, { ...AT_A_TERMINAL, stdin: answer });
      expect({ code: ran.code, credits: server.credits - before }).toEqual({ code: 7, credits: 0 });
      expect(ran.stderr.split(QUESTION)).toHaveLength(2);
    },
  );

  it('is asked for again where there are more types than were seen', async ({
    server,
    home,
    here,
  }) => {
    await here(['screeners', '--quiet', '--json']);
    const items = ['a', 'b', 'c'].map((type) => ({ type, active: true, conditions: {} }));
    server.always('/screeners', ok({ ...screeners(), items }));
    const steps = ['11', '15'].map((most, i) => ({
      after: `${most} credits. Go on\\?`,
      send: i ? 'n\r' : 'y\r',
    }));
    const before = server.credits;
    const ran = await onTerminal(BOTH_TYPES, { home, env: server.env, steps });
    expect({ code: ran.code, credits: server.credits - before }).toEqual({ code: 7, credits: 1 });
  });

  it('is asked for a type that nothing is known of, however little it costs', async ({
    server,
    home,
    here,
  }) => {
    const ran = await here(['stats', 'pirce'], { ...AT_A_TERMINAL, stdin: 'n\r' });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({
      code: 7,
      stderr: expect.stringContaining('This may cost up to 5 credits. Go on? [y/N] '),
    });
    expect(server.credits).toBe(0);
    // The history's last look at the screeners knows the types, too.
    await here(['signals', 'export', '--max-credits', '4', '--no-stats']);
    rmSync(home.state, { recursive: true });
    const known = await here(['stats', 'pirce'], { tty: 100 });
    expect({ code: known.code, stderr: known.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('did you mean price?'),
    });
  });

  it.for([['--yes'], ['--max-credits', '20']])(
    'is not asked for with %j',
    async (words, { here }) => {
      await here(['screeners', '--quiet', '--json']);
      const ran = await here([...BOTH_TYPES, ...words], { ...AT_A_TERMINAL, stdin: 'n\r' });
      expect({ code: ran.code, asked: ran.stderr.includes('[y/N]') }).toEqual({
        code: 0,
        asked: false,
      });
    },
  );

  it('is not asked for if the answer goes into a pipe', async ({ server, home, here }) => {
    await here(['screeners', '--quiet', '--json']);
    const ran = await onTerminal(BOTH_TYPES, {
      home,
      env: server.env,
      streams: { stdout: 'pipe' },
    });
    expect({ code: ran.code, asked: ran.tty.includes('[y/N]') }).toEqual({
      code: 0,
      asked: false,
    });
  });
});
