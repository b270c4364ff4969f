/** What is asked of `npm run mutate`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** Files and folders of `test/` that hold a room's tests besides the folder of its name. */
export const MORE_TESTS: Readonly<Record<string, readonly string[]>> = {
  api: ['e2e', 'faults', 'fuzz'],
  cli: [
    'completion',
    'hostile',
    'options',
    'commands/symbol.test.ts',
    'e2e/shell.test.ts',
    'e2e/usage.test.ts',
    'output/errors.test.ts',
    'terminal/pager.test.ts',
  ],
  commands: [
    'options',
    'watch',
    'history/check.test.ts',
    'history/export.test.ts',
    'report',
    'output/screens.test.ts',
    'output/views',
    'e2e/access.test.ts',
    'e2e/key.test.ts',
    'e2e/answers.test.ts',
    'e2e/paging.test.ts',
    'terminal/interrupt.test.ts',
  ],
  completion: ['cli'],
  config: ['e2e/key.test.ts', 'hostile'],
  credits: [
    'e2e/access.test.ts',
    'e2e/credits.test.ts',
    'e2e/twice.test.ts',
    'sandbox/command.test.ts',
  ],
  history: ['mornings', 'commands/history.test.ts', 'credits/day-spent.test.ts'],
  outcomes: ['commands/picks.test.ts', 'judges'],
  output: [
    'terminal',
    'options',
    'commands/picks.test.ts',
    'commands/today.test.ts',
    'commands/tune.test.ts',
    'commands/stats.test.ts',
    'commands/words.test.ts',
    'hostile/text.test.ts',
  ],
  runtime: ['e2e/shell.test.ts', 'history/files.test.ts', 'package/start.test.ts', 'terminal'],
  sandbox: ['e2e/demo.test.ts'],
  statistics: ['outcomes', 'judges'],
};

export interface MutationRequest {
  readonly room: string;
  /** How many mutations are tried. */
  readonly count: number;
  /** Chooses which. */
  readonly seed: number;
  /** Part of the paths of the sources that are mutated; empty for all of the room. */
  readonly file: string;
  /** Paths of test files and folders, relative to the repository. */
  readonly tests: readonly string[];
}

/** @param rooms folders of `src/` */
export function usage(rooms: readonly string[]): string {
  return `Usage: npm run mutate -- ROOM [options]

Changes one place of src/ROOM at a time, runs the room's tests, and lists the
changes that no test notices. The files here stay as they are.

Rooms: ${rooms.slice(0, 7).join(', ')},
       ${rooms.slice(7).join(', ')}

Options:
  --count N      changes to try (default: 36)
  --seed N       chooses which changes (default: 1)
  --file PART    only files with PART in their path
  --tests PLACE  a file or folder of test/, in place of the room's tests; may
                 be repeated`;
}

/** @returns `help` if that is asked for; the trouble, if the words are no request */
export function readRequest(
  words: readonly string[],
  rooms: readonly string[],
): MutationRequest | 'help' | { readonly trouble: string } {
  let typed: TypedWords;
  try {
    typed = parseWords(words);
  } catch (error) {
    return { trouble: (error as Error).message };
  }
  const { values, positionals } = typed;
  if (values.help) return 'help';
  const [room, ...others] = positionals;
  if (room === undefined || others.length > 0) return { trouble: 'Name one room.' };
  if (!rooms.includes(room)) return { trouble: `There is no room ${room}.` };
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < 1) return { trouble: '--count takes a whole number.' };
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) return { trouble: '--seed takes a whole number.' };
  const places = values.tests ?? testsOf(room);
  const tests = places.map((place) => path.join('test', place));
  // Without a place that is there, all tests would run.
  const missing = tests.find((place) => !existsSync(place));
  if (missing !== undefined) return { trouble: `There is no ${missing}.` };
  return { room, count, seed, file: values.file, tests };
}

/** @returns files and folders of `test/` */
export function testsOf(room: string): readonly string[] {
  return [room, ...(MORE_TESTS[room] ?? [])];
}

interface TypedWords {
  readonly positionals: readonly string[];
  readonly values: {
    readonly help: boolean;
    readonly count: string;
    readonly seed: string;
    readonly file: string;
    readonly tests?: readonly string[] | undefined;
  };
}

/** @throws TypeError that names an option which is none */
function parseWords(words: readonly string[]): TypedWords {
  return parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      count: { type: 'string', default: '36' },
      seed: { type: 'string', default: '1' },
      file: { type: 'string', default: '' },
      tests: { type: 'string', multiple: true },
    },
  });
}
