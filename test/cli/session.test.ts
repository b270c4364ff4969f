/** What the last line on standard error says was spent. */
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';

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
