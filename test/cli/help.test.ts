import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { runCli } from '../../src/cli/program.ts';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, everyPath, wordsOf } from '../../src/commands/declaration.ts';
import { main } from '../../src/main.ts';
import { testContext } from '../support/context.ts';

const COMMANDS = everyPath([screener]).map((path) => ({ path: wordsOf(path), command: commandOf(path), steps: path }));

/** The command surface as the design fixes it. */
const SURFACE: Readonly<Record<string, readonly string[]>> = {
  screener: [
    '--output',
    '--json',
    '--ndjson',
    '--csv',
    '--fields',
    '--base-url',
    '--demo',
    '--max-credits',
    '--plan',
    '--max-wait',
    '--timeout',
    '--no-color',
    '--quiet',
    '--verbose',
    '--version',
    '--help',
    '-o',
    '-q',
    '-v',
    '-V',
    '-h',
  ],
  'screener today': ['--refresh', '--local', '--from'],
  'screener login': [],
  'screener logout': [],
  'screener access': [],
  'screener snapshot': [],
  'screener screeners': ['--local', '--from'],
  'screener signals': [],
  'screener signals ls': [
    '--since',
    '--until',
    '--symbol',
    '--type',
    '--cursor',
    '-n',
    '--limit',
    '--all',
    '--outcomes',
    '--from',
  ],
  'screener signals show': ['--local', '--from', '--fresh'],
  'screener signals export': ['--since', '--no-outcomes'],
  'screener tune': ['--local', '--from', '--since', '--until', '--symbol', '--where', '--key', '--horizon'],
  'screener report': ['--from', '--since', '--until', '--type', '--symbol', '--open'],
  'screener signals watch': ['--every'],
  'screener stats': [
    '--type',
    '--local',
    '--from',
    '--since',
    '--until',
    '--symbol',
    '--by',
    '--sort',
    '--min-sample',
    '--detail',
  ],
  'screener sandbox': ['--port', '--cards', '--seed', '--per-minute', '--fault', '--shell'],
  'screener completion': [],
  'screener help': [],
};

async function cli(...argv: string[]) {
  const context = testContext({ argv });
  const code = await main(context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

describe('the help of every command', () => {
  it('is there for exactly the commands of the design', () => {
    expect(COMMANDS.map(({ path }) => path).sort()).toEqual(Object.keys(SURFACE).sort());
  });

  for (const { path, command, steps } of COMMANDS) {
    it(`${path}: purpose, usage, cost, examples, output, exit codes, global options`, async () => {
      const text = await helpText(steps);
      const [first = ''] = text.split('\n\n');
      expect(first.replaceAll('\n', ' ')).toBe(`${command.description}.`);
      expect(text).toMatch(new RegExp(`^Usage: ${path}( |$)`, 'm'));
      expect(text).toMatch(/^Cost: .*(credit|see each)/m);
      expect(text).toMatch(/^Output fields:\n {2}\S/m);
      expect(text).toMatch(/^Exit codes:\n {2}0 +done/m);
      expect(text).toMatch(/^Global options, before or after the command:/m);
      expect(text).toMatch(/^More: screener help/m);
      for (const option of [...(SURFACE[path] ?? []), ...(SURFACE.screener ?? [])]) {
        expect(text, option).toMatch(new RegExp(`^ .*${option}[ ,\\n]`, 'm'));
      }
      for (const { name } of (await command.ways?.[0]?.fields?.()) ?? []) expect(text).toContain(`\n  ${name}`);
      if (command.alias !== undefined) expect(text).toContain(command.alias);
      for (const sub of command.commands ?? []) expect(text).toContain(`\n  ${sub.name}`);
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
          expect(ran.stdout).toMatch(/^Usage: screener/m);
        }
      }
    });

    it(`${path}: fits 80 columns, no blank ends, ends with one line break`, async () => {
      const text = await helpText(steps);
      for (const line of text.split('\n')) {
        expect(line.length, line).toBeLessThanOrEqual(80);
        expect(line).toBe(line.trimEnd());
      }
      expect(text).toMatch(/[^\n]\n$/);
      expect(text).not.toMatch(/\n{3}|undefined/);
    });

    it(`${path}: the same by --help, -h and help, on stdout, with exit code 0`, async () => {
      const words = path.split(' ').slice(1);
      const wanted = { code: 0, stdout: await helpText(steps), stderr: '' };
      expect(await cli(...words, '--help')).toEqual(wanted);
      expect(await cli(...words, '-h')).toEqual(wanted);
      expect(await cli('help', ...words)).toEqual(wanted);
    });
  }

  it('a group without a command prints its help and is no error', async () => {
    for (const words of [[], ['signals'], ['--json'], ['signals', '-q']]) {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(words.includes('signals') ? /^Usage: screener signals <command>/m : /^Usage: screener </m);
    }
  });

  it('says the cost that is charged', () => {
    const cost = (path: string) => COMMANDS.find((one) => one.path === path)?.command.cost;
    expect(cost('screener access')).toMatch(/^0 credits/);
    expect(cost('screener snapshot')).toMatch(/^1 credit/);
    expect(cost('screener screeners')).toMatch(/^1 credit/);
    expect(cost('screener signals ls')).toMatch(/^1 credit per page of up to 25 cards/);
    expect(cost('screener signals show')).toMatch(/^1 credit per card/);
    expect(cost('screener stats')).toMatch(/^5 credits/);
  });
});

describe('topics', () => {
  it('are formats, environment, exit codes, credits and figures', () => {
    expect(topicNames).toEqual(['formats', 'environment', 'exit-codes', 'credits', 'figures']);
  });

  for (const name of topicNames) {
    it(`${name}: printed whole, within 80 columns`, async () => {
      const { code, stdout } = await cli('help', name);
      expect([code, stdout]).toEqual([0, topicText(name, screener)]);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    });
  }

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
    [['access', '--fields', 'credit'], /no field "credit"[\s\S]*Did you mean "credits"\?/],
  ];
  for (const [words, pattern] of cases) {
    it(words.join(' '), async () => {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(pattern);
    });
  }

  it('throws nothing but typed errors', async () => {
    await expect(runCli(testContext({ argv: ['nonsense'] }))).rejects.toMatchObject({
      name: 'ScreenerError',
      exitCode: 2,
    });
  });
});
