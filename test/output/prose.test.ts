import { describe, expect, it } from 'vitest';
import { joinSentences, proseLines } from '../../src/output/prose.ts';
import { MemorySink } from '../support/context.ts';

const lines = (text: string, columns: number | undefined, env = {}) => proseLines(text, new MemorySink(columns), env);

describe('proseLines', () => {
  it('breaks between words on a terminal, and nowhere else', async () => {
    expect(await lines('one two three', 7)).toEqual(['one two', 'three']);
    expect(await lines('one two three', undefined)).toEqual(['one two three']);
    expect(await lines('币安 人生 x', 7)).toEqual(['币安', '人生 x']);
  });

  it('leaves a word, a command and what stands in backticks whole', async () => {
    expect(await lines('see /a/very/long/path', 8)).toEqual(['see', '/a/very/long/path']);
    expect(await lines('Ask `screener access`, for 0 credits.', 20)).toEqual([
      'Ask',
      '`screener access`,',
      'for 0 credits.',
    ]);
    expect(await lines('a ` b `c', 4)).toEqual(['a', '` b `c']);
  });

  it.each([
    ['The rest: screener signals show 1 2', ['The rest:', 'screener signals show 1 2']],
    ['Next: screener signals ls --next', ['Next: screener signals ls --next']],
    ['5 credits spent. Next: screener signals ls', ['5 credits spent.', 'Next: screener signals ls']],
  ])('puts a command alone on its line, however wide the terminal is: %s', async (text, expected) => {
    expect(await lines(text, 200)).toEqual(expected);
  });

  it('joins sentences, but no two commands', () => {
    expect(joinSentences(['One.', 'The rest: screener signals show 1', 'Two.', 'Next: screener signals ls'])).toEqual([
      'One. Two.',
      'The rest: screener signals show 1',
      'Next: screener signals ls',
    ]);
  });

  it('goes by COLUMNS where it is set', async () =>
    expect(await lines('one two three', 80, { COLUMNS: '7' })).toEqual(['one two', 'three']));
});
