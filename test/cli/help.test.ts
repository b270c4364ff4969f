import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, everyPath, wordsOf } from '../../src/commands/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/global-options.ts';
import { main } from '../../src/main.ts';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { testContext } from '../support/context.ts';

const COMMANDS = everyPath([screener]).map((path) => ({ path: wordsOf(path), command: commandOf(path), steps: path }));

async function cli(...argv: string[]) {
  const context = testContext({ argv });
  const code = await main(context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

it('every declaration is a command of the program', () => {
  const declared = readdirSync(new URL('../../src/commands/declarations', import.meta.url));
  const missing = declared.filter(
    (file) => !COMMANDS.some(({ path }) => file === `${path.split(' ').slice(1).join('-')}.ts`),
  );
  expect(missing, 'in no list of commands: src/cli/screener.ts or their group').toEqual([]);
});

it('every format is told in the topic and in README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const topic = topicText('formats', screener) ?? '';
  const untold = FORMAT_NAMES.filter(
    (name) => !new RegExp(`^  ${name} `, 'm').test(topic) || !readme.includes(`| \`${name}\``),
  );
  expect(untold, 'in src/cli/topics.ts or README.md').toEqual([]);
});

describe('the help of every command', () => {
  for (const { path, command, steps } of COMMANDS) {
    it(`${path}: purpose, usage, cost, own options, where the rest is, on one screen`, async () => {
      const text = helpText(steps);
      const [first = ''] = text.split('\n\n');
      expect(first.replaceAll('\n', ' ')).toBe(`${command.description}.`);
      expect(text).toMatch(new RegExp(`^Usage: ${path}( |$)`, 'm'));
      expect(text).toMatch(/^Cost: .*(credit|free|see each)/m);
      expect(text).toMatch(/^More: screener help/m);
      for (const { flags } of command.options ?? []) expect(text).toContain(`${flags} `);
      for (const { name } of command.commands ?? []) expect(text).toContain(`\n  ${name}`);
      if (command.alias !== undefined) expect(text).toContain(`(also: ${command.alias})`);
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    });

    it(`${path}: examples are command lines that parse`, async () => {
      const { examples, cost } = command;
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(cost).toBeTruthy();
      for (const [line] of examples) {
        for (const part of line.split(/\||<\(|\)|>/).map((words) => words.trim())) {
          if (!part.startsWith('screener ')) continue;
          const words = part.replace(/ <.*/, '').split(' ').slice(1);
          // --help among the words: everything is parsed, nothing is done.
          const ran = await cli(...words, '--help');
          expect(ran, part).toMatchObject({ code: 0, stderr: '' });
          expect(ran.stdout).toMatch(/^(Usage: screener|\{"(command|name)":)/m);
        }
      }
    });

    it(`${path}: fits 80 columns, no blank ends, ends with one line break`, async () => {
      const text = helpText(steps);
      for (const line of text.split('\n')) {
        expect(line.length, line).toBeLessThanOrEqual(80);
        expect(line).toBe(line.trimEnd());
      }
      expect(text).toMatch(/[^\n]\n$/);
      expect(text).not.toMatch(/\n{3}|undefined/);
    });

    it(`${path}: the same by --help, -h and help, on stdout, with exit code 0`, async () => {
      const words = path.split(' ').slice(1);
      const wanted = { code: 0, stdout: helpText(steps), stderr: '' };
      expect(await cli(...words, '--help')).toEqual(wanted);
      expect(await cli(...words, '-h')).toEqual(wanted);
      expect(await cli('help', ...words)).toEqual(wanted);
    });
  }

  it('a group without a command prints its help and is no error', async () => {
    for (const words of [[], ['signals'], ['signals', '-q']]) {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(words.includes('signals') ? /^Usage: screener signals <command>/m : /^Usage: screener </m);
    }
  });

  it('says the cost that is charged', () => {
    const cost = (path: string) => COMMANDS.find((one) => one.path === path)?.command.cost;
    expect(cost('screener access')).toMatch(/^free/);
    expect(cost('screener snapshot')).toMatch(/^1 credit/);
    expect(cost('screener screeners')).toMatch(/^1 credit/);
    expect(cost('screener signals ls')).toMatch(/^1 credit per page of up to 25 cards/);
    expect(cost('screener signals show')).toMatch(/^1 credit per card/);
    expect(cost('screener stats')).toMatch(/^5 credits/);
  });
});

describe('topics', () => {
  for (const name of topicNames) {
    it(`${name}: printed, within the columns of a terminal`, async () => {
      const { code, stdout } = await cli('help', name);
      expect(code).toBe(0);
      if (name === 'agents') return expect(stdout.length).toBeLessThan(4096);
      // A command line is not broken.
      const lines = stdout.split('\n').filter((line) => !line.startsWith('  schtasks '));
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    });
  }

  it('fields: those of every form of a command, each once', async () => {
    const { stdout } = await cli('help', 'fields', 'stats');
    expect(stdout).toMatch(
      /^Fields of screener stats$[\s\S]*^Fields of screener stats with --local or --from, with --by$/m,
    );
    expect(stdout).toContain('\n  horizons.24h.median_move_pct ');
    expect(stdout.match(/\n {2}bought_share /g)).toHaveLength(1);
    const { stdout: list } = await cli('help', 'fields');
    expect(list).toMatch(/signals ls,\s+signals show/);
  });

  it('options: the global ones', async () => {
    const { stdout } = await cli('help', 'options');
    for (const { flags } of GLOBAL_OPTIONS) expect(stdout).toContain(`${flags} `);
  });

  it('agents: command lines that parse', async () => {
    for (const [, line = ''] of (topicText('agents', screener) ?? '').matchAll(/`screener ([^`]+)`/g)) {
      if (/[A-Z]{3}/.test(line)) continue;
      expect(await cli(...line.split(' '), '--help'), line).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('name every variable of the design', () => {
    const variables = 'SCREENER_BASE_URL SCREENER_API_KEY SCREENER_OUTPUT SCREENER_CONFIG_DIR SCREENER_STATE_DIR';
    for (const name of `${variables} NO_COLOR FORCE_COLOR COLUMNS PROXY`.split(' ')) {
      expect(topicText('environment', screener)).toContain(name);
    }
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130]) {
      expect(topicText('exit-codes', screener)).toMatch(new RegExp(`^ +${code} `, 'm'));
    }
  });
});

describe('did you mean', () => {
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['signls'], /Unknown command 'signls'[\s\S]*Did you mean:\s+screener signals$/m],
    [['signals', 'sho', '1'], /Unknown command 'sho'[\s\S]*Did you mean:\s+screener signals show 1$/m],
    [['ls', '--since', '1d'], /^ *screener signals ls --since 1d$/m],
    [['--demo', 'show', '5'], /^ *screener --demo signals show 5$/m],
    [['signals', '5'], /^ *screener signals show 5$/m],
    [['signals', 'stats'], /^ *screener stats$/m],
    [['credits'], /^ *screener access$/m],
    [['status', '--json'], /"hint":"Did you mean:\\nscreener access --json"/],
    [['signal', 'ls', '--type', 'a b'], /^ *screener signals ls --type 'a b'$/m],
    [['signals', 'ls', '--symbl', 'X'], /Unknown option '--symbl'[\s\S]*Did you mean --symbol\?/],
    [['--jsn', 'access'], /Unknown option '--jsn'[\s\S]*Did you mean --json\?/],
    [['help', 'credit'], /no command or topic 'credit'\. Did you mean 'credits'\?[\s\S]*Topics:/],
    [['help', 'signals', 'lss'], /no command 'signals lss'\. Did you mean 'ls'\?/],
    [['help', 'stats', 'x'], /no command 'stats x'\.[\s\S]*`screener stats` has no commands/],
    [['access', '--fields', 'nothing'], /no field 'nothing' here\.\s+hint: The nearest: /],
    [['access', '--fields', 'credit'], /no field 'credit' here\. Did you mean 'credits'\?[\s\S]*Also near: /],
  ];
  for (const [words, pattern] of cases) {
    it(words.join(' '), async () => {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(pattern);
    });
  }

  const long = 'x, y'.repeat(30_000);
  it.each<[string, ...string[]]>([
    ['--fields', 'x'.repeat(120_000), 'access'],
    [`--fields=plan,${'x'.repeat(120_000)}`, 'access'],
    ['help', long],
    ['signals', long],
    ['signals', 'ls', `--${long}`],
    ['signals', 'ls', '--limit', long],
    ['signals', 'ls', '--since', long],
    ['signals', 'show', long],
    ['stats', '--local', '--where', long],
    ['stats', '--local', '--by', long],
  ])('a word of 120 KB is answered in few words (%#)', async (...words) => {
    const { code, stderr } = await cli(...words);
    expect(code, stderr.slice(0, 700)).toBe(2);
    expect(stderr).toMatch(/…|at most 10,000 characters/);
    expect(stderr.length).toBeLessThan(700);
  });
});
