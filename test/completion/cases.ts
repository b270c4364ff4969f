import { expect } from 'vitest';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { SEEN } from './support.ts';

/**
 * What a TAB after a line offers, the same in every shell: `all` is complete, `some` is among it, `none` is not.
 */
interface Case {
  readonly line: string;
  readonly all?: readonly string[];
  readonly some?: readonly string[];
  readonly none?: readonly string[];
}

const SIGNALS = ['ls', 'list', 'show', 'export', 'watch'];

export const CASES: readonly Case[] = [
  { line: 'screener sig', all: ['signals'] },
  { line: 'screener ', some: ['login', 'access', 'signals', 'stats', 'sandbox', 'completion', 'help'], none: ['ls'] },
  { line: 'screener signals ', all: SIGNALS },
  { line: 'screener --json --fields id signals ', all: SIGNALS },
  { line: 'screener signals ls --s', some: ['--since', '--symbol'], none: ['--cursor'] },
  { line: 'screener signals list --outc', all: ['--outcomes'] },
  { line: 'screener signals show --s', all: [] },
  { line: 'screener stats --max-', all: ['--max-credits', '--max-wait'] },
  { line: 'screener stats --ndj', all: ['--ndjson'] },
  { line: 'screener signals ls --output ', all: FORMAT_NAMES },
  { line: 'screener -o ', all: FORMAT_NAMES },
  { line: 'screener stats --by ', all: ['type', 'symbol', 'month', 'settings'] },
  { line: 'screener signals ls --since y', all: ['yesterday'] },
  { line: 'screener completion ', all: ['bash', 'zsh', 'fish', 'powershell'] },
  { line: 'screener help ', some: ['formats', 'environment', 'exit-codes', 'credits', 'signals', 'stats'] },
  { line: 'screener help signals ', all: SIGNALS },
  { line: 'screener help --js', all: ['--json'] },
  { line: 'screener signals ls -n ', all: [] },
  { line: 'screener signals show ', all: [] },
  { line: 'screener access ', all: [] },
  { line: 'screener signals ls --symbol ', all: SEEN.symbol },
  { line: 'screener stats --type ', all: SEEN.type },
  { line: 'screener signals export --focus pump --al', all: ['--all-credits'] },
  { line: 'screener signals ls --outcomes --since y', all: ['yesterday'] },
  { line: 'screener signals ls --from x --since t', all: ['today'] },
  { line: 'screener report pa', all: ['page.html'] },
];

/** Holds what a shell offered after each line against the cases; the order is that of the shell. */
export function expectCases(offered: (wanted: Case, index: number) => readonly string[]): void {
  CASES.forEach((wanted, index) => {
    const { line, all, some = [], none = [] } = wanted;
    const found = offered(wanted, index);
    if (all !== undefined) expect([...found].sort(), line).toEqual([...all].sort());
    expect(found, line).toEqual(expect.arrayContaining([...some]));
    for (const name of none) expect(found, line).not.toContain(name);
  });
}

/** The words of one printed line. */
export function wordsOf(line = ''): string[] {
  return line.split('|').filter((text) => text !== '');
}
