/** What the whole process may fail of: each cause in words, with its remedy. */
import { expect, it } from 'vitest';
import { unexpectedError } from '../../src/cli/unexpected.ts';
import { bugs } from '../../src/version.ts';

const system = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: the reason`), { code, ...more });

const LARGE = 'What was read is too large, or nested too deep, for the memory there is.';
const FULL = 'Standard output cannot be written: no space left on the device.';

it.each([
  { name: 'a full disk', error: system('ENOSPC'), code: 'storage', message: FULL },
  { name: 'a quota', error: system('EDQUOT'), code: 'storage', message: FULL },
  {
    name: 'a file that is too large',
    error: system('EFBIG'),
    code: 'storage',
    message: 'Standard output cannot be written: the file may not grow further.',
  },
  {
    name: 'a terminal that is gone',
    error: system('EIO'),
    code: 'storage',
    message: 'Standard output cannot be written: input or output failed.',
  },
  {
    name: 'an output that is open for reading',
    error: system('EBADF'),
    code: 'storage',
    message: 'Standard output cannot be written: it is not open for writing.',
  },
  {
    name: 'no memory',
    error: new RangeError('Array buffer allocation failed'),
    code: 'storage',
    message: LARGE,
  },
  {
    name: 'a deep value',
    error: new RangeError('Maximum call stack size exceeded'),
    code: 'storage',
    message: LARGE,
  },
  { name: 'a long text', error: system('ERR_STRING_TOO_LONG'), code: 'storage', message: LARGE },
  {
    name: 'no permission to read',
    error: system('ERR_ACCESS_DENIED', { permission: 'FileSystemRead' }),
    code: 'storage',
    message: 'Node was started without permission to read files (--permission).',
  },
  {
    name: 'no permission to sync',
    error: system('ERR_ACCESS_DENIED'),
    code: 'storage',
    message: 'Node was started without permission to write files (--permission).',
  },
  {
    name: 'no permission to do what is new',
    error: system('ERR_ACCESS_DENIED', { permission: 'Worker' }),
    code: 'storage',
    message: 'Node was started without permission to do that (--permission).',
  },
  {
    name: 'a mistake of ours',
    error: new TypeError('x is not a function'),
    code: 'unexpected',
    message: 'Unexpected failure: x is not a function',
  },
  {
    name: 'another range error',
    error: new RangeError('Invalid time value'),
    code: 'unexpected',
    message: 'Unexpected failure: Invalid time value',
  },
  {
    name: 'what is no error',
    error: 'a text',
    code: 'unexpected',
    message: 'Unexpected failure: a text',
  },
  {
    name: 'nothing at all',
    error: undefined,
    code: 'unexpected',
    message: 'Unexpected failure: undefined',
  },
])('$name is told as $message', ({ error, code, message }) => {
  const told = unexpectedError(error);
  expect({ code: told.code, message: told.message, cause: told.cause }).toEqual({
    code,
    message,
    cause: error,
  });
});

it('a mistake of ours is to be reported, with the place for it', () => {
  const where = bugs === undefined ? '' : ` at ${bugs}`;
  expect(unexpectedError(new Error('x')).hint).toBe(
    `This is a bug in screener. Please report the command line and this text${where}. With -v there is a trace, too.`,
  );
});
