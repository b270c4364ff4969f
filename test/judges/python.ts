import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/**
 * The first Python that has numpy and scipy: a distribution's packages belong to its own. On a machine of one's own
 * without them the tests are skipped; in CI they fail.
 */
export function findPython(): string | undefined {
  for (const python of ['python3', '/usr/bin/python3']) {
    try {
      execFileSync(python, ['-c', 'import numpy, scipy'], { stdio: 'ignore' });
      return python;
    } catch {}
  }
  if (process.env.CI === 'true') throw new Error('No python3 with numpy and scipy.');
  process.stderr.write('Skipped: figures against numpy and scipy, which are not installed.\n');
  return undefined;
}

/** Runs a script of this folder with such words. @returns its JSON lines */
export function judge(
  python: string,
  [script = '', ...words]: readonly string[],
  lines: readonly string[],
): Record<string, never>[] {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const text = execFileSync(python, [path, ...words], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Numbers to 1e-9, intervals by both ends, all else exactly. */
export function near(ours: unknown, theirs: unknown, where: string): void {
  if (Array.isArray(theirs)) {
    const { low, high } = (ours ?? {}) as { low?: unknown; high?: unknown };
    near(low, theirs[0], `${where} low`);
    near(high, theirs[1], `${where} high`);
    return;
  }
  if (typeof theirs === 'object' && theirs !== null) {
    for (const [key, value] of Object.entries(theirs))
      near((ours as Record<string, unknown> | null)?.[key], value, `${where} ${key}`);
    return;
  }
  const isNear =
    typeof ours === 'number' &&
    typeof theirs === 'number' &&
    Math.abs(ours - theirs) <= 1e-9 * Math.max(1, Math.abs(theirs));
  if (!isNear) expect([where, ours]).toEqual([where, theirs]);
}
