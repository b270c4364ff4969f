import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { CASES, expectCases, wordsOf } from './cases.ts';
import { quoted, runIn, SCRIPTS, without } from './support.ts';

/** Candidates of each line, by fish's own `complete -C`; descriptions left out. */
function script(lines: readonly string[]): string[] {
  const calls = lines.map(
    (line) => `echo (complete -C ${quoted(line)} | string replace -r '\\t.*' '' | string join '|')`,
  );
  return ['fish', '--no-config', '-c', [`source ${quoted(SCRIPTS.fish)}`, ...calls].join('\n')];
}

describe.skipIf(without('fish', 'python3'))('fish', () => {
  it('offers what the others offer', ({ home }) => {
    const offered = runIn(home, script(CASES.map(({ line }) => line)));
    expect(offered).toHaveLength(CASES.length);
    expectCases((_, index) => wordsOf(offered[index]));
  });

  it('keeps the order of what was seen, goes on after commas, and knows directories', ({ home }) => {
    const lines = [
      'screener signals ls --output=js',
      'screener signals ls --fields id,cre',
      'screener signals ls --fields=id,cre',
      'screener signals ls --symbol ',
      'screener signals export some',
      'screener signals ls --from=some',
      'screener nonsense ',
    ];
    expect(runIn(home, script(lines))).toEqual([
      '--output=json',
      'id,created_at',
      '--fields=id,created_at',
      'BTCUSDT|ETHUSDT|1000PEPEUSDT',
      'some-signals/',
      '--from=some-signals/',
      '',
    ]);
  });
});
