import { spawnSync } from 'node:child_process';

/** Whether a program that a test needs is absent. Never in CI: a test that silently does not run there protects nobody. */
export function without(...programs: readonly string[]): boolean {
  if (process.env.CI === 'true') return false;
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length > 0)
    process.stderr.write(`Skipped: tests with ${missing.join(' and ')}, not installed here.\n`);
  return missing.length > 0;
}
