/** What is asked before much is spent, by a person at a terminal. The keys of a real one: `test/terminal`. */
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { card } from '../support/samples.ts';

const AT_A_TERMINAL = { tty: 100, isTyped: true };

const ids = (count: number) => Array.from({ length: count }, (_, i) => `${8999 - i}`);

/** A page and nine outcomes cost 10 credits, which is not much; with one more it is. */
const COMMANDS = {
  'of 10 credits': { words: ['signals', 'ls', '-n', '9', '--outcomes'], most: undefined },
  'of 11 credits': { words: ['signals', 'ls', '-n', '10', '--outcomes'], most: 11 },
  'of 10 cards': { words: ['signals', 'show', ...ids(10)], most: undefined },
  'of 11 cards': { words: ['signals', 'show', ...ids(11)], most: 11 },
} as const;

describe.concurrent('a command line', () => {
  it.for(Object.entries(COMMANDS))(
    '%s is asked about from 11 credits on',
    async ([, { words, most }], { here, server }) => {
      const { code, stderr } = await here(words, { ...AT_A_TERMINAL, stdin: 'n\r' });
      const question = /This may cost up to (\d+) credits\. Go on\? \[y\/N\]/.exec(stderr);
      expect({ most: question?.[1], code, isSpent: server.credits > 0 }).toEqual({
        most: most === undefined ? undefined : `${most}`,
        code: most === undefined ? 0 : 7,
        isSpent: most === undefined,
      });
    },
  );

  it.for([
    { answer: 'y\r', code: 0 },
    { answer: 'YES\r', code: 0 },
    { answer: '  y  \r', code: 0 },
    { answer: '\r', code: 7 },
    { answer: 'n\r', code: 7 },
    { answer: 'yesterday\r', code: 7 },
  ])('goes on only after yes: $answer', async ({ answer, code }, { here, server }) => {
    const ran = await here(COMMANDS['of 11 credits'].words, { ...AT_A_TERMINAL, stdin: answer });
    expect({ code: ran.code, isSpent: server.credits > 0 }).toEqual({ code, isSpent: code === 0 });
    if (code !== 0)
      expect(ran.stderr).toContain(
        'Stopped, because the answer was not yes.\nhint: Add --yes to skip this question, or --max-credits N.\n',
      );
  });

  it.for([
    { name: '--yes', words: ['--yes'], how: AT_A_TERMINAL },
    { name: '--max-credits', words: ['--max-credits', '20'], how: AT_A_TERMINAL },
    { name: '--demo', words: ['--demo'], how: AT_A_TERMINAL },
    { name: 'a pipe', words: [], how: { isTyped: true } },
    { name: 'a script', words: [], how: { tty: 100 } },
  ])('is not asked about with $name', async ({ words, how }, { here }) => {
    const line = [...COMMANDS['of 11 credits'].words, ...words];
    const { code, stderr } = await here(line, { ...how, stdin: 'n\r' });
    expect({ code, isAsked: stderr.includes('[y/N]') }).toEqual({ code: 0, isAsked: false });
  });

  it('of one credit is asked about where no type was ever seen that the typed one could be', async ({
    here,
    server,
  }) => {
    const words = ['signals', 'ls', '--type', 'oi_surge'];
    const isAsked = async () => {
      const { stderr } = await here(words, { ...AT_A_TERMINAL, stdin: 'n\r' });
      return stderr.includes('[y/N]');
    };
    const withoutAnyType = await isAsked();
    server.holds([card({ source_bot_type: 'oi_surge' })]);
    await here(['signals', 'ls', '--quiet', '--json']);
    const withTypes = await isAsked();
    expect({ withoutAnyType, withTypes }).toEqual({ withoutAnyType: true, withTypes: false });
  });

  it('without a bound is asked about in words', async ({ here, server }) => {
    const { code, stderr } = await here(['signals', 'ls', '--all', '--outcomes'], {
      ...AT_A_TERMINAL,
      stdin: 'n\r',
    });
    const question =
      'This may cost any number of credits (--max-credits sets a limit). Go on? [y/N] ';
    expect({ code, isAsked: stderr.includes(question), spent: server.credits }).toEqual({
      code: 7,
      isAsked: true,
      spent: 0,
    });
  });
});
