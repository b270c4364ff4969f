import { describe, expect } from 'vitest';
import { optionsOf } from '../../src/cli/command-line.ts';
import { GUESSED } from '../../src/cli/program.ts';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath } from '../../src/commands/parts/declaration.ts';
import { flagsOf } from '../../src/commands/parts/option.ts';
import { it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';

const GLOBAL = optionsOf(screener).map((option) => flagsOf(option).long);
const ALL = everyPath([screener])
  .flatMap((path) => optionsOf(commandOf(path)))
  .map((option) => flagsOf(option).long);

/** The option that each answer has to name. */
const EXPECTED = {
  '--dry-run': '--plan',
  '--out': '--output',
  '--format': '--output',
  '--silent': '--quiet',
  '--debug': '--verbose',
  '--no-input': '--yes',
};

describe('an option that people guess', () => {
  it('is none of any command, and its answer names one of every command', () => {
    for (const [guess, sentence] of Object.entries(GUESSED)) {
      expect(ALL, guess).not.toContain(guess);
      const named = sentence.match(/--[a-z]+/g) ?? [];
      expect(GLOBAL, `${guess}: ${sentence}`).toEqual(expect.arrayContaining(named));
      expect(named, guess).not.toEqual([]);
    }
  });

  for (const [guess, option] of Object.entries(EXPECTED)) {
    it.for([
      ['signals', 'ls', guess],
      ['signals', 'ls', `${guess}=json`],
      [guess, 'today'],
      ['login', guess],
    ])(`${guess} is answered with ${option}: screener %s`, async (words, { here, server }) => {
      const { code, stdout, stderr } = await here(words);
      expect({ code, stdout, stderr, requests: server.requests }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`hint: ${GUESSED[guess]}\n`),
        requests: [],
      });
      expect(GUESSED[guess], `what ${guess} is answered with`).toContain(option);
    });
  }
});

it('--out of a command with a place as its argument is answered with that argument', async ({
  here,
}) => {
  const hintOf = async (words: string) => (await here(words.split(' '))).stderr.split('\n')[1];
  expect({
    report: await hintOf('report --out r.html'),
    export: await hintOf('signals export --out ./h'),
    from: await hintOf('signals export --from ./h'),
    dir: await hintOf('signals export --dir ./h'),
  }).toEqual({
    report: 'hint: It is an argument: `screener report <file>`.',
    export: 'hint: It is an argument: `screener signals export [dir]`.',
    from: 'hint: It is an argument: `screener signals export [dir]`.',
    dir: 'hint: It is an argument: `screener signals export [dir]`.',
  });
});

it('commands that people guess, and a folder without --from, are answered', async ({ here }) => {
  const hintOf = async (words: string) => (await here(words.split(' '))).stderr.split('\n')[1];
  expect({
    status: await hintOf('status'),
    config: await hintOf('config'),
    uninstall: await hintOf('uninstall'),
    folder: await hintOf('today rehearsal'),
  }).toEqual({
    status: expect.stringContaining('`screener access`'),
    config: expect.stringContaining('`screener login`'),
    uninstall: expect.stringContaining('`screener help environment`'),
    folder: 'hint: If that is a folder with a history, it follows --from: `--from DIR`.',
  });
});

it('--local beside --from reads the named history', async ({ here, server, home }) => {
  server.holds(samples.cards(2));
  const folder = `${home.folder}/rehearsal`;
  await here(['signals', 'export', folder, '--no-outcomes', '--quiet']);
  const both = await here(['signals', 'ls', '--local', '--from', folder, '--json']);
  const named = await here(['signals', 'ls', '--from', folder, '--json']);
  expect(both).toEqual(named);
  expect(JSON.parse(both.stdout).items).toHaveLength(2);
});

it('--format of a command that writes files is told that they have one', async ({ here }) => {
  const hintOf = async (words: string) => (await here(words.split(' '))).stderr.split('\n')[1];
  const hint = 'hint: What it writes has one format. --output json prints what was done.';
  expect({
    report: await hintOf('report --format html r.html'),
    export: await hintOf('signals export --format csv'),
  }).toEqual({ report: hint, export: hint });
});

it.for([
  ['signals', '--type', 'pump', 'ls'],
  ['--type', 'pump', 'signals', 'ls'],
])(
  'an option before the command that takes it is told where to stand: %s',
  async (words, { here, server }) => {
    const { code, stderr } = await here(words);
    expect({ code, stderr, requests: server.requests }).toEqual({
      code: 2,
      stderr: "error: Unknown option '--type'.\nhint: Put --type behind the command's name.\n",
      requests: [],
    });
  },
);

it.for([
  { words: 'stats --local --by symbol --sort-key N', isKey: false },
  { words: 'signals ls --symbol-key=N', isKey: false },
  { words: 'signals ls --api-key N', isKey: true },
  { words: 'today --screener-token=N', isKey: true },
  { words: 'access --monkey', isKey: false },
  { words: 'access --tokens=N', isKey: true },
  { words: 'access --auth=N', isKey: true },
  { words: 'access --accesskey N', isKey: true },
  { words: 'access --apikey=N', isKey: true },
])('$words is taken for a key: $isKey', async ({ words, isKey }, { here, server }) => {
  const { code, stderr } = await here(words.split(' '));
  expect({
    code,
    isKey: stderr.includes('A key is never an option'),
    isUnknown: stderr.startsWith("error: Unknown option '--"),
    requests: server.requests,
  }).toEqual({ code: 2, isKey, isUnknown: !isKey, requests: [] });
});

it('names an unknown option without the value that is joined to it', async ({ here }) => {
  const { code, stderr } = await here(['access', '--pass=SECRET']);
  expect({ code, error: stderr.split('\n')[0] }).toEqual({
    code: 2,
    error: "error: Unknown option '--pass'.",
  });
});

it.for([['constructor'], ['toString'], ['signals', 'constructor'], ['--constructor']])(
  'a word that objects have, too, is an unknown one: %s',
  async (words, { here }) => {
    const { code, stderr } = await here(words);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^error: Unknown (command|option) .*\nhint: .*--help` lists/),
    });
  },
);
