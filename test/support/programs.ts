import { execFileSync, spawnSync } from 'node:child_process';
import { once, oncePerKey } from '../../src/base/collections.ts';

/**
 * The path of Python itself, asked once. What `python3` names may be a script that looks for it: that takes several times as
 * long as Python takes to begin.
 */
export const pythonPath = once(() =>
  execFileSync('python3', ['-I', '-S', '-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim(),
);

/** Whether a program can be started. */
const isPresent = oncePerKey((name: string) => spawnSync(name, ['--version']).error === undefined);

/** Whether a program that a test needs is absent. Never in CI: a test that silently does not run there protects nobody. */
export function without(...programs: readonly string[]): boolean {
  if (process.env.CI === 'true') return false;
  const missing = programs.filter((name) => !isPresent(name));
  if (missing.length > 0)
    process.stderr.write(`Skipped: tests with ${missing.join(' and ')}, not installed here.\n`);
  return missing.length > 0;
}
