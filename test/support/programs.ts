import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
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

/** Whether a program can be started. It is looked for, and not started: Python's script alone takes half a second. */
const isPresent = oncePerKey((name: string) => {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => isRunnable(path.join(folder, name)));
});

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program that a test needs is absent. Never in CI: a test that silently does not run there protects nobody. */
export function without(...programs: readonly string[]): boolean {
  if (process.env.CI === 'true') return false;
  const missing = programs.filter((name) => !isPresent(name));
  if (missing.length > 0)
    process.stderr.write(`Skipped: tests with ${missing.join(' and ')}, not installed here.\n`);
  return missing.length > 0;
}
