import type { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { firstLine, readInput } from '../../src/commands/input.ts';
import { ask } from '../../src/commands/prompt.ts';
import { interruptedError } from '../../src/errors.ts';
import { testContext } from '../support/context.ts';

test('an interrupt that came before the reading began ends it, too', async () => {
  const signal = AbortSignal.abort(interruptedError());
  await expect(readInput(testContext({ signal }))).rejects.toMatchObject({ code: 'interrupted' });
  await expect(ask(testContext({ signal }), 'Key: ', true)).rejects.toMatchObject({ code: 'interrupted' });
});

test.each([
  ['UTF-8', Buffer.from('sk_x\r\n')],
  ['UTF-8 with its mark', Buffer.from('\ufeffsk_x\r\n')],
  ['UTF-16, as Windows PowerShell writes it', Buffer.from('\ufeffsk_x\r\n', 'utf16le')],
  ['UTF-16 the other way round', Buffer.from('\ufeffsk_x\r\n', 'utf16le').swap16()],
])('%s is read', async (_name, bytes) => {
  const context = testContext();
  (context.stdin as PassThrough).end(bytes);
  expect(await firstLine(context)).toBe('sk_x');
});
