import {
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { version } from '../../src/version.ts';
import { filesBelow, modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { programFolder, programPath, startCommand } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { ROOT } from './bundle.ts';

/** Starts the program after `script`, which changes the Node it runs on. */
function startAfter(script: string, home: Home, env = {}, words = ['--version']) {
  const hook = path.join(home.folder, 'hook.cjs');
  writeFileSync(hook, script);
  const running = startCommand([process.execPath, '--require', hook, programPath(), ...words], {
    home,
    env,
  });
  running.child.stdin?.end();
  return running.done;
}

it('without a build says what to run first, whatever is asked', async ({ home }) => {
  const bin = path.join(home.folder, 'bin');
  cpSync(path.join(ROOT, 'bin'), bin, { recursive: true });
  const running = startCommand(
    [process.execPath, path.join(bin, 'screener.js'), '--demo', 'today'],
    { home },
  );
  const said = 'screener is not built. Run `npm ci` first, in its folder.\n';
  expect(await running.done).toMatchObject({ code: 1, stdout: '', stderr: said });
});

const pretend = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;

describe('an old Node', () => {
  it.for(['12.22.12', '20.18.0'])(
    '%s is told, and nothing is loaded',
    async (version, { home }) => {
      const noMore = `require('node:module')._extensions['.cjs'] = () => { throw new Error('loaded'); };`;
      expect(await startAfter(`${pretend(version)}${noMore}`, home)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `screener needs Node.js 20.18.1 or newer, and this is ${version}.\n`,
      });
    },
  );

  it.for(['20.18.1', '100.0.0'])('%s is not one', async (version, { home }) => {
    expect(await startAfter(pretend(version), home)).toMatchObject({ code: 0, stderr: '' });
  });

  it('can read the first file, and is the one that package.json excludes', () => {
    const text = readFileSync(programPath(), 'utf8');
    expect(text).not.toMatch(/\?\.|\?\?|\|\|=|&&=|['"]node:|\bimport\b|\bawait\b|#\w+[ ;(]|\d_\d/);
    const [floor] = /\d+, \d+, \d+/.exec(text) ?? [''];
    const { engines } = JSON.parse(
      readFileSync(path.join(programFolder(), 'package.json'), 'utf8'),
    );
    expect(engines.node).toBe(`>=${floor.replaceAll(', ', '.')}`);
  });
});

const WATCHED = `const { prototype } = require('node:module');
  const { load } = prototype;
  prototype.load = function (file) {
    if (file.includes('online')) console.error('online');
    load.call(this, file);
  };
  const fs = require('node:fs');
  const { openSync } = fs;
  fs.openSync = (path, ...rest) => {
    if (String(path).endsWith('2026-11.ndjson')) console.error('cards');
    return openSync(path, ...rest);
  };`;

it.for(['stats', 'tune', 'symbols', 'screeners', 'signals ls', 'signals show 9000', 'report -'])(
  '%s on a history reads its cards once, and nothing that talks to the service',
  async (words, { home }) => {
    const card = JSON.stringify(samples.nthSettled(1, Date.UTC(2026, 10, 20)));
    writeFileSync(path.join(home.folder, 'signals-2026-11.ndjson'), `${card}\n`);
    const { stderr } = await startAfter(WATCHED, home, {}, [
      ...words.split(' '),
      '--from',
      home.folder,
    ]);
    expect(stderr.match(/^(cards|online)$/gm)).toEqual(['cards']);
  },
);

describe('compiled code', () => {
  /** Says of each file of the program whether its compiled code was kept, and taken. Node 20 keeps none. */
  const REPORT = `${pretend('22.1.0')}
    const { basename } = require('node:path');
    const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        const { filename } = options;
        const is = this.cachedDataRejected === false ? 'taken' : 'compiled';
        console.error(basename(filename).replace(/-.*/, '') + ' ' + is);
      }
    };`;
  const start = (home: Home, words = ['--help'], env = {}) => startAfter(REPORT, home, env, words);
  const kept = (home: Home) => path.join(home.state, 'compile-cache', version);

  it('is kept for each command in a private folder of this version alone', async ({ home }) => {
    mkdirSync(path.join(home.state, 'compile-cache', '0.0.1'), { recursive: true });
    const first = await start(home);
    expect(first).toMatchObject({ code: 0, stderr: 'help compiled\n' });
    expect(await start(home)).toEqual({ ...first, stderr: 'help taken\n' });
    expect((await start(home, ['stats', '--help'])).stderr).toBe('help compiled\n');
    expect(modeOf(kept(home))).toBe('0700');
    expect(() => modeOf(path.join(home.state, 'compile-cache', '0.0.1'))).toThrow('ENOENT');
  });

  it('is compiled anew where it is spoilt, and not kept by a command that failed', async ({
    home,
  }) => {
    expect(await start(home, ['nosuch'])).toMatchObject({ code: 2 });
    const first = await start(home);
    expect(first.stderr).toBe('help compiled\n');
    const [file = ''] = filesBelow(kept(home));
    const bytes = readFileSync(file);
    // V8 itself runs what one bit has changed.
    bytes[bytes.length / 4] = 255 - (bytes[bytes.length / 4] ?? 0);
    writeFileSync(file, bytes);
    expect(await start(home)).toEqual(first);
    expect(await start(home)).toEqual({ ...first, stderr: 'help taken\n' });
  });

  it('is not taken through a link or from another user, and no state folder is no failure', async ({
    home,
  }) => {
    const first = await start(home);
    const [file = ''] = filesBelow(kept(home));
    if (process.getuid?.() === 0) chownSync(file, 12_345, 12_345);
    expect((await start(home)).stderr).toBe(
      `help ${process.getuid?.() === 0 ? 'compiled' : 'taken'}\n`,
    );
    renameSync(file, path.join(home.folder, 'elsewhere'));
    symlinkSync(path.join(home.folder, 'elsewhere'), file);
    expect(await start(home)).toEqual(first);
    expect(await start(home, ['--help'], { SCREENER_STATE_DIR: '/dev/null/state' })).toEqual(first);
  });
});
