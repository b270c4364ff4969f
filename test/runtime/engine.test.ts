/** What an error of the engine means. */
import { expect, it } from 'vitest';
import { isOutOfMemory, isTooLarge } from '../../src/runtime/engine.ts';

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

it.each([
  { name: 'a text', thrown: 'out of memory', is: false },
  { name: 'an error', thrown: new Error('out of memory'), is: false },
  { name: 'another range', thrown: new RangeError('Invalid time value'), is: false },
  { name: 'a buffer', thrown: new RangeError('Array buffer allocation failed'), is: true },
  { name: 'WebAssembly', thrown: new RangeError('WebAssembly.Memory(): Out of memory'), is: true },
])('$name is memory that the system refused: $is', ({ thrown, is }) => {
  expect(isOutOfMemory(thrown)).toBe(is);
});
