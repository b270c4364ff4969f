import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { safeParse } from 'valibot';
import { beforeAll, describe, expect } from 'vitest';
import { typedSchema } from '../../src/cli/schemas.ts';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, everyPath, isAction, wordsOf } from '../../src/commands/declaration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/global-options.ts';
import { type OptionDeclaration, schemaFor } from '../../src/commands/option.ts';
import { UTC } from '../../src/runtime/zone.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import { failure, KEY } from '../support/server.ts';

interface Form {
  readonly options: string;
  readonly json: object;
  readonly ndjson: object;
}

interface Entry {
  readonly command: string;
  readonly cost: string;
  readonly options: readonly { long: string; values: string[] | null }[];
  readonly exit_codes: readonly number[];
  readonly output: { json: object | null; ndjson: object | null; other_forms?: Form[] };
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
formats.default(ajv);

let catalogue: { commands: Entry[]; plan: object; error: object };
beforeAll(async () => {
  const ran = await runScreener(['help', '--json']);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  catalogue = JSON.parse(ran.stdout);
});

const entry = (command: string): Entry => {
  const found = catalogue.commands.find((one) => one.command === `screener ${command}`);
  if (found === undefined) throw new Error(`no ${command}`);
  return found;
};

/** What is wrong with a value, in ajv's words. */
function faults(schema: object | null | undefined, value: unknown): string {
  if (schema == null) return 'there is no schema';
  return ajv.validate(schema, value) ? '' : ajv.errorsText();
}

describe('help --json', () => {
  it('names every command that does something, with cost and exit codes', () => {
    const commands = everyPath([screener]).filter((path) => isAction(commandOf(path)));
    expect(catalogue.commands.map(({ command }) => command)).toEqual(commands.map(wordsOf));
    for (const { command, cost, exit_codes } of catalogue.commands) {
      expect(cost, command).toMatch(/credit/);
      expect(exit_codes, command).toContain(0);
    }
    expect(entry('stats').options.find(({ long }) => long === '--by')?.values).toContain('symbol');
  });

  const answers: readonly [string, ...string[]][] = [
    ['access'],
    ['snapshot'],
    ['screeners'],
    ['signals ls', '-n', '30'],
    ['signals ls', '-n', '2', '--outcomes'],
    ['signals ls', '--local', '-n', '50'],
    ['stats'],
    ['today'],
    ['signals export'],
  ];
  for (const [command, ...options] of answers) {
    it(`every answer of the sandbox is what it says: ${[command, ...options].join(' ')}`, async ({ here }) => {
      const ran = await here(['--demo', ...command.split(' '), ...options, '--json']);
      expect(ran.code, ran.stderr).toBe(0);
      expect(faults(entry(command).output.json, JSON.parse(ran.stdout))).toBe('');
    });
  }

  it('one card, several, and a line of NDJSON', async ({ here }) => {
    const listed = await here(['--demo', 'signals', 'ls', '-n', '2', '--ndjson']);
    const lines = listed.stdout.trimEnd().split('\n');
    for (const line of lines) expect(faults(entry('signals ls').output.ndjson, JSON.parse(line))).toBe('');
    const ids = lines.map((line) => String(JSON.parse(line).id));
    const [id = ''] = ids;
    for (const words of [[id], ids]) {
      const shown = await here(['--demo', 'signals', 'show', ...words, '--json']);
      expect(faults(entry('signals show').output.json, JSON.parse(shown.stdout))).toBe('');
    }
  });

  const otherForms: readonly [command: string, form: number, ...string[]][] = [
    ['signals ls', 0, '--outcomes', '-n', '2', '--until', '2d'],
    ['signals ls', 0, '--local', '-n', '2'],
    ['screeners', 0, '--local'],
    ['stats', 0, '--local'],
    ['stats', 1, '--local', '--by', 'type'],
  ];
  for (const [command, index, ...options] of otherForms) {
    it(`another form of ${[command, ...options].join(' ')}`, async ({ here }) => {
      const form = entry(command).output.other_forms?.[index];
      for (const format of ['--json', '--ndjson'] as const) {
        const ran = await here(['--demo', ...command.split(' '), ...options, format]);
        expect(ran.code, ran.stderr).toBe(0);
        const [first = ''] = format === '--json' ? [ran.stdout] : ran.stdout.split('\n');
        expect(faults(format === '--json' ? form?.json : form?.ndjson, JSON.parse(first))).toBe('');
      }
    });
  }

  it('a plan, an error', async ({ here }) => {
    const plan = await here(['--demo', 'stats', '--plan', '--json']);
    expect(faults(catalogue.plan, JSON.parse(plan.stdout))).toBe('');
    const error = await here(['access', '--json'], { env: { SCREENER_API_KEY: undefined } });
    expect(faults(catalogue.error, JSON.parse(error.stderr))).toBe('');
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
      if (schema === undefined || /^--(timeout|base-url|fault) /.test(option.flags)) continue;
      const declared = typedSchema(option);
      for (const text of texts) {
        const value = declared?.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
        const { success } = safeParse(schemaFor(schema, { now: Date.UTC(2026, 10, 20), env: {}, zone: UTC }), text);
        expect(success, `${option.flags} '${text}'`).toBe(faults(declared, value) === '');
      }
    }
  });

  it('whatever asks the service may end as a 404 and a 422 do', async ({ server, here }) => {
    for (const status of [404, 422]) {
      for (const path of ['/access', '/market-snapshot', '/screeners', '/signals', '/signals/1', '/signal-stats'])
        server.always(path, failure(status, 0));
      for (const command of ['login', 'access', 'snapshot', 'screeners', 'signals ls', 'signals export', 'stats']) {
        const { code } = await here([...command.split(' '), '--max-wait', '0'], { stdin: KEY });
        expect(code, command).toBeGreaterThan(2);
        expect(entry(command).exit_codes, `${command}: ${status}`).toContain(code);
      }
    }
  });

  it('is no schema that takes everything', () => {
    expect(faults(entry('access').output.json, { plan: 1 })).toMatch(/plan must be string/);
    expect(faults(entry('signals ls').output.json, { items: [{ id: 'x' }] })).toMatch(/id must be integer/);
    const [, groups] = entry('stats').output.other_forms ?? [];
    expect(faults(groups?.json, { items: [{ group: 1 }] })).toMatch(/group must be string,null/);
    expect(faults(groups?.json, {})).toMatch(/items/);
  });
});
