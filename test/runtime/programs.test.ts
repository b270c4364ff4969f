import { expect, it } from 'vitest';
import { childEnv, findProgram } from '../../src/runtime/programs.ts';

it('on Windows a program comes from a drive in PATH, never from the current folder or another machine', () => {
  const found = 'C:\\bin\\less.exe';
  const find = (name: string, env: Record<string, string>) =>
    findProgram(name, env, 'win32', (file) => file.endsWith('less.exe'));
  expect(find('less', { Path: '.;;bin;\\bin;\\\\evil\\bin;C:\\bin' })).toBe(found);
  expect(find('less.exe', { PATH: 'C:\\bin' })).toBe(found);
  expect(find(found, { PATH: '' })).toBe(found);
  for (const name of ['less', './less.exe', 'bin/less.exe', '\\less.exe', '\\\\evil\\bin\\less.exe']) {
    expect(find(name, { PATH: '.;bin;\\;C:bin' }), name).toBe(undefined);
  }
});

it('a child never gets the key, in whatever spelling Windows would find it', () => {
  const env = { SCREENER_API_KEY: 'a', screener_api_key: 'b', Screener_Api_Key: 'c', SCREENER_TZ: 'UTC' };
  expect(childEnv(env)).toEqual({ SCREENER_TZ: 'UTC' });
});
