import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { MOVED_DATE } from '../support/date.ts';
import { modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { programFolder, programPath, runScreener, startCommand } from '../support/run.ts';
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

describe('without a build', () => {
  const said = (home: Home) => {
    const bin = path.join(home.folder, 'bin');
    cpSync(path.join(ROOT, 'bin'), bin, { recursive: true });
    const command = [process.execPath, path.join(bin, 'screener.js'), '--demo', 'today'];
    return startCommand(command, { home }).done;
  };

  it('says what to run, whatever is asked', async ({ home }) => {
    const stderr = 'screener is not built. Run `npm ci` in its folder (without --omit=dev).\n';
    expect(await said(home)).toMatchObject({ code: 1, stdout: '', stderr });
  });

  it('offers no `npm ci` to whoever ran it with --ignore-scripts', async ({ home }) => {
    const bundler = path.join(home.folder, 'node_modules', 'rolldown');
    mkdirSync(bundler, { recursive: true });
    writeFileSync(path.join(bundler, 'package.json'), '{}');
    const stderr = 'screener is not built. Run `npm run build` in its folder.\n';
    expect(await said(home)).toMatchObject({ code: 1, stdout: '', stderr });
  });
});

describe('a Node that was started with', () => {
  const start = (options: string[], home: Home, env = {}) => {
    const command = [process.execPath, ...options, programPath(), 'snapshot'];
    return startCommand(command, { home, env }).done;
  };
  const permission =
    Number.parseInt(process.versions.node, 10) < 24 ? '--experimental-permission' : '--permission';

  it('--permission, and no leave to write, says so', async ({ home, server }) => {
    const ran = await start([permission, '--allow-fs-read=*'], home, server.env);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'error: Node was started without permission to write files (--permission).\n' +
        'hint: Run the command again without that option of Node.\n',
    );
  });

  it('--permission, and no leave to read the program, says so', async ({ home }) => {
    const readable = [programPath(), MOVED_DATE].map((file) => `--allow-fs-read=${file}`);
    const ran = await start([permission, ...readable], home);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('screener may not read its own files.');
  });

  it('--jitless says so', async ({ home, server }) => {
    const ran = await start(['--jitless'], home, server.env);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'error: Node was started with --jitless: it cannot read answers of the service.\n' +
        'hint: Run the command again without that option of Node. Reading a local history works with --jitless, too.\n',
    );
  });
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

it('that ends without an answer has failed', async ({ home }) => {
  // The first file that the program loads never gives an answer, and nothing keeps the process.
  const script = `require('node:module')._extensions['.cjs'] = (module) => {
    module.exports.run = () => new Promise(() => {});
  };`;
  expect(await startAfter(script, home)).toMatchObject({ code: 1, stdout: '' });
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

it.for([
  'stats',
  'stats --by symbol',
  'tune',
  'screeners',
  'signals ls',
  'signals show 9000',
  'report -',
])(
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
  /** Says where Node was told to keep it, also on Node 20, which cannot. */
  const REPORT = `require('node:module').enableCompileCache = (folder) => {
    console.error('kept in ' + folder);
  };`;
  const FAULTY = `require('node:module').enableCompileCache = () => { throw new Error('broken'); };`;
  /** Any command but help: the soonest that is done. */
  const WORDS = ['logout', '--quiet'];
  const start = (home: Home, words = WORDS, script = REPORT) => startAfter(script, home, {}, words);
  const cacheOf = (home: Home) => path.join(home.folder, '.cache', 'screener');
  const kept = (home: Home) => `kept in ${cacheOf(home)}\n`;

  it('is kept in a private folder of the cache folder, from the second command on', async ({
    home,
  }) => {
    mkdirSync(path.dirname(cacheOf(home)));
    expect(await start(home)).toMatchObject({ code: 0, stderr: '' });
    expect(modeOf(cacheOf(home))).toBe('0700');
    expect(await start(home)).toMatchObject({ code: 0, stderr: kept(home) });
    expect(await start(home, ['--help'])).toMatchObject({ code: 0, stderr: kept(home) });
  });

  const REMOVE = { recursive: true };
  const replace = (folder: string, make: () => void) => {
    rmSync(folder, REMOVE);
    make();
  };

  it.for<[string, (cache: string) => void]>([
    ['is open to others', (cache) => chmodSync(cache, 0o750)],
    ['lies where others can write', (cache) => chmodSync(path.dirname(cache), 0o777)],
    ['is a file', (cache) => replace(cache, () => writeFileSync(cache, ''))],
    ['leads nowhere', (cache) => replace(cache, () => symlinkSync('nowhere', cache))],
    ['and the one above it are missing', (cache) => rmSync(path.dirname(cache), REMOVE)],
  ])('is not kept where that folder %s', async ([, bend], { home }) => {
    mkdirSync(cacheOf(home), { recursive: true, mode: 0o700 });
    bend(cacheOf(home));
    for (const nth of ['first', 'second'])
      expect(await start(home), `the ${nth} start`).toMatchObject({ code: 0, stderr: '' });
  });

  it.skipIf(process.getuid?.() !== 0)(
    "is not kept by root in another user's home",
    async ({ home }) => {
      mkdirSync(path.dirname(cacheOf(home)));
      chownSync(path.dirname(cacheOf(home)), 12_345, 12_345);
      expect(await start(home)).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(cacheOf(home)), 'there is a cache').toBe(false);
      mkdirSync(cacheOf(home), { mode: 0o700 });
      chownSync(cacheOf(home), 12_345, 12_345);
      expect(await start(home)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('that cannot be kept ends no command', async ({ home }) => {
    mkdirSync(cacheOf(home), { recursive: true, mode: 0o700 });
    expect(await start(home, WORDS, FAULTY)).toMatchObject({ code: 0, stderr: '' });
  });
});

it.for(['--help', 'stats --help', 'help credits', 'help --json', '--version', 'complete s', ''])(
  '`screener %s` makes no folder',
  async (line, { home }) => {
    mkdirSync(path.join(home.folder, '.cache'));
    const before = readdirSync(home.folder, { recursive: true });
    const words = line === '' ? [] : line.split(' ');
    const places = { SCREENER_STATE_DIR: undefined, SCREENER_CONFIG_DIR: undefined };
    expect(await runScreener(words, { home, env: places })).toMatchObject({ code: 0 });
    expect(readdirSync(home.folder, { recursive: true })).toEqual(before);
  },
);
