import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect } from 'vitest';
import { commandOf, everyPath, wordsOf } from '../../src/cli/declaration.ts';
import { screener } from '../../src/cli/declarations/screener.ts';
import { it } from '../support/fixtures.ts';
import { runScreener } from '../support/run.ts';
import { failure, KEY } from '../support/server.ts';

interface Form {
  readonly options: string;
  readonly json: object;
  readonly ndjson: object;
}

interface Option {
  readonly long: string;
  readonly value: string | null;
  readonly values: string[] | null;
  readonly schema: ({ type?: string; examples?: string[]; enum?: string[] } & Record<string, unknown>) | null;
  readonly needs: readonly string[];
  readonly excludes: readonly string[];
  readonly about: string;
}

interface Entry {
  readonly command: string;
  readonly cost: string;
  readonly arguments: readonly { required: boolean; schema: object | null }[];
  readonly options: readonly Option[];
  readonly exit_codes: readonly number[];
  readonly output: { json: object | null; ndjson: object | null; other_forms?: Form[] };
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
formats.default(ajv);

let catalogue: { commands: Entry[]; plan: object; error: object; global_options: Option[] };
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
    const commands = everyPath([screener]).filter((path) => commandOf(path).act !== undefined);
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

  /** Texts of many kinds: whether an option takes one is what its schema says. */
  const TEXTS = [
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
  ].concat(['2026-13-01T00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T00:00', 'btcusdt', 'BTC/USDT', 'x'.repeat(221)]);

  function takes({ schema, long }: Option, text: string): boolean {
    const value = schema?.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
    // No pattern says how long a duration must be.
    if (long === '--timeout' && text === '0') return false;
    if (long === '--every' && /^(0|1|1\.5|26)$/.test(text)) return false;
    return faults(schema, value) === '';
  }

  /** Nobody is logged in: what is well written ends at once, and sends nothing. */
  const NOBODY = { env: { SCREENER_API_KEY: undefined } };

  /** The options that one needs, with a value each. */
  function withNeeds(command: Entry, { needs }: Option): string[] {
    const [first] = command.options.filter(({ long }) => needs.includes(long));
    return first === undefined ? [] : [...withValue(first), ...withNeeds(command, first)];
  }

  function withValue({ long, value, schema }: Option): string[] {
    const [some = '1'] = schema?.enum ?? schema?.examples ?? [];
    return value === null ? [long] : [long, some];
  }

  it('the values that it allows are taken, and no others', { timeout: 60_000 }, async ({ here }) => {
    // Names of fields are those of the output; an address is checked elsewhere.
    const seen = new Set(['--fields', '--sort', '--base-url']);
    for (const command of catalogue.commands) {
      const words = command.command.split(' ').slice(1);
      const given = command.arguments.filter(({ required }) => required).map(() => (words[0] === 'report' ? '-' : '1'));
      const globals = words.join(' ') === 'signals ls' ? catalogue.global_options : [];
      for (const option of [...command.options, ...globals]) {
        const kind = `${option.long} ${JSON.stringify(option.schema)}`;
        if (option.value === null || seen.has(option.long) || seen.has(kind)) continue;
        seen.add(kind);
        expect(option.schema, option.long).not.toBeNull();
        const texts = [...TEXTS, ...(option.schema?.enum ?? []), ...(option.schema?.examples ?? [])];
        for (const text of texts) {
          const line = [...words, ...given, option.long, text, ...withNeeds(command, option), '--plan'];
          const { code, stderr } = await here(line, NOBODY);
          expect(code !== 2, `${line.join(' ')}: ${stderr}`).toBe(takes(option, text));
        }
      }
    }
  });

  it('options that exclude or need others say so', { timeout: 60_000 }, async ({ here }) => {
    for (const command of catalogue.commands) {
      const words = command.command.split(' ').slice(1);
      if (words[0] === 'sandbox') continue;
      const given = command.arguments.filter(({ required }) => required).map(() => (words[0] === 'report' ? '-' : '1'));
      const own = command.options.map((option) => ({
        ...option,
        line: [...withValue(option), ...withNeeds(command, option)],
      }));
      for (const [index, one] of own.entries()) {
        for (const other of own.slice(index + 1)) {
          const lines = [...new Set([...one.line, ...other.line])];
          const among = command.options.filter(({ long }) => lines.includes(long));
          const excluded = among.some(({ excludes }) => excludes.some((long) => lines.includes(long)));
          const { code, stderr } = await here([...words, ...given, ...one.line, ...other.line, '--plan'], NOBODY);
          // That no list has gone before is no fault of the line.
          const refused = code === 2 && !stderr.includes('No earlier list');
          expect(refused, `${command.command} ${[...one.line, ...other.line].join(' ')}: ${stderr}`).toBe(excluded);
        }
        if (one.needs.length === 0) continue;
        expect((await here([...words, ...given, ...withValue(one), '--plan'], NOBODY)).code, one.long).toBe(2);
      }
    }
  });

  it('a default in words is the one in the schema', () => {
    const options = [...catalogue.global_options, ...catalogue.commands.flatMap((one) => one.options)];
    const told = options.flatMap(({ about, schema, long }) => {
      const word = /\(default: ([\d]\w*|table)\)/.exec(about)?.[1];
      return word === undefined ? [] : [[long, word, String(schema?.default)]];
    });
    expect(told.length).toBeGreaterThan(5);
    for (const [long, word, declared] of told) expect(declared, long).toBe(word);
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
