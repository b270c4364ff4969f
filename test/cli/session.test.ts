/** What the last line on standard error says was spent. */
import { expect } from 'vitest';
import { runSession } from '../../src/cli/session.ts';
import type { GlobalOptions } from '../../src/commands/parts/invocation.ts';
import { writeSettings } from '../../src/config/settings.ts';
import { interruptedError, ScreenerError } from '../../src/errors.ts';
import { testContext } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import { KEY } from '../support/server.ts';

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

it.for([
  {
    failure: new ScreenerError('network', 'Unreachable.', { hint: 'Try again.' }),
    hint: 'SCREENER_BASE_URL is set: it counts in place of the saved base URL, https://saved.example/api/external/v1. Try again.',
  },
  {
    failure: new ScreenerError('not_found', 'No such card.', { hint: 'Look for it.' }),
    hint: 'Look for it.',
  },
])(
  'SCREENER_BASE_URL in place of the saved base URL is named only if it may be the reason: $failure.code',
  async ({ failure, hint }, { home }) => {
    await writeSettings(home.config, { baseUrl: 'https://saved.example', key: KEY });
    const context = testContext({
      env: { SCREENER_BASE_URL: 'https://other.example' },
      directories: home,
    });
    const run = runSession(context, NO_OPTIONS, () => Promise.reject(failure));
    await expect(run).rejects.toMatchObject({ code: failure.code, hint });
  },
);

it.for([
  {
    what: 'a command that has not said how to go on',
    said: [],
    hint: 'To continue, run the same command again.',
  },
  { what: 'one that has', said: [['Continue without a gap.']] as [string][], hint: undefined },
])('after Ctrl-C the hint of $what is "$hint"', async ({ said, hint }) => {
  const controller = new AbortController();
  const context = testContext({ argv: [], signal: controller.signal });
  const run = runSession(context, NO_OPTIONS, async ({ closing }) => {
    closing.push(...said);
    controller.abort(interruptedError());
    controller.signal.throwIfAborted();
  });
  const error = await run.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'interrupted', hint });
});
