import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { dateOfTests } from '../test/support/date.ts';
import { scratchFolder } from './scratch.ts';

const report = process.env.SCREENER_TEST_REPORT;

const scratch = scratchFolder();
if (scratch !== undefined) process.env.TMPDIR ??= scratch;

// Workers, and the processes that they start, read the date of the tests in place of the machine's.
Object.assign(process.env, dateOfTests());

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // CI counts from a file, whatever the terminal shows.
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    // Builds the program that the tests of whole processes run.
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/seed.ts'],
    // Tests wait for events. On a busy machine they take longer, and that is no failure: nothing here ends them.
    testTimeout: 0,
    hookTimeout: 0,
    expect: { poll: { interval: 5, timeout: 2 ** 31 - 1 } },
    // Of two cores: a test that waits, for a process or for an answer that does not come, leaves its core to the third.
    maxWorkers: 3,
    // Most of what tests make is soon thrown away: a tenth of the time was spent on collecting it in small pieces. A
    // collector's helping threads would wait for the other worker's: they took as much again.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // Loading the same modules anew for each of 120 files took half of the time; no test leaves anything behind in them.
    isolate: false,
    // What was made of each module is kept in node_modules, by its content: to make it anew took five seconds of a run.
    experimental: { fsModuleCache: true },
  },
});
