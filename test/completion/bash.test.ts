import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { CASES, expectCases, wordsOf } from './cases.ts';
import { quoted, runIn, SCRIPTS, typeInto, without } from './support.ts';

/** Calls the function as readline does: words broken at "=", the cursor at the end. One line of candidates a line. */
function script(lines: readonly string[]): string {
  const calls = lines.map((line) => {
    const words = line.split(/(?<!\\) |(=)/).filter((word) => word !== undefined);
    // After a "=" at the end the cursor stands at the sign itself.
    const typed = line.endsWith('=') ? words.slice(0, -1) : words;
    return `t ${typed.map(quoted).join(' ')}`;
  });
  return [
    `source ${quoted(SCRIPTS.bash)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash's.
    't() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _screener; (IFS="|"; echo "${COMPREPLY[*]}"); }',
    ...calls,
  ].join('\n');
}

describe.skipIf(without('bash', 'python3'))('bash', () => {
  it('offers what the others offer', ({ home }) => {
    const offered = runIn(home, ['bash', '-c', script(CASES.map(({ line }) => line))]);
    expect(offered).toHaveLength(CASES.length);
    expectCases((_, index) => wordsOf(offered[index]).map((text) => text.replaceAll('\\ ', ' ')));
  });

  it('breaks words as readline does, goes on after commas, and knows directories', ({ home }) => {
    const lines = [
      'screener signals ls --output=js',
      'screener --output=',
      'screener signals ls --fields id,cre',
      'screener signals ls --fields id,id',
      'screener signals export some',
      'screener signals ls --from=some',
      'screener signals ls --symbol b',
      'screener signals ls --type Open\\ In',
      'screener signals ls -- --',
      'screener nonsense ',
    ];
    expect(runIn(home, ['bash', '-c', script(lines)])).toEqual([
      'json',
      'table|json|ndjson|csv',
      'id,created_at',
      '',
      'some-signals',
      'some-signals',
      'BTCUSDT',
      'Open\\ Interest',
      '',
      '',
    ]);
  });

  it('survives `set -uo pipefail` and an IFS of its owner', ({ home }) => {
    const body = script(['screener signals ls --fields id,cre', 'screener stats --type p', 'screener ']);
    const [fields, types, commands] = runIn(home, ['bash', '-c', `set -uo pipefail; IFS=,\n${body}`]);
    expect([fields, types]).toEqual(['id,created_at', 'price_spike']);
    expect(commands).toMatch(/\|login\|logout\|/);
  });

  it('completes what is typed at a prompt', ({ home }) => {
    const lines = ['screener sig', 'screener signals ls --output=nd', 'screener signals ls --fields id,cre'];
    const more = ['screener signals export som', 'screener signals ls --symbol bt', 'screener stats --type O'];
    const setup = `PS1='> '; bind 'set enable-bracketed-paste off'; source ${quoted(SCRIPTS.bash)}`;
    const typed = typeInto(home, ['bash', '--norc', '--noprofile', '-i'], setup, [...lines, ...more]);
    expect(typed.map((text) => text.replace(/\x08/g, ''))).toEqual([
      'nals ',
      'json ',
      'ated_at',
      'e-signals/',
      expect.stringMatching(/BTCUSDT $/),
      expect.stringMatching(/pen\\ Interest $/),
    ]);
  });
});
