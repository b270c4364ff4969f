import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blockLengthsOf, type HorizonName } from '../../src/api/contract/horizons.ts';
import { columns, fieldsText, helpText } from '../../src/cli/help.ts';
import { screener } from '../../src/cli/screener.ts';
import { topicNames, topicText } from '../../src/cli/topics.ts';
import { commandOf, everyPath, wordsOf } from '../../src/commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/parts/global-options.ts';
import { EXIT } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { LEAST_CLUSTERS } from '../../src/statistics/clustered-median.ts';
import { version } from '../../src/version.ts';
import { testContext } from '../support/context.ts';

const COMMANDS = everyPath([screener]).map((steps) => ({
  path: wordsOf(steps),
  command: commandOf(steps),
  steps,
}));

const pathOf = (...words: string[]) =>
  COMMANDS.find(({ path }) => path === ['screener', ...words].join(' '))?.steps ?? [screener];

async function cli(...argv: string[]) {
  const context = testContext({ argv });
  const code = await main(context);
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

it('every format is told in the topic and in README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const topic = topicText('formats', screener) ?? '';
  const untold = FORMAT_NAMES.filter(
    (name) =>
      !new RegExp(`^  ${name} `, 'm').test(topic) || !new RegExp(`\`(--)?${name}\``).test(readme),
  );
  expect(untold, 'in src/cli/topics.ts or README.md').toEqual([]);
});

it('every format is named where the package is described', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const description: string = JSON.parse(text).description.toLowerCase();
  const unnamed = FORMAT_NAMES.filter((name) => !description.includes(name));
  expect(unnamed, 'in the description in package.json').toEqual([]);
});

it('the formats in which an error is a line of JSON are named: all but the one for people', () => {
  const topic = topicText('formats', screener)?.replaceAll('\n', ' ');
  expect(topic).toContain('In json, ndjson and csv an error is one line of JSON;');
});

it('what does not fit beside a word stands below what follows the word', () => {
  const text = helpText(pathOf('signals', 'export'));
  const [, more] = /^Cost: .+\n( *)\S/m.exec(text) ?? [];
  expect({ indent: more?.length }).toEqual({ indent: 'Cost: '.length });
});

it.each(['--version', 'signals ls --version'])('%s is a line with the version', async (line) => {
  expect(await cli(...line.split(' '))).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it("a command's other name leads to it", async () => {
  const named = COMMANDS.filter(({ command }) => command.alias !== undefined);
  for (const { steps, command } of named) {
    const words = steps.slice(1).map((step) => step.name);
    const error = await cli(...words, '--nonsense');
    expect(error).toMatchObject({ code: 2, stderr: expect.stringContaining('--nonsense') });
    expect(await cli(...words.slice(0, -1), String(command.alias), '--nonsense')).toEqual(error);
  }
  expect(named.map(({ command }) => command.alias)).toContain('list');
});

it('a group takes `help` for no command of its own', async () => {
  expect(await cli('signals', 'help')).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: Unknown command 'help'.\nhint: Did you mean `screener help`?\n",
  });
});

it('--help names a command that a group does not have, and leaves out an unknown option', async () => {
  const topics =
    'options, formats, environment, exit-codes, credits, figures, fields, cron, recipes, agents';
  expect(await cli('signals', 'nonsense', '--help')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "error: There is no command 'signals nonsense'.\n" +
      `hint: \`screener signals --help\` says what there is. Topics: ${topics}.\n`,
  });
  const help = await cli('signals', '--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(await cli('signals', '--nonsense', '--help')).toEqual(help);
});

it('a term of more than 34 letters has no say in where the others are explained', () => {
  const most = 'a'.repeat(34);
  const about = 'what it is, in more words than one line has room for';
  expect(columns([[most, about]])).toEqual([
    `  ${most}  what it is, in more words than one line\n${' '.repeat(38)}has room for`,
  ]);
  expect(
    columns([
      ['b', 'short'],
      [`${most}a`, about],
    ]),
  ).toEqual(['  b  short', `  ${most}a\n     ${about}`]);
  // Without a shorter term they stand two columns behind it.
  expect(columns([[`${most}a`, about]])).toEqual([`  ${most}a\n    ${about}`]);
});

