import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { safeParse } from 'valibot';
import { beforeAll, describe, expect } from 'vitest';
import { commandDocument } from '../../src/cli/help-json.ts';
import { typedSchema } from '../../src/cli/schemas.ts';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/parts/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/parts/global-options.ts';
import { type OptionDeclaration, schemaFor } from '../../src/commands/parts/option.ts';
import { UTC } from '../../src/runtime/zone.ts';
import { it } from '../support/fixtures.ts';

interface Output {
  readonly with?: string;
  readonly json: object | null;
  readonly ndjson: object | null;
}

interface Entry {
  readonly options: readonly { option: string; schema?: object }[];
  readonly outputs: readonly Output[];
  readonly $defs: object;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

const COMMANDS = everyPath([screener]).filter((path) => isAction(commandOf(path)));
const entries = new Map<string, Entry>();
beforeAll(async () => {
  for (const path of COMMANDS) {
    const [, ...words] = path.map(({ name }) => name);
    entries.set(words.join(' '), JSON.parse(JSON.stringify(await commandDocument(path))));
  }
});

const entry = (command: string): Entry => {
  const found = entries.get(command);
  if (found === undefined) throw new Error(`no ${command}`);
  return found;
};

/** What is wrong with a value, in ajv's words. */
function faults(schema: object = {}, value: unknown, $defs: object = {}): string {
  return ajv.validate({ ...schema, $defs }, value) ? '' : ajv.errorsText();
}

/** The same of a command's output, where these words ask for it. */
function outputFaults(command: string, asked: string | undefined, format: 'json' | 'ndjson', value: unknown): string {
  const { outputs, $defs } = entry(command);
  const index = outputs.findIndex((output) => output.with === asked);
  if (outputs[index]?.[format] == null) return 'there is no schema';
  return faults({ $ref: `#/outputs/${index}/${format}`, outputs }, value, $defs);
}

describe('help for programs', () => {
  it('is a map of all commands in 8 KB, compact in a pipe', async ({ here }) => {
    for (const words of [
      ['help', '--json'],
      ['--help', '--json'],
      ['--json', 'help'],
    ]) {
      const { code, stdout, stderr } = await here(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.length).toBeLessThanOrEqual(8192);
      const map = JSON.parse(stdout);
      expect(stdout).toBe(`${JSON.stringify(map)}\n`);
      expect(map.commands.map(({ command }: { command: string }) => command)).toEqual(COMMANDS.map(wordsOf));
      for (const { command, credits } of map.commands) expect(credits, command).toMatch(/credit|free/);
    }
  });

  it('says all of one command in 40 KB, the same by --help and help', async ({ here }) => {
    for (const [command, document] of entries) {
      const asked = await here(['help', ...command.split(' '), '--json']);
      expect(JSON.parse(asked.stdout), command).toEqual(document);
      expect((await here([...command.split(' '), '--help', '--json'])).stdout).toBe(asked.stdout);
      expect(asked.stdout.length, command).toBeLessThanOrEqual(40 * 1024);
    }
  });

  const answers: readonly [command: string, asked: string | undefined, ...string[]][] = [
    ['access', undefined],
    ['snapshot', undefined],
    ['screeners', undefined],
    ['screeners', '--local or --from', '--local'],
    ['signals ls', undefined, '-n', '30'],
    ['signals ls', '--outcomes', '-n', '2', '--outcomes', '--until', '2d'],
    ['signals ls', '--local or --from', '--local', '-n', '50'],
    ['stats', undefined],
    ['stats', '--plan', '--plan'],
    ['stats', '--by', '--by', 'type'],
    ['stats', '--local or --from', '--local'],
    ['stats', '--local or --from, with --by', '--local', '--by', 'type'],
    ['today', undefined],
    ['tune', undefined],
    ['symbols', undefined],
    ['signals export', undefined],
    ['signals export', '--plan', '--plan'],
  ];
  for (const [command, asked, ...options] of answers) {
    it(`every answer of the sandbox is what it says: ${[command, ...options].join(' ')}`, async ({ here }) => {
      for (const format of ['json', 'ndjson'] as const) {
        const ran = await here(['--demo', ...command.split(' '), ...options, `--${format}`]);
        expect(ran.code, ran.stderr).toBe(0);
        const [first = ''] = format === 'json' ? [ran.stdout] : ran.stdout.split('\n');
        expect(outputFaults(command, asked, format, JSON.parse(first))).toBe('');
      }
    });
  }

  it('one card, several', async ({ here }) => {
    const listed = await here(['--demo', 'signals', 'ls', '-n', '2', '--json']);
    const [first, second] = JSON.parse(listed.stdout).items.map(({ id }: { id: number }) => String(id));
    for (const ids of [[first], [first, second]]) {
      const shown = await here(['--demo', 'signals', 'show', ...ids, '--json']);
      expect(outputFaults('signals show', undefined, 'json', JSON.parse(shown.stdout))).toBe('');
    }
  });

  it('says of every option what is taken, and no more', () => {
    const texts = ['', '0', '1', '26', '70000', '-1', '1.5', 'x', '90s', '1h30m', '5y', '2w', 'today', '2026-11-01']
      .concat(['2026-13-01T00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T00:00', 'btcusdt', 'BTC/USDT'])
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
        const { success } = safeParse(schemaFor(schema, { now: Date.UTC(2026, 10, 20), env: {}, zone: UTC }), text);
        expect(success, `${option.flags} '${text}'`).toBe(faults(declared, value) === '');
      }
    }
  });
});
