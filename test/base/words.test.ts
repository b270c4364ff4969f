import { expect, it } from 'vitest';
import { shareInWords } from '../../src/base/words.ts';

it.each([
  { share: 0, words: '' },
  { share: 0.02, words: '1 in 50' },
  { share: 0.0999, words: '1 in 10' },
  { share: 77 / 762, words: '1 in 10' },
  { share: 0.104, words: '1 in 10' },
  { share: 0.12, words: '1 in 8' },
  { share: 0.22, words: '1 in 5' },
  { share: 0.26, words: '1 in 4' },
  { share: 1 / 3, words: '1 in 3' },
  { share: 0.74, words: '3 in 4' },
  { share: 0.94, words: '9 in 10' },
  { share: 0.95, words: '' },
  { share: 0.98, words: '' },
])('a share of $share is $words', ({ share, words }) => {
  expect(shareInWords(share)).toBe(words);
});
