import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { it } from '../support/fixtures.ts';
import { without } from '../support/programs.ts';
import { quoted, runIn, SCRIPTS, SEEN, SHELLS, typeIntoZsh } from './support.ts';

/** What a TAB after a line offers, the same in every shell: `all` is complete, `some` is among it. */
interface Case {
  readonly line: string;
  readonly all?: readonly string[];
  readonly some?: readonly string[];
}

const SIGNALS = ['ls', 'list', 'show', 'export', 'watch'];

const CASES: readonly Case[] = [
  { line: 'screener sig', all: ['signals'] },
  {
    line: 'screener ',
    some: ['login', 'access', 'signals', 'stats', 'sandbox', 'completion', 'help'],
  },
  { line: 'screener --json --fields id signals ', all: SIGNALS },
  { line: 'screener signals ls --s', some: ['--since', '--symbol'] },
  { line: 'screener signals show --s', all: [] },
  { line: 'screener -o ', all: FORMAT_NAMES },
  { line: 'screener signals ls -n ', all: [] },
  { line: 'screener signals ls --symbol ', all: SEEN.symbol },
  { line: 'screener stats --type ', all: SEEN.type },
  { line: 'screener signals ls --from x --since y', all: ['yesterday'] },
  { line: 'screener report pa', all: ['page.html'] },
];

/** Answers that a shell shows as it shows those above: the program alone is asked. */
const CASES_OF_PROGRAM: readonly Case[] = [
  { line: 'screener signals list --outc', all: ['--outcomes'] },
  { line: 'screener stats --max-', all: ['--max-credits', '--max-wait'] },
  { line: 'screener stats --by ', all: ['type', 'symbol', 'settings'] },
  { line: 'screener completion ', all: SHELLS },
  {
    line: 'screener help ',
    some: ['formats', 'environment', 'exit-codes', 'credits', 'signals', 'stats'],
  },
  { line: 'screener access ', all: [] },
  { line: 'screener signals export --focus pump --al', all: ['--all-credits'] },
];

/** Holds what was offered after a line against its case, whatever the order. */
function expectCase({ line, all, some = [] }: Case, found: readonly string[]): void {
  if (all !== undefined) expect([...found].sort(), line).toEqual([...all].sort());
  expect(found, line).toEqual(expect.arrayContaining([...some]));
}

/** Holds what a shell offered after each line against the cases. */
function expectCases(offered: (wanted: Case, index: number) => readonly string[]): void {
  for (const [index, wanted] of CASES.entries()) expectCase(wanted, offered(wanted, index));
}

const LINES = CASES.map(({ line }) => line);
const wordsOf = (line = '') => line.split('|').filter((text) => text !== '');

it.for(CASES_OF_PROGRAM)('the program offers its words after `$line`', async (wanted, { here }) => {
  const [, ...words] = wanted.line.split(' ');
  const { code, stdout } = await here(['complete', ...words]);
  expect(code).toBe(0);
  const offered = stdout.split('\n').map((text) => text.split('\t')[0] ?? '');
  const isWord = (word: string) => word !== '' && !word.startsWith(':');
  expectCase(wanted, offered.filter(isWord));
});

for (const shell of SHELLS) {
  it(`completion ${shell} prints what stands in completions/`, async ({ here }) => {
    const text = readFileSync(SCRIPTS[shell], 'utf8');
    expect(await here(['completion', shell])).toMatchObject({
      code: 0,
      stdout: text,
      stderr: '',
    });
  });
}

describe.skipIf(without('bash', 'python3'))('bash', () => {
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

  it('offers what the others offer, also with `set -uo pipefail` and an IFS of its owner', ({
    home,
  }) => {
    const offered = runIn(home, ['bash', '-c', `set -uo pipefail; IFS=,\n${script(LINES)}`]);
    expectCases((_, index) => wordsOf(offered[index]).map((text) => text.replaceAll('\\ ', ' ')));
  });

  it('breaks words as readline does, goes on after commas, and knows directories', ({ home }) => {
    const expected = {
      'screener signals ls --output=js': 'json',
      'screener --output=': 'table|json|ndjson|csv',
      'screener signals ls --fields id,cre': 'id,created_at',
      'screener signals ls --fields id,id': '',
      'screener signals ls --from=some': 'some-signals',
      'screener signals ls --symbol b': 'BTCUSDT',
      'screener signals ls --type Open\\ In': 'Open\\ Interest',
      'screener signals ls -- --': '',
      'screener nonsense ': '',
    };
    expect(runIn(home, ['bash', '-c', script(Object.keys(expected))])).toEqual(
      Object.values(expected),
    );
  });
});

