import { appendFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { safeParse } from 'valibot';
import { beforeAll, describe, expect } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { commandDocument } from '../../src/cli/help-json.ts';
import { typedSchema } from '../../src/cli/schemas.ts';
import { screener } from '../../src/cli/screener.ts';
import {
  commandOf,
  commandWords,
  everyPath,
  isAction,
  type OutputClass,
  whenInWords,
  wordsOf,
} from '../../src/commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/parts/global-options.ts';
import { type OptionDeclaration, schemaFor } from '../../src/commands/parts/option.ts';
import { UTC } from '../../src/runtime/zone.ts';
import { TestClock } from '../support/context.ts';
import { demoFolder } from '../support/demo.ts';
import { it } from '../support/fixtures.ts';
import { KEY } from '../support/server.ts';
import { typeFinding } from '../support/standing.ts';

interface Output {
  readonly with?: string;
  readonly json: object | null;
  readonly ndjson: object | null;
}

interface Entry {
  readonly argument?: { readonly name: string; readonly variadic: boolean };
  readonly options: readonly { option: string; schema?: object }[];
  readonly outputs: readonly Output[];
  readonly $defs: object;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

const COMMANDS = everyPath([screener]).filter((path) => isAction(commandOf(path)));
const entries = new Map<string, Entry>();
const clock = new TestClock();
const demo = demoFolder(clock.now());
// Without news `today --changes` has no item.
beforeAll(() => {
  const line = { ...typeFinding, at: formatApiTime(clock.now()), type: 'volume_burst' };
  appendFileSync(path.join(demo(), 'findings.ndjson'), `${JSON.stringify(line)}\n`);
});
beforeAll(async () => {
  for (const path of COMMANDS) {
    const command = commandWords(path);
    const document: Entry = JSON.parse(JSON.stringify(await commandDocument(path)));
    entries.set(command, document);
    addOutputs(command, document);
  }
});

const entry = (command: string): Entry => {
  const entry = entries.get(command);
  if (entry === undefined) throw new Error(`no ${command}`);
  return entry;
};

/** What is wrong with a value, in ajv's words. */
function faults(schema: object = {}, value: unknown): string {
  return ajv.validate(schema, value) ? '' : ajv.errorsText();
}

/** A schema that takes no field which it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, closed(part)]);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isOpen ? { additionalProperties: false } : {}) };
}

/**
 * Gives ajv the schemas of a command's outputs, by which it compiles each once. They take no field that they do not name:
 * but for resources of the API, which may have fields that the document does not show; the receipt of a login holds one.
 */
function addOutputs(command: string, { outputs, $defs = {} }: Entry): void {
  const closedDefs = Object.entries($defs).map(([name, schema]) => [
    name,
    name.startsWith('Item') ? closed(schema) : schema,
  ]);
  const schemas =
    command === 'login'
      ? { outputs, $defs }
      : { outputs: closed(outputs), $defs: Object.fromEntries(closedDefs) };
  ajv.addSchema(schemas, nameOf(command));
}

/** A command in the names that ajv has for schemas. */
const nameOf = (command: string): string => command.replaceAll(' ', '-');

/** What is wrong with a command's output as --json, where these words ask for it; its items are lines of --ndjson. */
function outputFaults(
  command: string,
  asked: string | undefined,
  value: { readonly items?: readonly unknown[] },
) {
  const { outputs } = entry(command);
  const index = outputs.findIndex((output) => output.with === asked);
  if (outputs[index]?.json == null) return 'there is no schema';
  const faultsIn = (format: 'json' | 'ndjson', each: unknown) => {
    const isValid = ajv.getSchema(`${nameOf(command)}#/outputs/${index}/${format}`);
    if (isValid === undefined) return `there is no schema for ${format}`;
    return isValid(each) ? '' : ajv.errorsText(isValid.errors);
  };
  const [line = value] = value.items ?? (Array.isArray(value) ? value : []);
  return faultsIn('json', value) || faultsIn('ndjson', line);
}

describe('help for programs', () => {
  it('is a map of all commands in 8 KB, compact in a pipe', async ({ here }) => {
    for (const line of ['help --json', '--help --json', '--json help']) {
      const { code, stdout, stderr } = await here(line.split(' '));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.length, `bytes of ${line}`).toBeLessThanOrEqual(8192);
      const map = JSON.parse(stdout);
      expect(stdout, line).toBe(`${JSON.stringify(map)}\n`);
      expect(
        map.commands.map(({ command }: { command: string }) => command),
        line,
      ).toEqual(COMMANDS.map(wordsOf));
      for (const { command, credits } of map.commands)
        expect(credits, command).toMatch(/credit|free/);
    }
  });

  it('says all of one command in 40 KB, the same by --help and help', async ({ here }) => {
    for (const [command, document] of entries) {
      const asked = await here(['help', ...command.split(' '), '--json']);
      expect(JSON.parse(asked.stdout), command).toEqual(document);
      expect((await here([...command.split(' '), '--help', '--json'])).stdout, command).toBe(
        asked.stdout,
      );
      expect(asked.stdout.length, command).toBeLessThanOrEqual(40 * 1024);
    }
  });

  type Class = OutputClass | 'special';
  /** Every output of every command: its class, what asks for it, and a command line that prints it (null: no end). */
  const OUTPUTS: readonly {
    readonly command: string;
    readonly asked?: string;
    readonly of: Class;
    readonly line: string | null;
  }[] = [
    { command: 'today', of: 'document', line: '' },
    { command: 'today', asked: '--refresh', of: 'document', line: '--refresh --max-credits 9' },
    { command: 'today', asked: '--changes', of: 'list', line: '--changes' },
    { command: 'today', asked: '--refresh with --plan', of: 'special', line: '--refresh --plan' },
    { command: 'stats', of: 'document', line: '' },
    { command: 'stats', asked: '--by', of: 'list', line: '--by type' },
    { command: 'stats', asked: '--local or --from', of: 'document', line: '--local' },
    {
      command: 'stats',
      asked: '--local or --from, with --by',
      of: 'list',
      line: '--local --by type',
    },
    {
      command: 'stats',
      asked: '--local or --from, with --picked',
      of: 'list',
      line: `--local --picked ${devNull}`,
    },
    { command: 'tune', of: 'document', line: '' },
    { command: 'screeners', of: 'list', line: '' },
    { command: 'screeners', asked: '--local or --from', of: 'list', line: '--local' },
    { command: 'signals ls', of: 'list', line: '-n 30' },
    { command: 'signals ls', asked: '--outcomes', of: 'list', line: '-n 2 --outcomes --until 2d' },
    { command: 'signals ls', asked: '--local or --from', of: 'list', line: '--local -n 50' },
    { command: 'signals show', of: 'one or several', line: 'ID' },
    {
      command: 'signals show',
      asked: '--local or --from',
      of: 'one or several',
      line: 'ID ID --local',
    },
    { command: 'signals export', of: 'receipt', line: '--max-credits 9' },
    { command: 'signals export', asked: '--check', of: 'receipt', line: '--check' },
    { command: 'signals export', asked: '--plan', of: 'special', line: '--plan' },
    { command: 'signals watch', of: 'lines', line: null },
    { command: 'report', of: 'receipt', line: '' },
    { command: 'snapshot', of: 'document', line: '' },
    { command: 'access', of: 'document', line: '' },
    {
      command: 'access',
      asked: 'while the service is refusing requests',
      of: 'special',
      line: null,
    },
    { command: 'login', of: 'receipt', line: '' },
    { command: 'logout', of: 'receipt', line: '' },
    { command: 'sandbox', of: 'variables', line: null },
    { command: 'completion', of: 'text', line: null },
    { command: 'help', of: 'text or object', line: null },
  ];

  it('has every output, each of one class', () => {
    const declared = COMMANDS.flatMap((path) => {
      const command = commandOf(path);
      const { variants = [], specialOutputs = [], text } = command;
      const name = commandWords(path);
      return [
        ...(variants.length === 0 ? [{ command: name, asked: undefined, of: text }] : []),
        ...variants.map((variant) => {
          return { command: name, asked: whenInWords(variant, command), of: variant.shape };
        }),
        ...specialOutputs.map(({ options }) => ({ command: name, asked: options, of: 'special' })),
      ];
    });
    expect(declared).toEqual(OUTPUTS.map(({ command, asked, of }) => ({ command, asked, of })));
  });

  it('names the argument of each command that takes one, and of no other', () => {
    const taking = COMMANDS.filter((path) => commandOf(path).argument !== undefined);
    const named = [...entries].filter(([, { argument }]) => argument !== undefined);
    expect(named.map(([command]) => command)).toEqual(taking.map(commandWords));
    expect(entry('signals show').argument).toMatchObject({ name: 'id', variadic: true });
  });

  it('names what --plan prints, whichever command makes the plan', async ({ here }) => {
    const withoutPlan = COMMANDS.filter((path) => {
      const hasVariants = commandOf(path).variants !== undefined;
      const { outputs } = entry(commandWords(path));
      return hasVariants && outputs.every((output) => output.with !== '--plan');
    });
    expect(withoutPlan.map(commandWords)).toEqual([]);
    const { stdout } = await here(['--demo', 'signals', 'watch', '--plan', '--ndjson']);
    expect(outputFaults('signals watch', '--plan', JSON.parse(stdout))).toBe('');
  });

  const printed = OUTPUTS.filter(({ line }) => line !== null);
  it.for(printed)(
    'every answer is what it says: $command $asked',
    async ({ command, asked, of, line }, { here, home, server }) => {
      // The demo has no login.
      const isOwn = /^(log|today|tune|report)|--local|--check/.test(`${command} ${asked}`);
      const whose =
        isOwn && !line?.includes('--refresh') ? ['--base-url', server.baseUrl] : ['--demo'];
      const settings = { stdin: KEY, clock, env: { SCREENER_HISTORY: demo() } };
      const ask = (...words: string[]) =>
        here([...whose, ...command.split(' '), ...words], settings);
      const args = (line ?? '').split(' ').filter((word) => word !== '');
      const ids = args.filter((word) => word === 'ID').length;
      if (ids > 0) {
        const listed = await here(
          [...whose, 'signals', 'ls', ...args.slice(ids), '-n', String(ids), '--json'],
          settings,
        );
        args.splice(
          0,
          ids,
          ...JSON.parse(listed.stdout).items.map(({ id }: { id: number }) => String(id)),
        );
      }
      if (command === 'report') args.push(path.join(home.folder, 'page.html'));
      const ran = await ask(...args, '--json');
      expect(ran.code, ran.stderr).toBe(0);
      expect(outputFaults(command, asked, JSON.parse(ran.stdout))).toBe('');
      if (of === 'special' || args.includes('--refresh')) return;
      const [columns = ''] = (await ask(...args, '--csv')).stdout.split('\r\n');
      // --fields leaves the plan whole, so that --plan can be added to any line.
      const planColumns = async (...more: string[]) => {
        const planned = await ask(...args, '--csv', '--plan', ...more);
        return { code: planned.code, columns: planned.stdout.split('\r\n')[0] };
      };
      expect(await planColumns('--fields', columns)).toEqual(await planColumns());
    },
  );

  it('says of every option what is taken, and no more', () => {
    const texts = [
      '',
      '0',
      '1',
      '26',
      '70000',
      '-1',
      '1.5',
      'x',
      '90s',
      '1h30m',
      '5y',
      '2w',
      'today',
      '2026-11-01',
    ]
      .concat([
        '2026-13-01T00:00Z',
        '2026-11-01T00:00:00Z',
        '2026-11-01T00:00',
        'btcusdt',
        'BTC/USDT',
      ])
      .concat(['type', 'json', ',', 'x'.repeat(221)]);
    const options = everyPath([screener]).flatMap((path) => commandOf(path).options ?? []);
    const globals: readonly OptionDeclaration[] = GLOBAL_OPTIONS;
    for (const option of [...globals, ...options]) {
      const { schema } = option;
      // No pattern says how long a duration must be; an address and a fault are checked where they are used.
      if (schema === undefined || /^--(timeout|every|base-url|fault) /.test(option.flags)) continue;
      const declared = typedSchema(option);
      for (const text of texts) {
        const value = declared?.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
        const { success } = safeParse(
          schemaFor(schema, { now: Date.UTC(2026, 10, 20), env: {}, zone: UTC }),
          text,
        );
        expect(success, `${option.flags} '${text}'`).toBe(faults(declared, value) === '');
      }
    }
  });
});
