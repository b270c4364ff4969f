import { execFileSync } from 'node:child_process';

/**
 * Whether tests on a pseudo-terminal are to be skipped, which needs Python's `pty`. Never in CI: a test that silently
 * does not run there protects nobody.
 */
export function withoutTerminal(): boolean {
  if (process.env.CI === 'true') return false;
  try {
    execFileSync('python3', ['-c', 'import pty'], { stdio: 'ignore' });
    return false;
  } catch {
    process.stderr.write('Skipped: tests on a pseudo-terminal, for want of python3.\n');
    return true;
  }
}
