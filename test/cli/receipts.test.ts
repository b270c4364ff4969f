/** Commands whose output has no fields to choose: it is refused to ask for some. */
import { expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { commandOf, commandWords, everyPath } from '../../src/commands/parts/declaration.ts';
import { it } from '../support/fixtures.ts';

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

it.for([
  { option: ['--csv'], named: '--csv' },
  { option: ['--output', 'csv'], named: '--csv' },
  { option: ['--fields', 'key'], named: '--fields' },
  { option: ['--fields', 'key', '--json'], named: '--fields' },
])(
  '$option of the stand-in, whose lines are for a shell, is refused',
  async ({ option, named }, { here }) => {
    const { code, stdout, stderr } = await here(['sandbox', ...option]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(
        `${named} chooses nothing here: \`screener sandbox\` prints lines for a shell.`,
      ),
    });
  },
);