it('each form of an output has all of its fields, those of an earlier form as a number', async () => {
  const path = pathOf('stats');
  const { variants = [] } = commandOf(path);
  const text = await fieldsText(path);
  const sections = text.split('Fields of ').slice(1);
  const told = sections.map((section) => {
    const names = section.match(/^ {2}(?!and \d)\S/gm)?.length ?? 0;
    const above = Number(/^ {2}and (\d+) of those above$/m.exec(section)?.[1] ?? 0);
    return names + above;
  });
  const forms = variants.flatMap(({ fields, rows }) =>
    rows === undefined ? [fields] : [fields, rows],
  );
  const counts = await Promise.all(forms.map(async (fields) => (await fields()).length));
  expect(told).toEqual(counts);
});

it('a form whose fields are all new says nothing of those above', async () => {
  const [first, second] = (await fieldsText(pathOf('stats'))).split('Fields of ').slice(1);
  expect({ first, second }).toEqual({
    first: expect.not.stringContaining('of those above'),
    second: expect.stringContaining('of those above'),
  });
});

it('a text that fits a terminal is printed whole', async () => {
  const context = testContext({ argv: ['help', 'formats'], width: 80 });
  expect({ code: await main(context), stdout: context.stdout.text }).toEqual({
    code: 0,
    stdout: topicText('formats', screener),
  });
});

describe('the help of every command', () => {
  it.each(COMMANDS)(
    '$path: one screen of 80 columns, the same by -h and help',
    async ({ path, command, steps }) => {
      const text = helpText(steps);
      const [first = ''] = text.split('\nUsage:');
      expect(first.replaceAll('\n', ' ')).toBe(`${command.description}.`);
      expect(text).toMatch(new RegExp(`^Usage: ${path}( |$)`, 'm'));
      expect(text).toMatch(/^Cost: .*(credit|free|see each)/m);
      expect(text).toMatch(
        /^(More: screener help .*options|Usage: .*--json .*screener help options)/m,
      );
      for (const { flags } of command.options ?? []) expect(text, flags).toContain(`${flags} `);
      for (const { name } of command.commands ?? []) expect(text, name).toContain(`\n  ${name}`);
      const lines = text.trimEnd().split('\n');
      // The list of commands, with a prompt below it, fits the smallest terminal.
      const most = path === 'screener' ? 23 : 40;
      const way = 'shorten an example or a description, or group commands, so that the help fits';
      expect({ path, tooMuch: lines.slice(most) }, way).toEqual({ path, tooMuch: [] });
      for (const line of lines) expect(line, line).toMatch(/^(.{0,79}\S)?$/);
      expect(text).not.toMatch(/\n{3}|undefined/);
      const words = path.split(' ').slice(1);
      for (const line of [words.concat('--help'), words.concat('-qh'), ['help'].concat(words)])
        expect(await cli(...line), line.join(' ')).toEqual({ code: 0, stdout: text, stderr: '' });
    },
  );

  it.each(COMMANDS)('$path: examples are command lines that parse', async ({ command }) => {
    expect(command.examples).not.toEqual([]);
    for (const [line] of command.examples) {
      for (const part of line.split(/\||<\(|\)|>/).map((words) => words.trim())) {
        if (!part.startsWith('screener ')) continue;
        // --help among the words: everything is parsed, nothing is done.
        const ran = await cli(...part.replace(/ <.*/, '').split(' ').slice(1), '--help');
        expect(ran, part).toMatchObject({ code: 0, stderr: '' });
        expect(ran.stdout, part).toMatch(/^(Usage: screener|\{"(command|name)":)/m);
      }
    }
  });

  it('a group without a command prints its help and is no error', async () => {
    for (const words of [[], ['signals'], ['signals', '-q']]) {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout, words.join(' ')).toMatch(
        words.includes('signals') ? /^Usage: screener signals <command>/m : /^Usage: screener </m,
      );
    }
  });
});

