/** What an error of the engine means. */
import { expect, it } from 'vitest';
import { isTooLarge } from '../../src/runtime/engine.ts';

it.each([
  { name: 'null', thrown: null, is: false },
  { name: 'undefined', thrown: undefined, is: false },
  { name: 'a text', thrown: 'maximum size exceeded', is: false },
  { name: 'an error', thrown: new Error('maximum size exceeded'), is: false },
  { name: 'a string of V8', thrown: new RangeError('Invalid string length'), is: true },
  { name: 'a file of Node', thrown: { code: 'ERR_FS_FILE_TOO_LARGE' }, is: true },
])('$name is too large: $is', ({ thrown, is }) => {
  expect(isTooLarge(thrown)).toBe(is);
});
