/** What a TAB offers, and what of an unfinished command line is read: by itself, without a shell. */
import { describe, expect } from 'vitest';
import { formatAsked, readCommandLine } from '../../src/cli/command-line.ts';
import { screener as root } from '../../src/cli/screener.ts';
import { commandWords } from '../../src/commands/parts/declaration.ts';
import { flagsOf } from '../../src/commands/parts/option.ts';
import { saveSeen } from '../../src/completion/seen.ts';
import { it } from '../support/fixtures.ts';

describe('a TAB', () => {
  it.for([
    { line: ['sig'], words: ['signals'] },
    { line: ['signals', 'l'], words: ['ls', 'list'] },
    { line: ['signals', 'ls', '--outp'], words: ['--output'] },
    { line: ['signals', 'ls', '--output', 'nd'], words: ['ndjson'] },
    { line: ['signals', 'ls', '--output=nd'], words: ['--output=ndjson'] },
    { line: ['signals', 'ls', '--nothing='], words: [] },
    { line: ['signals', 'ls', '-n', ''], words: [] },
    { line: ['signals', 'ls', '--symbol', 'bt'], words: ['BTCUSDT'] },
    { line: ['signals', 'ls', '--type', 'Op'], words: ['Open Interest'] },
    { line: ['signals', 'ls', '--type', 'op'], words: [] },
    { line: ['signals', 'ls', '--from='], words: [':directory'] },
    { line: ['signals', 'export', ''], words: [':directory'] },
    { line: ['report', ''], words: [':file'] },
    { line: ['signals', 'ls', '--fields', 'id,created'], words: [':nospace', 'id,created_at'] },
    { line: ['signals', 'ls', '--fields', 'id,id'], words: [':nospace'] },
    { line: ['help', 'exit'], words: ['exit-codes'] },
    { line: ['help', 'cred'], words: ['credits'] },
    { line: ['access', ''], words: [] },
    { line: ['nonsense', ''], words: [] },
    { line: ['signals', 'nonsense', ''], words: [] },
    { line: ['signals', 'show', '1', ''], words: [] },
    { line: ['signals', 'ls', '--', '--s'], words: [] },
  ])('after "$line" offers $words', async ({ line, words }, { here, home, server }) => {
    await saveSeen(home.state, { symbol: ['BTCUSDT', 'ETHUSDT'], type: ['Open Interest', 'pump'] });
    const { code, stdout } = await here(['complete', ...line]);
    const offered = stdout.split('\n').slice(0, -1);
    expect({ code, words: offered.map((text) => text.split('\t')[0]) }).toEqual({ code: 0, words });
    expect(server.requests).toEqual([]);
  });

  it('takes the typed word from --last=, too, and says what each word is', async ({ here }) => {
    const usual = await here(['complete', 'signals', 'ls', '--limi']);
    const first = await here(['complete', '--last=--limi', 'signals', 'ls']);
    expect(first.stdout).toBe(usual.stdout);
    expect(usual.stdout).toMatch(/^--limit\t\S.*\n$/);
    const topic = await here(['complete', 'help', 'exit']);
    expect(topic.stdout).toBe('exit-codes\tTopic\n');
  });
});

it('offers the fields of --sort behind a minus, too', async ({ here }) => {
  const { stdout } = await here(['complete', 'signals', 'ls', '--sort', '-outcome.move_1']);
  expect(stdout).toMatch(/^-outcome\.move_1h_pct\t\S.*\n$/);
});

describe('what an option refuses is not offered', () => {
  it.for([
    { option: 'a minus, which --fields refuses', line: ['--fields', '-created'] },
    { option: 'a minus within --fields', line: ['--fields', 'id,-created'] },
    { option: 'a second field, which --sort refuses', line: ['--sort', 'id,created'] },
  ])('$option', async ({ line }, { here }) => {
    const { stdout } = await here(['complete', 'signals', 'ls', ...line]);
    expect(stdout).not.toContain('created');
  });
});

describe('a command line', () => {
  const read = (...words: string[]) => {
    const { path, typedValues, unknownWords, hasEndOfOptions, ...withoutValue } = readCommandLine(
      root,
      words,
    );
    const { optionWithoutValue, optionBeforeOption } = withoutValue;
    return {
      command: commandWords(path),
      optionWithoutValue: optionWithoutValue && flagsOf(optionWithoutValue).long,
      optionBeforeOption: optionBeforeOption && flagsOf(optionBeforeOption).long,
      typedValues: Object.fromEntries(typedValues),
      unknownWords,
      hasEndOfOptions,
    };
  };
  const list = {
    command: 'signals ls',
    optionWithoutValue: undefined,
    optionBeforeOption: undefined,
    typedValues: {},
    unknownWords: [],
    hasEndOfOptions: false,
  };

  it('has options before and after its command, joined to their values or not', () => {
    expect(read('--json', 'signals', '-q', 'ls', '--type=a=b', '-n7')).toEqual({
      ...list,
      typedValues: { '--json': '--json', '--quiet': '--quiet', '--type': 'a=b', '--limit': '7' },
    });
    expect(read('signals', 'ls', '-n', '5')).toEqual({ ...list, typedValues: { '--limit': '5' } });
    // An option of the command is none before it.
    expect(read('signals', '--limit', '5', 'ls')).toMatchObject({ command: 'signals' });
    expect(read('signals', 'ls', '-qv')).toEqual({
      ...list,
      typedValues: { '--quiet': '--quiet', '--verbose': '--verbose' },
    });
  });

  it('waits for a value, which may look like a command or begin with a minus', () => {
    expect(read('signals', 'ls', '--type')).toEqual({ ...list, optionWithoutValue: '--type' });
    expect(read('signals', 'ls', '--type', 'export')).toEqual({
      ...list,
      typedValues: { '--type': 'export' },
    });
    expect(read('signals', 'ls', '--sort', '-id', '--type=', '--symbol=--json')).toEqual({
      ...list,
      typedValues: { '--sort': '-id', '--type': '', '--symbol': '--json' },
    });
    expect(read('signals', 'ls', '--type', '--json')).toEqual({
      ...list,
      optionBeforeOption: '--type',
      typedValues: { '--json': '--json' },
    });
  });

  it('ends its options at --, and names what is no command', () => {
    expect(read('signals', 'ls', '--', '--json')).toEqual({
      ...list,
      unknownWords: ['--json'],
      hasEndOfOptions: true,
    });
    expect(read('signals', 'list', '--what')).toEqual({ ...list, unknownWords: ['--what'] });
    // What follows a word that is no command is none either.
    expect(read('nonsense', 'signals')).toMatchObject({
      command: '',
      unknownWords: ['nonsense', 'signals'],
    });
    expect(read('--nonsense', 'signals')).toMatchObject({
      command: 'signals',
      unknownWords: ['--nonsense'],
    });
  });

  it('asks for the format that it names last, else for the usual one', () => {
    const formatOf = (words: readonly string[], usual?: string) =>
      formatAsked(readCommandLine(root, words), usual);
    expect({
      none: formatOf(['access']),
      usual: formatOf(['access'], 'csv'),
      noFormat: formatOf(['access'], 'xml'),
      json: formatOf(['access', '--json'], 'csv'),
      last: formatOf(['access', '--json', '--output', 'ndjson']),
      again: formatOf(['access', '--output', 'table', '--json', '--output', 'csv']),
      unknown: formatOf(['access', '--json', '--output', 'xml']),
    }).toEqual({
      none: 'table',
      usual: 'csv',
      noFormat: 'table',
      json: 'json',
      last: 'ndjson',
      again: 'csv',
      unknown: 'json',
    });
  });
});