describe.skipIf(without('zsh', 'python3'))('zsh', () => {
  // To read completions for the commands of other systems took half of compinit's second.
  const FPATH =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is zsh's.
    'fpath=(${fpath:#*/(AIX|BSD|Cygwin|Darwin|Debian|Linux|Mandriva|Redhat|Solaris|X|openSUSE|vendor-completions)})';
  const START = `LISTMAX=10000; ${FPATH}; autoload -Uz compinit; compinit -u -D`;
  // Candidates alone, in the order offered.
  const ALONE = "zstyle ':completion:*' verbose no; zstyle ':completion:*' list-separator ''";
  /** After compinit, as `source <(screener completion zsh)` does. */
  const SETUP = [START, ALONE, `source ${quoted(SCRIPTS.zsh)}`].join('; ');

  const TYPED = {
    'screener --json signals ls --fields id,cre':
      'screener --json signals ls --fields id,created_at',
    'screener signals ls --output=nd': 'screener signals ls --output=ndjson ',
    'screener signals export som': 'screener signals export some-signals/',
    'screener signals ls --symbol bt': 'screener signals ls --symbol BTCUSDT ',
    'screener stats --type O': 'screener stats --type Open\\ Interest ',
  };
  type Typed = Awaited<ReturnType<typeof typeIntoZsh>>;

  /** Holds the lines as they stand after a TAB against TYPED. */
  function expectTyped(typed: Typed): void {
    expect(typed.map(({ line }) => line)).toEqual(Object.values(TYPED));
  }

  // In one zsh: compinit takes longer than all that is typed.
  it('offers what the others offer, and completes what is typed at a prompt', async ({ home }) => {
    const typed = await typeIntoZsh(home, SETUP, [...LINES, ...Object.keys(TYPED)]);
    expectCases((wanted, index) => {
      const { list, line = '' } = typed[index] ?? {};
      const inserted = line === wanted.line ? '' : line.trim().split(' ').at(-1);
      const words = list ?? inserted ?? '';
      return (words.match(/(\\ |\S)+/g) ?? []).map((word) => word.replaceAll('\\ ', ' '));
    });
    expectTyped(typed.slice(LINES.length));
  });

  it('completes what is typed, found in fpath as _screener, too', async ({ home }) => {
    const fpath = `fpath=(${quoted(SCRIPTS.zsh.replace(/\/[^/]+$/, ''))} $fpath)`;
    expectTyped(await typeIntoZsh(home, `${fpath}; ${START}`, Object.keys(TYPED)));
  });
});

describe.skipIf(without('fish', 'python3'))('fish', () => {
  /** Candidates of each line, by fish's own `complete -C`; descriptions left out. */
  function script(lines: readonly string[]): string[] {
    const calls = lines.map(
      (line) =>
        `echo (complete -C ${quoted(line)} | string replace -r '\\t.*' '' | string join '|')`,
    );
    return ['fish', '--no-config', '-c', [`source ${quoted(SCRIPTS.fish)}`, ...calls].join('\n')];
  }

  it('offers what the others offer, in their order', ({ home }) => {
    const offered = runIn(home, script(LINES));
    expectCases((_, index) => wordsOf(offered[index]));
    const expected = {
      'screener signals ls --output=js': '--output=json',
      'screener signals ls --fields=id,cre': '--fields=id,created_at',
      'screener signals ls --symbol ': 'BTCUSDT|ETHUSDT|1000PEPEUSDT',
      'screener signals ls --from=some': '--from=some-signals/',
      'screener nonsense ': '',
    };
    expect(runIn(home, script(Object.keys(expected)))).toEqual(Object.values(expected));
  });
});

describe('PowerShell', () => {
  it('hands on no empty word, and says the last one first', async ({ here }) => {
    const complete = async (...words: string[]) => (await here(['complete', ...words])).stdout;
    const words = ['signals', 'ls', '--output'];
    expect(await complete('--last=', ...words)).toBe(await complete(...words, ''));
    expect(await complete('--last=js', ...words)).toMatch(/^json\t/);
  });

  it.skipIf(spawnSync('pwsh', ['--version']).error !== undefined)(
    'offers what the others offer',
    ({ home }) => {
      const calls = LINES.map((line) => {
        const asked = `(TabExpansion2 ${quoted(line)} ${line.length}).CompletionMatches`;
        return `Write-Output (@(${asked} | ForEach-Object { $_.ListItemText }) -join '|')`;
      });
      const source = `. ${quoted(SCRIPTS.powershell)}\n${calls.join('\n')}`;
      const offered = runIn(home, ['pwsh', '-NoProfile', '-Command', source]);
      // If nothing is offered PowerShell offers files.
      expectCases((one, index) => (one.all?.length === 0 ? [] : (offered[index] ?? '').split('|')));
    },
  );
});
