/** How options, arguments and variables are read together: what excludes what, and whose value counts. */
import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';

describe('a command line is refused, and nothing is sent', () => {
  it.for([
    {
      words: ['signals', 'ls', '--since', '1d', '--until', '2d'],
      message: '--since is after --until.',
      hint: 'Swap the two.',
    },
    {
      words: ['stats', 'pump', '--type', 'pump'],
      message: 'A screener type is given twice.',
      hint: 'Leave out --type.',
    },
    {
      // What is joined to an option is its value, also where it is an option of every command.
      words: ['signals', 'ls', '--symbol=--quiet'],
      message: "--symbol takes 1 to 32 letters and digits, not '--quiet'.",
      hint: 'For example BTCUSDT. A history (--local) takes any symbol that its cards have.',
    },
    {
      // Each value of a repeatable option counts, not the last alone.
      words: ['signals', 'ls', '--local', '--where', 'funding', '--where', 'place>=1'],
      message: "--where takes FIELD>=NUMBER (also <=, >, <, =), not 'funding'.",
      hint: "For example --where 'funding>=0.0002', in quotes because of the shell; 0.01% is 0.0001.",
    },
    {
      words: ['stats', '--sort', 'rows'],
      message: '--sort needs --by.',
      hint: 'Add --by.',
    },
  ])('$message', async ({ words, message, hint }, { here, server }) => {
    const { code, stderr } = await here([...words, '--json']);
    const said = errorLine(stderr);
    expect({ code, message: said.message, hint: said.hint, requests: server.requests }).toEqual({
      code: 2,
      message,
      hint,
      requests: [],
    });
  });

  it.for([
    {
      env: { SCREENER_TZ: 'Mars/Base' },
      message: "SCREENER_TZ takes the name of a time zone, or local, not 'Mars/Base'.",
    },
    { env: { SCREENER_DAILY: 'some' }, message: /^SCREENER_DAILY / },
    { env: { SCREENER_KEEP: '-5' }, message: /^SCREENER_KEEP / },
  ])('a variable is named: $message', async ({ env, message }, { here, server }) => {
    const { code, stderr } = await here(['snapshot', '--json'], { env });
    expect({ code, requests: server.requests }).toEqual({ code: 2, requests: [] });
    expect(errorLine(stderr).message).toMatch(message);
  });
});

describe('a value', () => {
  const formatOf = (stdout: string) => (stdout.startsWith('{') ? 'json' : 'other');

  it('that is typed goes before the one of the environment, which goes before the usual one', async ({
    here,
  }) => {
    const formatWith = async (words: readonly string[], env: Record<string, string> = {}) =>
      formatOf((await here(['access', ...words], { env })).stdout);
    expect({
      usual: await formatWith([]),
      environment: await formatWith([], { SCREENER_OUTPUT: 'json' }),
      emptyEnvironment: await formatWith([], { SCREENER_OUTPUT: '' }),
      typed: await formatWith(['-o', 'table'], { SCREENER_OUTPUT: 'json' }),
      switch: await formatWith(['--json'], { SCREENER_OUTPUT: 'table' }),
    }).toEqual({
      usual: 'other',
      environment: 'json',
      emptyEnvironment: 'other',
      typed: 'other',
      switch: 'json',
    });
  });

  it('of --type may stand as an argument, in its place', async ({ here, server }) => {
    await here(['stats', 'pump']);
    await here(['stats', '--type', 'pump']);
    const types = server.requests
      .filter(({ path }) => path.endsWith('/signal-stats'))
      .map(({ query }) => query.screener_type);
    expect(types).toEqual(['pump', 'pump']);
  });
});
