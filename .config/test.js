/**
 * `npm test`: checks types and style while the tests run, by the scripts `types`, `lint` and `vitest` of package.json. What
 * follows its name is for vitest. It fails if any of them fails.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Checks beside the tests: they take seconds, in which vitest has little to do yet. */
const CHECKS = ['types', 'lint'];
const TESTS = 'vitest';

// Until all have answered it has failed, whatever ends it.
process.exitCode = 1;

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * Runs a script of package.json in the shell that npm would take.
 * @returns the process, and whether it succeeds: an end by a signal, and a command that is not there, are failures
 */
function start(name, stdio, words = []) {
  const command = scripts[name];
  if (command === undefined) throw new Error(`package.json has no script ${name}.`);
  const line = [command, ...words.map((word) => JSON.stringify(word))].join(' ');
  const child = spawn(line, { shell: true, stdio });
  const isSuccess = new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
  return { child, isSuccess };
}

/** Says nothing unless it fails, and then all at once: not in the middle of a line of the tests'. */
async function check(name) {
  const { child, isSuccess } = start(name, ['ignore', 'pipe', 'pipe']);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  if (await isSuccess) return true;
  process.stderr.write(`\nnpm run ${name} failed:\n${said}\n`);
  return false;
}

const checks = CHECKS.map(async (name) => ({ name, isSuccess: await check(name) }));
const tests = start(TESTS, 'inherit', process.argv.slice(2));
// A terminal sends Ctrl-C to all of them: vitest ends in its own way, and so does this.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => tests.child.kill('SIGTERM'));

const results = [...(await Promise.all(checks)), { name: TESTS, isSuccess: await tests.isSuccess }];
const failed = results.filter(({ isSuccess }) => !isSuccess).map(({ name }) => name);
const fine = results.filter(({ isSuccess }) => isSuccess).map(({ name }) => name);
if (fine.length > 0) process.stdout.write(`Succeeded: ${fine.join(', ')}.\n`);
if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}.\n`);
if (failed.length === 0) process.exitCode = 0;
