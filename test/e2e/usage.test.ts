import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { listing } from '../support/server.ts';

/** Wrong usage, and a word that its hint or sentence must hold. */
const WRONG: [string[], RegExp][] = [
  [['signals', 'ls', '--symbol', 'BTC/USDT'], /BTCUSDT/],
  [['signals', 'ls', '--all', '-n', '5'], /--all and --limit/],
  [['signals', 'show', 'abc'], /whole number/],
  [['signals', 'ls', '--since', '2026-11-20', '--until', '2026-11-19'], /after --until/],
  [['signals', 'ls', '--since', '2026-11-20T18'], /2026-11-20T18/],
  [['signals', 'ls', '--until', 'soon'], /24h/],
  [['signals', 'ls', '--fields', 'id,source_symbl'], /source_symbol/],
  [['access', '--fields', 'credits.usd'], /credits\.used/],
  [['stats', '--fields', 'nothing'], /help fields stats/],
  [['tune', '--from', 'x', '--json', '--fields', 'key'], /help fields tune/],
  [['snapshot', '-o', 'xml'], /table, json, ndjson/],
  [['snapshot', '--json', '--csv'], /--json and --csv exclude each other/],
  [['snapshot', '--max-wait', 'long'], /duration/],
  [['snapshot', '--base-url', 'http://example.com'], /https/],
  [['snapshot', '--base-url', 'https://example.com/api/v2'], /\/api\/external\/v1/],
  [['login', '--key=sk_secret'], /A key is never an option(?!.*sk_secret)/s],
  [['login', '--api_key=sk_secret'], /A key is never an option(?!.*sk_secret)/s],
  [['login', '--password=sk_secret'], /A key is never an option(?!.*sk_secret)/s],
  [['login', 'sk_secret'], /A key is never an option or argument(?!.*sk_secret)/s],
  [
    ['login', '--base-url', 'eyJhbGciOi.eyJzdWIi.s1gnaTure'],
    /looks like a key, or like an address without https:(?!.*s1gnaTure)/s,
  ],
  [['login', '--base-url', 'sk_test_0123456789abc:def'], /looks like a key(?!.*sk_test)/s],
  [['screener'], /Did you mean screeners\?/],
  [['nosuch', '--help'], /There is no command or topic 'nosuch'/],
  [['signals', 'nosuch', '-h'], /There is no command 'signals nosuch'/],
  [['stats', 'price', '--type', 'price'], /given twice/],
  [['completion', 'tcsh'], /bash, zsh, fish.*without one/s],
  [['snapshot', 'extra'], /argument|extra/i],
  [['stats', '--by', 'symbol'], /needs --local or --from/],
  [['stats', '--by', 'type', '--type', 'price'], /needs --local or --from/],
  [['stats', '--since', '7d'], /--from/],
  [['signals', 'ls', '--from', 'x', '--cursor', 'c'], /--cursor/],
  [['login', '--demo'], /--demo/],
  [['signals', 'export', '--max-age', '1h'], /--max-age needs --check/],
];

describe.concurrent('wrong usage exits 2 with a hint, and nothing is sent', () => {
  it.for([
    { words: ['signals', 'ls', '--type'], option: '--type <type>' },
    { words: ['snapshot', '-o'], option: '--output <format>' },
  ])('$words lacks a value', async ({ words, option }, { server, here }) => {
    const ran = await here(words);
    const message = `error: The option ${option} needs a value.`;
    expect({ code: ran.code, message: ran.stderr.split('\n')[0], stdout: ran.stdout }).toEqual({
      code: 2,
      message,
      stdout: '',
    });
    expect(server.requests).toEqual([]);
  });

  WRONG.forEach(([args, words], index) => {
    const format = ['json', 'table', 'ndjson', 'csv'][index % 4] ?? '';
    const given = args.some((word) => ['-o', '--json'].includes(word)) ? [] : ['-o', format];
    it(args.join(' ').slice(0, 70), async ({ server, here }) => {
      const ran = await here([...args, ...given]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toMatch(words);
      expect(server.requests).toHaveLength(0);
      if (given.length > 0 && format !== 'table') {
        expect(errorLine(ran.stderr)).toMatchObject({ code: 'usage', exit_code: 2 });
      } else if (given.length > 0) expect(ran.stderr).toMatch(/^error: /);
    });
  });

  it.for<{ name: string; env: Record<string, string | undefined>; code: number; said: RegExp }>([
    {
      name: 'SCREENER_OUTPUT of no format',
      env: { SCREENER_OUTPUT: 'xml' },
      code: 2,
      said: /table, json, ndjson/,
    },
    {
      name: 'SCREENER_TZ of no zone',
      env: { SCREENER_TZ: 'Europe/Berln' },
      code: 2,
      said: /not 'Europe\/Berln'/,
    },
    {
      name: 'a key that no header can hold, which is not shown',
      env: { SCREENER_API_KEY: 'se cret\nkey' },
      code: 2,
      said: /^(?!.*se cret)/s,
    },
    {
      name: 'nobody logged in',
      env: { SCREENER_API_KEY: undefined },
      code: 3,
      said: /screener login/,
    },
  ])('$name', async ({ env, code, said }, { server, here }) => {
    const ran = await here(['signals', 'ls', '--since', 'today'], { env });
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(said) });
    expect(server.requests).toHaveLength(0);
  });
});

describe.concurrent('right usage', () => {
  it('signals show - of nothing is nothing, as at the end of an empty pipe', async ({
    server,
    here,
  }) => {
    expect(await here(['signals', 'show', '-', '--ndjson'])).toMatchObject({ code: 0, stdout: '' });
    expect(await here(['signals', 'show', '-', '--json'])).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });
    expect(server.requests).toHaveLength(0);
  });

  it.for(['Foo/Bar', ':/etc/localtime', ''])(
    'times are UTC, and called so, where the zone of the machine has no name: TZ=%s',
    async (TZ, { screener }) => {
      const { code, stdout } = await screener(['signals', 'ls'], {
        env: { SCREENER_TZ: 'local', TZ },
      });
      expect({ code, header: /TIME \((.*?)\)/.exec(stdout)?.[1] }).toEqual({
        code: 0,
        header: 'UTC',
      });
    },
  );

  it('dates are those of SCREENER_TZ, and sent as UTC', async ({ server, here }) => {
    server.always('/signals', listing([]));
    await here(['signals', 'ls', '--since', '2026-01-02'], { env: { SCREENER_TZ: 'Asia/Tokyo' } });
    expect(server.requests[0]?.query.since).toBe('2026-01-01T15:00:00Z');
  });

  it('global options go before or after the command', async ({ server, here }) => {
    server.always('/signals', listing([]));
    const before = await here(['--json', '-q', 'signals', 'ls']);
    const after = await here(['signals', 'ls', '--json', '-q']);
    const between = await here(['signals', '--json', '-q', 'ls']);
    const expected = { code: 0, stderr: '', stdout: after.stdout };
    expect({ before, after, between }).toMatchObject({
      before: expected,
      after: expected,
      between: expected,
    });
  });
});
