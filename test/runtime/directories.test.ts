import { expect, it } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { topicText } from '../../src/cli/topics.ts';
import { defaultHistory } from '../../src/history/default-history.ts';
import { findDirectories, givenPath } from '../../src/runtime/directories.ts';

const HOME = '/home/me';
const WINDOWS = { APPDATA: '/%APPDATA%', LOCALAPPDATA: '/%LOCALAPPDATA%' };

it.each([
  ['linux', {}],
  ['darwin', {}],
  ['win32', WINDOWS],
])('on %s files are where the help says', (platform, env) => {
  const help = String(topicText('environment', screener));
  const { config, state, data } = findDirectories(env, platform, HOME);
  for (const place of [config, state, `${data}/history`]) {
    const told = place.replace(HOME, '~').replace(/^\/%/, '%');
    expect(help).toContain(platform === 'win32' ? told.replaceAll('/', '\\') : told);
  }
});

it.each(['linux', 'win32'])('on %s a path that is not whole is passed over', (platform) => {
  const relative = { XDG_CONFIG_HOME: 'here', XDG_STATE_HOME: '', APPDATA: 'here', LOCALAPPDATA: '.' };
  expect(findDirectories(relative, platform, HOME)).toEqual(findDirectories({}, platform, HOME));
});

it('a `~/` that no shell has read is the home folder', () => {
  const env = { HOME, SCREENER_CONFIG_DIR: '~/c', SCREENER_STATE_DIR: '~/s', SCREENER_HISTORY: '~/h' };
  const directories = findDirectories(env, 'linux', HOME);
  expect(directories).toMatchObject({ config: `${HOME}/c`, state: `${HOME}/s` });
  expect(defaultHistory({ env, directories })).toBe(`${HOME}/h`);
});

it.each([
  ['C:\\My Data"', 'C:\\My Data'],
  ['D:/signals', 'D:/signals'],
  ['\\\\?\\C:\\signals', '\\\\?\\C:\\signals'],
  ['signals', 'signals'],
])('on Windows %s is %s', (given, path) => {
  expect(givenPath(given, {}, 'win32')).toBe(path);
});

it.each(['C:\\My Data" --json', 'a:b.html', 'report:1.html', 'C:\\a:b'])('on Windows %s is refused', (path) => {
  expect(() => givenPath(path, {}, 'win32')).toThrow(/Windows path/);
  expect(givenPath(path, {}, 'linux')).toBe(path);
});
