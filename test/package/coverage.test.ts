/** Whoever adds a command is told here what it still lacks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../faults/cases.ts';
import { everyCommandLine } from '../readme/tree.ts';
import { ROOT } from './bundle.ts';

/** Commands without a row in the matrix of faults: why, or the file that holds what a failing service does to them. */
const NO_ROW: Readonly<Record<string, string>> = {
  'screener logout': 'sends nothing',
  'screener sandbox': 'sends nothing',
  'screener completion': 'sends nothing',
  'screener help': 'sends nothing',
  'screener report': 'sends nothing',
  'screener today': 'sends nothing but a free /access, and does without it',
  'screener signals export': 'test/history/stops.test.ts',
  'screener signals watch': 'test/watch/watch.test.ts',
};

const tests = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(ROOT, 'test', file), 'utf8'))
  // Those in which the built program runs as a process of its own.
  .filter((text) => /\b(screener|runScreener|startScreener|onTerminal|runShell)\(/.test(text))
  .join('\n');

describe('every command', () => {
  it('runs as a process in some test', () => {
    const lacking = everyCommandLine().filter((line) => {
      const words = line.split(' ').slice(1);
      const asList = words.map((word) => `'${word}'`).join(', ');
      return (
        !tests.includes(`[${asList}`) && !tests.includes(`(${asList}`) && !tests.includes(`screener ${words.join(' ')}`)
      );
    });
    expect(lacking).toEqual([]);
  });

  it('has a row in the matrix of faults, or a reason to have none', () => {
    const rows = SCENARIOS.map(({ args }) => `screener ${args.join(' ')} `);
    const lacking = everyCommandLine().filter(
      (line) => !rows.some((row) => row.startsWith(`${line} `)) && NO_ROW[line] === undefined,
    );
    expect(lacking).toEqual([]);
  });

  it('is excused by a file that exists', () => {
    const files = Object.values(NO_ROW).filter((reason) => reason.startsWith('test/'));
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});
