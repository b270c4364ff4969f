import { describe, expect } from 'vitest';
import { optionsOf } from '../../src/cli/command-line.ts';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/parts/declaration.ts';
import { flagsOf } from '../../src/commands/parts/option.ts';
import { it } from '../support/fixtures.ts';

/** Every command but `help`, which reads no option with a value, and its options that take one. */
const WITH_VALUES = everyPath([screener])
  .filter((path) => isAction(commandOf(path)) && commandOf(path).name !== 'help')
  .flatMap((path) => {
    const [, ...words] = wordsOf(path).split(' ');
    const options = optionsOf(commandOf(path)).map((option) => flagsOf(option));
    return options
      .filter(({ placeholder }) => placeholder !== undefined)
      .map(({ long, placeholder }) => ({ words, long, placeholder }));
  });

describe('an option without its value', () => {
  it('is wrong usage at every command: at the end, before another option, and before --', async ({
    here,
    server,
  }) => {
    const answers: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { words, long, placeholder } of WITH_VALUES) {
      const lines = [
        [...words, long],
        [...words, long, '--quiet'],
        [...words, long, '-q'],
        [...words, long, '--output=table'],
        [...words, long, '--'],
        ['--local', ...words, long],
      ];
      for (const line of lines) {
        const { code, stdout, stderr } = await here(line);
        answers[line.join(' ')] = { code, stdout, message: stderr.split('\n')[0] };
        expected[line.join(' ')] = {
          code: 2,
          stdout: '',
          message: `error: The option ${long} <${placeholder}> needs a value.`,
        };
      }
    }
    expect(answers).toEqual(expected);
    expect(server.requests).toEqual([]);
  });

  it.for([
    { line: 'stats --local --type', option: '--type <type>' },
    { line: 'signals ls --local -n 1 --type', option: '--type <type>' },
    { line: 'signals ls --local --sort', option: '--sort <field>' },
    { line: 'signals ls --local --symbol', option: '--symbol <symbol>' },
    { line: 'stats --type --local', option: '--type <type>' },
    { line: 'stats --local --from --json', option: '--from <dir>' },
    { line: '--demo stats --type --demo', option: '--type <type>' },
    { line: '--max-credits --demo stats', option: '--max-credits <n>' },
    { line: 'stats --type --by type', option: '--type <type>' },
  ])('`$line` takes no option for the value', async ({ line, option }, { here, server }) => {
    const { code, stdout, stderr } = await here([...line.split(' ')]);
    const isJson = stderr.startsWith('{');
    const message = isJson ? JSON.parse(stderr).error.message : stderr.split('\n')[0];
    expect({ code, stdout, message, requests: server.requests }).toEqual({
      code: 2,
      stdout: '',
      message: `${isJson ? '' : 'error: '}The option ${option} needs a value.`,
      requests: [],
    });
  });

  it('is no longer without it if the value is joined to it, whatever that looks like', async ({
    here,
  }) => {
    const { code, stderr } = await here(['signals', 'ls', '--symbol=--local']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("letters and digits, not '--local'"),
    });
  });
});

it('--local stands before or after the name of the command', async ({ here }) => {
  const codeAndError = async (line: string) => {
    const { code, stderr } = await here(line.split(' '));
    return { code, error: stderr.split('\n')[0] };
  };
  const before = await codeAndError('--local stats --type pump');
  expect(before.error).toMatch(/^error: There is no history/);
  expect({
    after: await codeAndError('stats --local --type pump'),
    atTheEnd: await codeAndError('stats --type pump --local'),
  }).toEqual({ after: before, atTheEnd: before });
});
