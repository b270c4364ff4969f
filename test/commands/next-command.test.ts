import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../src/commands/parts/invocation.ts';
import {
  commandLine,
  nextCommand,
  offeredLine,
  pipedLine,
} from '../../src/commands/parts/next-command.ts';
import { setVariable, shellLine, shellWord } from '../../src/runtime/shell-words.ts';

/** What a script prints; undefined where the shell is not at hand. */
function runIn(shell: string, script: string): string | undefined {
  try {
    return execFileSync(shell, ['-c', script], { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && process.env.CI !== 'true')
      return undefined;
    throw error;
  }
}

const INJECTED = [
  ...[
    "'",
    "''; touch /tmp/pwned; '",
    "\\'; touch /tmp/pwned; '",
    '\\',
    'a\\',
    "\\'",
    '$(id)',
    '`id`',
    'x;id',
  ],
  ...['a&b', 'a\nid\n', '\u001b[2Jx'],
];
const EXPANDED = [
  '=ls',
  '~root',
  '-rf',
  '!!',
  '#x',
  '*',
  '{a,b}',
  'a b',
  '%1',
  '"',
  '$HOME',
  '(id)',
  '^x',
  '',
];
const WORDS = [...INJECTED, ...EXPANDED, 'eyJhIjoxfQ=='];

describe('a word for a shell', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'dash']) {
    it(`is read by ${shell} as it was`, (context) => {
      const unit = fc.constantFrom(...'\'\\"$`;&|() ~=-#!%*?[]{}<>^ab');
      const random = fc.sample(fc.string({ unit, minLength: 1 }), 300);
      const words = [...WORDS, ...random];
      // NUL between the words, so that no word can hide another.
      const read = runIn(shell, `printf '%s\\0' ${words.map((word) => shellWord(word)).join(' ')}`);
      if (read === undefined) context.skip(`${shell} is not here`);
      expect(read?.split('\0').slice(0, -1)).toEqual(words);
    });
  }

  it.each(['bash', 'dash', 'fish'])('is the value of a variable that %s sets', (shell) => {
    const dialect = shell === 'fish' ? shell : 'sh';
    const values = WORDS.map((word, number) => [`V${number}`, word] as const);
    const lines = values.map(([name, word]) => setVariable(name, word, dialect));
    const script = `${lines.join('\n')}\n${process.execPath} -p 'JSON.stringify(process.env)'`;
    const printed = runIn(shell, script);
    if (printed === undefined) return;
    const env = JSON.parse(printed);
    expect(values.map(([name]) => env[name])).toEqual(WORDS);
  });

  // Neither PowerShell nor cmd is here: what they read is from their manuals, and cmd expands % and ! within quotes.
  it.each(['"', '$', '`', '%', '!', '“', '”', '\n'])(
    'with %j is spelled by cmd and PowerShell differently',
    (sign) => {
      expect(shellLine(['screener', 'tune', `a&calc${sign}b`], 'powershell')).toBe(undefined);
      expect(shellLine(['screener', 'tune', `a&calc${sign}b`], 'sh')).toBe(
        `screener tune 'a&calc${sign}b'`,
      );
    },
  );

  it.each([
    ["it's", `"it's"`],
    ['a\u2019b&calc', '"a\u2019b&calc"'],
    ['a\\b c', '"a\\b c"'],
    ['C:\\a b\\', '"C:\\a b\\\\"'],
    ['C:\\Möwe & Co', '"C:\\Möwe & Co"'],
    ['@args', '"@args"'],
    ['-n', '"-n"'],
    ['eyJhIjoxfQ==', 'eyJhIjoxfQ=='],
  ] as const)('for PowerShell %s is %s', (verdict, expected) => {
    expect(shellWord(verdict, 'powershell')).toBe(expected);
  });

  it.each([
    { shell: 'powershell', text: "it's", line: "$env:K = 'it''s'" },
    { shell: 'cmd', text: 'a & b', line: 'set "K=a & b"' },
  ] as const)('for $shell, a variable: $text', ({ shell, text, line }) => {
    expect(setVariable('K', text, shell)).toBe(line);
  });
});

describe('command lines for copying', () => {
  const options = {
    since: undefined,
    until: undefined,
    symbol: 'BTCUSDT',
    type: "it's",
    cursor: 'a;id',
    next: false,
  };
  const list = { ...options, cards: Number.POSITIVE_INFINITY, outcomes: true };
  const userOf = (platform: string, env = {}, demo = false) => {
    return {
      globals: { demo, baseUrl: undefined },
      context: { platform, env },
    } as unknown as Invocation;
  };
  const linux = userOf('linux');

  it('are quoted for the shell of the platform, and for Git Bash, and say whose data they are about', () => {
    const line =
      "screener signals ls --symbol BTCUSDT --type 'it'\\''s' --all --outcomes --cursor 'a;id'";
    expect(nextCommand(list, linux)).toBe(line);
    expect(nextCommand(list, userOf('win32'))).toContain(`--type "it's" --all`);
    expect(nextCommand(list, userOf('win32', { MSYSTEM: 'MINGW64' }))).toBe(line);
    expect(nextCommand(list, userOf('linux', {}, true))).toMatch(/^screener --demo signals ls /);
  });

  it('are not offered on Windows where cmd would act on a word, nor where one is of any length', () => {
    const none = '(no line to copy: a shell cannot take a word of it; take it from --json)';
    expect(nextCommand({ ...list, type: '"&calc&"' }, userOf('win32'))).toBe(none);
    expect(commandLine(linux, 'tune', {}, 'x'.repeat(5000))).toBe(none);
  });

  it('are not offered with a word that can only be shown by other signs: it would name another type', () => {
    const none = '(no line to copy: a shell cannot take a word of it; take it from --json)';
    for (const type of ['a\u202eb', 'a\tb', 'a\nb', 'a\u001b[2Jb', '\u2764\ufe0f'])
      expect({ type, line: commandLine(linux, 'tune', {}, type) }).toEqual({ type, line: none });
    const shown = commandLine(linux, 'tune', {}, '币 \u2764');
    expect(shown).toBe("screener tune '币 \u2764'");
  });

  it('hand on a word that begins as an option does', () => {
    expect(commandLine(linux, 'tune', { '--from': 'kept' }, '-x')).toBe(
      'screener tune --from kept -- -x',
    );
    expect(commandLine(linux, 'tune', { '--from': 'kept' }, 'x')).toBe(
      'screener tune x --from kept',
    );
    expect(nextCommand({ ...list, type: '--json', cursor: '-c' }, linux)).toBe(
      "screener signals ls --symbol BTCUSDT '--type=--json' --all --outcomes '--cursor=-c'",
    );
  });
});

it('of a pipe with a word that no shell can take nothing is offered', () => {
  const user = { context: { env: {} } } as never;
  const whole = offeredLine(user, ['screener', 'signals', 'ls']);
  const none = offeredLine(user, ['screener', 'stats', 'a\u0007']);
  expect({
    whole: pipedLine(whole, 'jq .', whole),
    first: pipedLine(none, 'jq .', whole),
    second: pipedLine(whole, 'jq .', none),
  }).toEqual({
    whole: 'screener signals ls | jq . | screener signals ls -',
    first: none,
    second: none,
  });
  expect(none).toMatch(/^\(no line to copy: /);
});
