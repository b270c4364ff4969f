import { expect, it } from 'vitest';
import { usesColor, usesUnicode } from '../../src/output/terminal.ts';

it.each<[boolean, Record<string, string>, boolean | undefined, boolean]>([
  [true, {}, undefined, true],
  [true, {}, true, true],
  [false, {}, undefined, false],
  [true, {}, false, false],
  [true, { NO_COLOR: '1' }, undefined, false],
  [true, { NO_COLOR: '' }, undefined, true],
  [true, { TERM: 'dumb' }, undefined, false],
  [false, { FORCE_COLOR: '1' }, undefined, true],
  [true, { FORCE_COLOR: '0' }, undefined, false],
  [true, { FORCE_COLOR: 'false' }, undefined, false],
  [true, { TERM: 'dumb', FORCE_COLOR: '1' }, undefined, true],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, undefined, false],
  [false, { FORCE_COLOR: '3' }, false, false],
  [false, { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, undefined, true],
  [true, { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, undefined, false],
  [true, { CLICOLOR_FORCE: '1', FORCE_COLOR: '0' }, undefined, false],
  [true, { CLICOLOR: '0' }, undefined, false],
  [false, { CLICOLOR: '1' }, undefined, false],
])('usesColor: terminal %s, %j, --color %s: %s', (isTTY, env, flag, colored) => {
  expect(usesColor(isTTY, env, flag)).toBe(colored);
});

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'de_DE.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, false],
  [{ LC_ALL: '', LANG: 'en_US.UTF-8' }, true],
  [{ TERM: 'dumb', LANG: 'en_US.UTF-8' }, false],
])('usesUnicode: %j: %s', (env, unicode) => expect(usesUnicode(env)).toBe(unicode));
