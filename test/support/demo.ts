/** The demo's history for many commands: each command with `--demo` makes its own, a third of what it takes. */
import { beforeAll } from 'vitest';
import { demoHistory } from '../../src/sandbox/demo-history.ts';

/**
 * Makes the demo's history once, for the tests of a file, and removes it after them.
 * @param now epoch milliseconds UTC
 * @returns what returns its folder, once tests run
 */
export function demoFolder(now: number): () => string {
  const atEnd: (() => Promise<void>)[] = [];
  let folder = '';
  beforeAll(async () => {
    folder = await demoHistory(now, atEnd);
    return async () => {
      for (const end of atEnd) await end();
    };
  });
  return () => folder;
}
