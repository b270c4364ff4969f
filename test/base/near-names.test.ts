import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/base/near-names.ts';

describe('the name that was meant', () => {
  const fields = ['id', 'source_symbol', 'outcome', 'outcome.move_1h_pct'];

  it.each([
    { title: 'a letter is missing', word: 'source_symbl', names: fields, meant: 'source_symbol' },
    {
      title: 'a part of a name',
      word: 'move_1h_pct',
      names: fields,
      meant: 'outcome.move_1h_pct',
    },
    {
      title: 'the beginning of a longer name',
      word: 'sour',
      names: fields,
      meant: 'source_symbol',
    },
    { title: 'another word', word: 'xyzzy', names: fields, meant: undefined },
    {
      title: 'a whole name goes before a part that is as near',
      word: 'movc',
      names: ['outcome.mova', 'movb'],
      meant: 'movb',
    },
    { title: 'two letters, the beginning of a name', word: 'id', names: ['idx'], meant: 'idx' },
    { title: 'two letters, one of them wrong', word: 'ix', names: ['id'], meant: undefined },
    { title: 'three letters, one wrong', word: 'asx', names: ['ask'], meant: 'ask' },
    { title: 'three letters, two wrong', word: 'axx', names: ['ask'], meant: undefined },
    {
      title: 'a third of the letters',
      word: 'abcdxxghi',
      names: ['abcdefyhi'],
      meant: 'abcdefyhi',
    },
    { title: 'more than a third', word: 'abcdxxghi', names: ['abcdefyyi'], meant: undefined },
  ])('$title', ({ word, names, meant }) => expect(nearest(word, names)).toBe(meant));
});

it('is asked for in a sentence, or not at all', () => {
  expect({
    near: didYouMean('statz', ['stats', 'tune']),
    none: didYouMean('xyzzy', ['stats', 'tune']),
  }).toEqual({ near: " Did you mean 'stats'?", none: '' });
});
