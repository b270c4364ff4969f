/** `npm test` is three commands at once: it fails if any of them does, however it does. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHome } from '../support/home.ts';
import { ROOT } from './bundle.ts';

const FINE = { types: 'echo types are fine', lint: 'echo style is fine', vitest: 'echo tests:' };

/** Runs what `npm test` runs, in a folder whose package.json has these scripts. */
function runTests(scripts: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const { folder, remove } = createHome();
  onTestFinished(remove);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts }));
  const program = path.join(ROOT, '.config', 'test.js');
  const ran = spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

it('is what `npm test` runs', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect(scripts.test).toBe('node .config/test.js');
});

it('succeeds if all do, with the words that are for vitest', () => {
  expect(runTests(FINE, ['test/api', '-t', 'two words'])).toEqual({
    code: 0,
    stdout: 'tests: test/api -t two words\nSucceeded: types, lint, vitest.\n',
    stderr: '',
  });
});

it.each([
  { name: 'types', command: 'echo wrong type; exit 2', said: 'wrong type\n' },
  { name: 'lint', command: 'echo bad style >&2; exit 1', said: 'bad style\n' },
  { name: 'lint', command: 'kill -KILL $$', said: '' },
  { name: 'types', command: './no-such-command', said: '.*no-such-command.*\n' },
])('fails with what $name says: $command', ({ name, command, said }) => {
  const whole = `^\nnpm run ${name} failed:\n${said}\nFailed: ${name}[.]\n$`;
  expect(runTests({ ...FINE, [name]: command })).toEqual({
    code: 1,
    stdout: expect.stringContaining('tests:\n'),
    stderr: expect.stringMatching(new RegExp(whole)),
  });
});

it.each(['exit 1', 'kill -TERM $$'])('fails if the tests do: %s', (command) => {
  expect(runTests({ ...FINE, vitest: `echo red; ${command}` })).toEqual({
    code: 1,
    stdout: 'red\nSucceeded: types, lint.\n',
    stderr: 'Failed: vitest.\n',
  });
});

it('fails if a check is no longer there', () => {
  const { types: _types, ...others } = FINE;
  expect(runTests(others)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('package.json has no script types.'),
  });
});
