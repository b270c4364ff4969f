/**
 * The steps of scenario.cjs with the program as users get it, on this machine, whatever its system: `npm run installed`.
 * It packs the program, unless a package is named, and installs the package into an empty prefix, offline.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isWindows = process.platform === 'win32';
const work = mkdtempSync(path.join(os.tmpdir(), 'screener installed '));
const prefix = path.join(work, 'a prefix');
const result = path.join(work, 'result');

/** npm is a script of a shell on Windows; the one that runs this is a script of Node everywhere. */
const npm = (...args) =>
  execFileSync(process.execPath, [process.env.npm_execpath ?? '', ...args], { cwd: ROOT });

try {
  mkdirSync(prefix);
  const [given] = process.argv.slice(2);
  if (given === undefined) npm('pack', '--pack-destination', work);
  const [packed = ''] = readdirSync(work).filter((name) => name.endsWith('.tgz'));
  const offline = [
    '--offline',
    '--no-audit',
    '--no-fund',
    '--cache',
    path.join(work, 'empty cache'),
  ];
  npm('install', '--global', '--prefix', prefix, ...offline, given ?? path.join(work, packed));
  const command = isWindows
    ? path.join(prefix, 'screener.cmd')
    : path.join(prefix, 'bin', 'screener');
  process.stdout.write(`installed: ${execFileSync(`"${command}" --version`, { shell: true })}`);
  const modules = path.join(prefix, isWindows ? '' : 'lib', 'node_modules');
  const scenario = fileURLToPath(new URL('scenario.cjs', import.meta.url));
  const folder = path.join(work, 'files of Möwe & Co 100%');
  spawnSync(process.execPath, [scenario, path.join(modules, 'signal-screener'), folder, result], {
    stdio: 'inherit',
  });
  const said = readFileSync(result, 'utf8');
  process.stdout.write(said.replace(/^/gm, 'installed: ').replace(/installed: $/, ''));
  process.exitCode = said.endsWith('done\n') ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
