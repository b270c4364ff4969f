/** What asks for a form of a command's output, as `help fields` says it. */
import { expect } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { everyPath, wordsOf } from '../../src/commands/parts/declaration.ts';
import { it } from '../support/fixtures.ts';

it.for([
  {
    command: 'today',
    forms: ['', ', --refresh', ', --changes', ', --refresh with --plan (always whole)'],
  },
  { command: 'tune', forms: ['', ', --csv'] },
  { command: 'signals export', forms: ['', ', --check', ', --plan (always whole)'] },
  { command: 'screeners', forms: ['', ', --local or --from'] },
  {
    command: 'stats',
    forms: [
      '',
      ', --by',
      ', --local or --from',
      ', --local or --from, with --by',
      ', --local or --from, with --picked',
    ],
  },
])('help fields $command names what asks for each form', async ({ command, forms }, { here }) => {
  const { code, stdout, stderr } = await here(['help', 'fields', ...command.split(' ')]);
  const titles = stdout.match(/^Fields of .*$/gm);
  expect({ code, titles, stderr }).toEqual({
    code: 0,
    titles: forms.map((form) => `Fields of screener ${command}${form}`),
    stderr: '',
  });
});

it('every path leads to a command, from the program on, groups before what they hold', () => {
  const paths = everyPath([screener]).map(wordsOf);
  expect(paths[0]).toBe('screener');
  const group = paths.indexOf('screener signals');
  const named = ['screener signals ls', 'screener signals export'].map((path) =>
    paths.indexOf(path),
  );
  expect(Math.min(...named), `${paths}`).toBeGreaterThan(group);
  expect(new Set(paths).size, 'different paths').toBe(paths.length);
});
