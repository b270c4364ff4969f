/** An option that would choose nothing of what a command prints is refused. */
import { describe, expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, commandWords, everyPath } from '../../src/commands/parts/declaration.ts';
import { errorLine, it } from '../support/fixtures.ts';

const receipts = everyPath([screener]).flatMap((path) =>
  (commandOf(path).variants ?? [])
    .filter(({ shape }) => shape === 'receipt')
    .map((variant) => ({ path, variant })),
);

for (const { path, variant } of receipts) {
  const { when = [] } = variant;
  const words = [...commandWords(path).split(' '), ...when];
  it(`--fields of \`${words.join(' ')}\` is refused without a format that prints it`, async ({
    server,
    here,
  }) => {
    const [field] = await variant.fields();
    const file = commandOf(path).argument?.term === '<file>' ? ['page.html'] : [];
    const { code, stdout, stderr } = await here([...words, ...file, '--fields', field?.name ?? '']);
    expect({ code, stdout, stderr, requests: server.requests }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: --fields needs --json, --ndjson or --csv here: .*\nhint: Leave out --fields, or add --json\.\n$/,
      ),
      requests: [],
    });
  });
}

it('are those of all commands that write files or settings', () => {
  const commands = new Set(receipts.map(({ path }) => commandWords(path)));
  expect([...commands].sort()).toEqual(['login', 'logout', 'report', 'signals export']);
});

describe('of a command that prints no fields', () => {
  const LINES = { words: ['sandbox'], prints: 'lines for a shell', remedy: /--json prints/ };
  const SCRIPT = { words: ['completion', 'bash'], prints: 'a text', remedy: /Leave it out\.\n/ };
  const HELP = { words: ['help', 'stats'], prints: 'a text', remedy: /--json prints/ };
  it.for([
    { ...LINES, option: ['--csv'], named: '--csv' },
    { ...LINES, option: ['--output', 'csv'], named: '--csv' },
    { ...LINES, option: ['--fields', 'key'], named: '--fields' },
    { ...LINES, option: ['--fields', 'key', '--json'], named: '--fields' },
    { ...SCRIPT, option: ['--csv'], named: '--csv' },
    { ...SCRIPT, option: ['--json'], named: '--json' },
    { ...SCRIPT, option: ['--output', 'ndjson'], named: '--ndjson' },
    { ...SCRIPT, option: ['--fields', 'id'], named: '--fields' },
    { ...HELP, option: ['--csv'], named: '--csv' },
    { ...HELP, option: ['--output', 'ndjson'], named: '--ndjson' },
    { ...HELP, option: ['--fields', 'id'], named: '--fields' },
    { ...HELP, option: ['--fields', 'id', '--json'], named: '--fields' },
  ])(
    '$words: $option, which would choose nothing, is refused',
    async ({ words, option, named, prints, remedy }, { here }) => {
      const { code, stdout, stderr } = await here([...words, ...option]);
      const isJson =
        option.includes('--json') || option.includes('ndjson') || option.includes('--csv');
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      const message = `${named} chooses nothing here: \`screener ${words[0]}\` prints ${prints}.`;
      if (isJson || option.includes('csv')) {
        expect(errorLine(stderr)).toMatchObject({ message });
        return;
      }
      expect(stderr).toContain(`error: ${message}\n`);
      expect(stderr).toMatch(remedy);
    },
  );

  it.for([
    ['help', '-o', 'foo'],
    ['help', 'stats', '--output=foo'],
    ['-o', 'foo'],
    ['signals', '-o', 'foo'],
    ['completion', 'bash', '-o', 'foo'],
    ['snapshot', '-o', 'foo'],
  ])('%j: a format that does not exist is refused', async (words, { here }) => {
    expect(await here(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: --output takes table, json, ndjson or csv, not 'foo'.\n",
    });
  });

  it.for([
    { words: ['completion', 'bash'], env: { SCREENER_OUTPUT: 'csv' } },
    { words: ['completion', 'bash', '--output', 'table'], env: {} },
    { words: ['help', 'stats'], env: { SCREENER_OUTPUT: 'ndjson' } },
    { words: ['help', 'stats', '--json'], env: {} },
    { words: ['stats', '--csv', '--fields', 'type', '--help'], env: {} },
    { words: ['help', '--csv', '--help'], env: {} },
  ])('$words is answered with $env in the environment', async ({ words, env }, { here }) => {
    const { code, stdout, stderr } = await here(words, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(200);
  });
});

it('--plan of login needs no login', async ({ server, here }) => {
  const env = { SCREENER_API_KEY: undefined };
  const { code, stdout, stderr } = await here(['login', '--plan', '--json'], { env });
  expect({ code, stderr, requests: server.requests }).toEqual({
    code: 0,
    stderr: '',
    requests: [],
  });
  expect(JSON.parse(stdout)).toMatchObject({
    credits: { least: 0, most: 0 },
    requests: { least: 1, most: 1 },
  });
});

describe('--plan of a command that sends nothing', () => {
  it.for([
    ['completion', 'bash'],
    ['logout'],
    ['report', 'page.html'],
    ['sandbox'],
    ['today'],
    ['tune'],
  ])('%j: no credits, no requests, and the command is not run', async (words, { server, here }) => {
    for (const format of ['--json', '--ndjson']) {
      const { code, stdout } = await here([...words, '--plan', format]);
      expect(code, format).toBe(0);
      expect({ requests: server.requests, plan: JSON.parse(stdout) }, format).toMatchObject({
        requests: [],
        plan: { credits: { least: 0, most: 0 }, requests: { least: 0, most: 0 } },
      });
    }
  });
});
