/** What the last line on standard error says was spent. */
import { expect } from 'vitest';
import { runSession } from '../../src/cli/session.ts';
import type { GlobalOptions } from '../../src/commands/parts/invocation.ts';
import { testContext } from '../support/context.ts';
import { it } from '../support/fixtures.ts';

const NO_OPTIONS = { format: 'table' } as GlobalOptions;

it.for([
  { words: ['access'], said: '' },
  { words: ['snapshot'], said: '1 credit spent; 149 left today.\n' },
  { words: ['snapshot', '--quiet'], said: '' },
  { words: ['--demo', 'access'], said: 'Demo: invented data, no key.\n' },
  {
    words: ['--demo', 'snapshot'],
    said: 'Demo: invented data, no key; this would cost 1 credit.\n',
  },
])('$words', async ({ words, said }, { here, server }) => {
  const { code, stderr } = await here(words, { env: server.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: said });
});

it('says what was spent though clearing up fails', async () => {
  const context = testContext({ argv: [] });
  const run = runSession(context, NO_OPTIONS, async ({ atEnd, closing }) => {
    closing.push(['Continue without a gap:', 'screener signals watch --resume']);
    atEnd.push(() => Promise.reject(new Error('EBUSY')));
  });
  await expect(run).rejects.toThrow('EBUSY');
  expect(context.stderr.text).toBe('Continue without a gap:\n  screener signals watch --resume\n');
});
