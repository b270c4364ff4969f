import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './bundle.ts';

const TEST_COMMAND = 'npm ci && npm test';

function linesOf(name: string): string[] {
  return readFileSync(path.join(ROOT, name), 'utf8').split('\n');
}

test('README has the test command on a line of its own, and CI runs that line', () => {
  expect(linesOf('README.md')).toContain(TEST_COMMAND);
  expect(linesOf('.ci/run')).toContain(TEST_COMMAND);
});
