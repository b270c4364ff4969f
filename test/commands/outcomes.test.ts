import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { failure } from '../support/server.ts';

it('a list whose outcomes end early names the cards of its page that are left', async ({
  here,
  server,
}) => {
  server.always('/signals/8999', failure(500));
  const words = ['signals', 'ls', '-n', '4', '--outcomes', '--max-wait', '0'];
  const { code, stderr } = await here(words);
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: expect.stringMatching(
      /The outcomes of the other cards on this page:\n {2}screener signals show (\d+ )*8999\b/,
    ),
  });
});