describe('topics', () => {
  it.each(topicNames)('%s: printed, within the columns of a terminal', async (name) => {
    const { code, stdout } = await cli('help', name);
    expect(code).toBe(0);
    if (name === 'agents')
      return expect(stdout.length, 'characters of the page').toBeLessThan(4096);
    // A command line is not broken.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  schtasks '));
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  const terms =
    'verdict,weak,outcome,due,since,settled,bought,card,vs BTC,below,pp,medians,history,trigger,missing,figure'.split(
      ',',
    );
  it.each(terms)('%s: the line of the glossary', async (term) => {
    const { code, stdout } = await cli('help', ...term.split(' '));
    const [line = ''] = stdout.split('\n');
    expect({ code, line }).toEqual({
      code: 0,
      line: expect.stringMatching(new RegExp(`^ {2}(above, )?${term} {2}`)),
    });
    expect(topicText('figures', screener)?.replace(/\s+/g, ' ')).toContain(
      line.replace(/\s+/g, ' '),
    );
  });

  it('verdict: the meaning of each word', async () => {
    const { stdout } = await cli('help', 'verdict');
    expect(
      stdout.match(/^ {2}(above, below|within 1 pp, small|unclear|too few days) {2,}\S/gm),
    ).toHaveLength(4);
  });

  it('of a watch says twice how often it looks: what that costs, and the default', async () => {
    const { stdout } = await cli('signals', 'watch', '--help');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Cost: 1 credit per look; by default a look every 30 minutes, or fewer if your history needs the credits',
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain('(default: 30m, or longer if credits are few)');
  });

  it('fields: those of every form of a command, each once', async () => {
    const { stdout } = await cli('help', 'fields', 'stats');
    expect(stdout).toMatch(
      /^Fields of screener stats$[\s\S]*^Fields of screener stats, --local or --from, with --by$/m,
    );
    expect(stdout).toContain('\n  horizons.24h.median_move_pct ');
    expect((await cli('help', 'fields', 'tune')).stdout).toMatch(
      /^Fields of screener tune, --csv\n[\s\S]* {2}verdict /m,
    );
    expect(stdout.match(/\n {2}bought_share /g)).toHaveLength(1);
    expect((await cli('help', 'fields')).stdout).toMatch(/signals ls,\s+signals show/);
  });

  it('agents: command lines that parse', async () => {
    for (const [, line = ''] of (topicText('agents', screener) ?? '').matchAll(
      /`screener ([^`]+)`/g,
    )) {
      if (/[A-Z]{3}/.test(line)) continue;
      expect(await cli(...line.split(' '), '--help'), line).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('name the global options, every variable of the design, and every exit code', () => {
    const texts = Object.fromEntries(
      topicNames.map((name) => [name, topicText(name, screener) ?? '']),
    );
    for (const { flags } of GLOBAL_OPTIONS) expect(texts.options, flags).toContain(`${flags} `);
    const variables = 'BASE_URL API_KEY OUTPUT HISTORY KEEP TZ CONFIG_DIR STATE_DIR PAGER'.split(
      ' ',
    );
    const others = 'NO_COLOR FORCE_COLOR CLICOLOR_FORCE COLUMNS PROXY'.split(' ');
    for (const name of [...variables.map((variable) => `SCREENER_${variable}`), ...others])
      expect(texts.environment, name).toContain(name);
    for (const code of Object.values(EXIT))
      expect(texts['exit-codes'], `exit code ${code}`).toMatch(new RegExp(`^ +${code} `, 'm'));
  });
});

describe('did you mean', () => {
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['signls'], /Unknown command 'signls'[\s\S]*Did you mean signals\?/],
    [['signals', 'stats'], /Did you mean `screener stats`\?/],
    [['export', '--json'], /"hint":"Did you mean `screener signals export`\?"/],
    [['signals', 'ls', '--symbl', 'X'], /Unknown option '--symbl'[\s\S]*Did you mean --symbol\?/],
    [['help', 'credit'], /no command or topic 'credit'\. Did you mean 'credits'\?[\s\S]*Topics:/],
    [['help', 'signals', 'lss'], /no command 'signals lss'\. Did you mean 'ls'\?/],
  ];
  it.each(cases)('%j', async (words, pattern) => {
    const { code, stdout, stderr } = await cli(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(pattern);
  });

  const long = 'x, y'.repeat(30_000);
  it.each<[string, ...string[]]>([
    ['--fields', 'x'.repeat(120_000), 'access'],
    ['help', long],
    ['signals', 'ls', `--${long}`],
    ['signals', 'ls', '--since', long],
    ['signals', 'show', long],
    ['stats', '--local', '--by', long],
  ])('a word of 120 KB is answered in few words (%#)', async (...words) => {
    const { code, stderr } = await cli(...words);
    expect(code, stderr.slice(0, 700)).toBe(2);
    expect(stderr).toMatch(/…|at most 10,000 characters/);
    expect(stderr.length, 'characters on standard error').toBeLessThan(700);
  });
});

it('help too few days names the days that each horizon needs', async () => {
  const { stdout } = await cli('help', 'too', 'few', 'days');
  const daysOf = (name: HorizonName) => LEAST_CLUSTERS * blockLengthsOf(name).ofFewDays;
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `fewer than ${daysOf('24h')} days with outcomes after 24 h, or ${daysOf('1h')} after 1 h`,
  );
});
