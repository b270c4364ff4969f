import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicText } from '../../src/cli/topics.ts';
import { defaultHistory } from '../../src/history/default-history.ts';
import { findDirectories, homeDirectory } from '../../src/runtime/directories.ts';
import { runScreener } from '../support/run.ts';

const HOME = '/home/me';
const WINDOWS = { APPDATA: '/%APPDATA%', LOCALAPPDATA: '/%LOCALAPPDATA%' };

it.each([
  ['linux', {}],
  ['darwin', {}],
  ['win32', WINDOWS],
])('on %s files are where the help says', (platform, env) => {
  const help = String(topicText('environment', screener));
  const { config, state, data, cache } = findDirectories(env, platform, HOME);
  for (const place of [config, state, `${data}/history`, cache]) {
    const told = place.replace(HOME, '~').replace(/^\/%/, '%');
    expect(help, told).toContain(platform === 'win32' ? told.replaceAll('/', '\\') : told);
  }
});

it('a `~/` that no shell has read is the home folder', () => {
  const env = {
    HOME,
    SCREENER_CONFIG_DIR: '~/c',
    SCREENER_STATE_DIR: '~/s',
    SCREENER_HISTORY: '~/h',
  };
  const directories = findDirectories(env, 'linux', HOME);
  expect(directories).toMatchObject({ config: `${HOME}/c`, state: `${HOME}/s` });
  expect(defaultHistory({ env, directories })).toBe(`${HOME}/h`);
});

it('a home that is no absolute path does not lead `~/` into the current folder', () => {
  const env = { HOME: 'nowhere', SCREENER_STATE_DIR: '~/s' };
  expect(findDirectories(env, 'linux', HOME).state).toBe(join(homeDirectory(), 's'));
});

it('a blank variable names no folder: nothing is kept in one of the current folder', () => {
  const env = { HOME, SCREENER_CONFIG_DIR: ' ', SCREENER_STATE_DIR: '\t', SCREENER_HISTORY: '  ' };
  const directories = findDirectories(env, 'linux', HOME);
  expect(directories).toEqual(findDirectories({ HOME }, 'linux', HOME));
  expect(defaultHistory({ env, directories })).toBe(`${directories.data}/history`);
});

it.each([['today'], ['signals', 'export']])(
  'without a home %s asks for a place for the history',
  async (...words) => {
    const env = { HOME: 'nowhere', SCREENER_API_KEY: 'k', SCREENER_BASE_URL: 'http://127.0.0.1:9' };
    const ran = await runScreener(words, { env });
    const said =
      'error: No home folder is known, so there is no place for a history.\nhint: Name a folder of yours with';
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${said} SCREENER_HISTORY.`),
    });
  },
);
