import { expect, it } from 'vitest';
import { childEnv } from '../../src/runtime/programs.ts';

it('a child never gets the key, in whatever spelling Windows would find it', () => {
  const env = {
    SCREENER_API_KEY: 'a',
    screener_api_key: 'b',
    Screener_Api_Key: 'c',
    SCREENER_TZ: 'UTC',
  };
  expect(childEnv(env)).toEqual({ SCREENER_TZ: 'UTC' });
});
