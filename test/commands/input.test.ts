import { expect, test } from 'vitest';
import { readInput } from '../../src/commands/input.ts';
import { ask } from '../../src/commands/prompt.ts';
import { interruptedError } from '../../src/errors.ts';
import { testContext } from '../support/context.ts';

test('an interrupt that came before the reading began ends it, too', async () => {
  const signal = AbortSignal.abort(interruptedError());
  await expect(readInput(testContext({ signal }))).rejects.toMatchObject({ code: 'interrupted' });
  await expect(ask(testContext({ signal }), 'Key: ', true)).rejects.toMatchObject({ code: 'interrupted' });
});
