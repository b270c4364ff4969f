import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/api/operations.ts';
import { shellWord } from '../../src/commands/next-command.ts';

/** What the shells at hand make of a list of words. */
function readBy(shell: string, words: readonly string[]): string[] | undefined {
  try {
    // NUL between the words, so that no word can hide another.
    const line = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
    return execFileSync(shell, ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && process.env.CI !== 'true') return undefined;
    throw error;
  }
}

const WORDS = [
  "'",
  "''; touch /tmp/pwned; '",
  "\\'; touch /tmp/pwned; '",
  '\\',
  'a\\',
  "\\'",
  '$(id)',
  '`id`',
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
  'x;id',
  'a&b',
  'eyJhIjoxfQ==',
  '(id)',
  '^x',
  '',
];

describe('a word for a shell', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'dash']) {
    it(`is read by ${shell} as it was`, (context) => {
      const random = fc.sample(
        fc.string({ unit: fc.constantFrom(...'\'\\"$`;&|() ~=-#!%*?[]{}<>^ab'), minLength: 1 }),
        300,
      );
      const words = [...WORDS, ...random];
      const read = readBy(shell, words);
      if (read === undefined) context.skip(`${shell} is not here`);
      expect(read).toEqual(words);
    });
  }

  it('is sent whatever it holds', () => {
    expect(OPERATIONS.signals.target({ cursor: '\ud800&x' })).toBe('/signals?cursor=%EF%BF%BD%26x');
  });
});
