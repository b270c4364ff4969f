/**
 * All test files of a worker share their modules (`isolate: false`): a module that one of them mocks or loads anew stays
 * so for those that come after it, in an order that changes with each run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './bundle.ts';

const CHANGES_MODULES = /\bvi\.(?:do)?(?:mock|unmock|resetModules)\b/i;

it('no test file changes modules, which all test files share', () => {
  const tests = path.join(ROOT, 'test');
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  const changing = files
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => CHANGES_MODULES.test(readFileSync(path.join(tests, file), 'utf8')));
  expect(changing).toEqual([]);
});
