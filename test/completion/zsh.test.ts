import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { CASES, expectCases } from './cases.ts';
import { quoted, SCRIPTS, typeInto, without } from './support.ts';

const SHELL = ['zsh', '-f', '-i'];

/** `source`d after compinit, as `source <(screener completion zsh)` does. */
const SETUP = [
  "PS1='> '; LISTMAX=10000",
  'autoload -Uz compinit; compinit -u -D',
  // Candidates alone, one a line, in the order offered, and nothing inserted.
  "zstyle ':completion:*' verbose no; zstyle ':completion:*' list-separator ''",
  `source ${quoted(SCRIPTS.zsh)}`,
].join('; ');

/** The words of the list that zsh draws below the prompt, or the one word that it inserted. */
function offered(line: string, text: string): string[] {
  const typed = line.slice(line.lastIndexOf(' ') + 1);
  if (!text.includes('\r\n')) {
    const inserted = `${typed}${text.replace(/[\x07\x08]/g, '')}`.trim();
    return text.replace(/[\x07\x08]/g, '') === '' ? [] : [inserted.replace(/=$/, '')];
  }
  const [, ...lines] = text.split('\r\n');
  const list = lines.join('\n').split('\r')[0] ?? '';
  return list
    .replace(/\\ /g, '\u0000')
    .split(/\s+/)
    .map((word) => word.replaceAll('\u0000', ' '))
    .filter((word) => word !== '');
}

describe.skipIf(without('zsh', 'python3'))('zsh', () => {
  it('offers what the others offer', ({ home }) => {
    const typed = typeInto(
      home,
      SHELL,
      SETUP,
      CASES.map(({ line }) => line),
    );
    expectCases(({ line }, index) => offered(line, typed[index] ?? ''));
  });

  it('completes what is typed at a prompt', ({ home }) => {
    const lines = ['screener --json signals ls --fields id,cre', 'screener signals ls --output=nd'];
    const more = ['screener signals export som', 'screener signals ls --symbol bt', 'screener stats --type O'];
    const typed = typeInto(home, SHELL, SETUP, [...lines, ...more]);
    expect(typed.map((text) => text.replace(/[\x07\x08]/g, ''))).toEqual([
      expect.stringMatching(/^ated_at,?$/),
      'json ',
      'e-signals/',
      expect.stringMatching(/BTCUSDT $/),
      expect.stringMatching(/pen\\ Interest $/),
    ]);
  });

  it('is found in fpath as _screener', ({ home }) => {
    const folder = SCRIPTS.zsh.replace(/\/[^/]+$/, '');
    const setup = `PS1='> '; fpath=(${quoted(folder)} $fpath); autoload -Uz compinit; compinit -u -D`;
    const typed = typeInto(home, SHELL, setup, ['screener sig', 'screener signals wat']);
    expect(typed.map((text) => text.replace(/[\x07\x08]/g, ''))).toEqual(['nals ', 'ch ']);
  });
});
