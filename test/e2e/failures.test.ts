import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { createHome } from '../support/home.ts';
import { type Answer, failure, NEVER } from '../support/server.ts';

it.for<{ name: string; answer: Answer; timeout: string; code: number; said: RegExp }>([
  {
    name: 'no answer in time',
    answer: { after: NEVER },
    timeout: '700ms',
    code: 8,
    said: /within 0\.7 s/,
  },
  {
    name: 'a body of 17 MB',
    answer: { body: ' '.repeat(17 << 20) },
    timeout: '30s',
    code: 9,
    said: /16 MB/,
  },
])('$name', async ({ answer, timeout, code, said }, { server, here }) => {
  server.always('/signals', answer);
  const ran = await here(['signals', 'ls', '--json', '--max-wait', '1s', '--timeout', timeout]);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(errorLine(ran.stderr)).toMatchObject({
    exit_code: code,
    message: expect.stringMatching(said),
  });
  expect(server.requests).toHaveLength(1);
});

it('a refused connection is tried three times, and costs nothing', async ({ server, here }) => {
  await server.close();
  const ran = await here(['snapshot', '--json', '-v']);
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr.match(/not sent: /g)).toHaveLength(3);
  expect(errorLine(ran.stderr)).toMatchObject({ code: 'network', exit_code: 8 });
  expect(ran.stderr).not.toContain('spent,');
});

it.for([
  { words: ['snapshot'], target: '/market-snapshot', credits: '2 credits' },
  { words: ['stats', 'pump'], target: '/signal-stats', credits: '5 credits' },
])(
  'a lost answer says that $credits may be spent: $words',
  async ({ words, target, credits }, { server, here }) => {
    server.always(target, { delivery: 'reset' });
    const ran = await here([...words, '--json']);
    expect(errorLine(ran.stderr)).toMatchObject({
      code: 'network',
      hint: `A request was sent, so ${credits} may be spent: \`screener access\` shows it (free).`,
    });
  },
);

const CHALLENGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your connection</h1></body></html>\n';

it.for([400, 401, 403, 404, 407, 422, 451])(
  'a web page of status %i is not the word of the service',
  async (status, { server, here }) => {
    const headers = { 'Content-Type': 'text/html' };
    server.always('/signals', { status, headers, body: CHALLENGE });
    const ran = await here(['signals', 'ls', '--json']);
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(errorLine(ran.stderr)).toMatchObject({
      code: 'unavailable',
      exit_code: 8,
      status,
      message: `A web page came in place of the service's answer (${status}): a proxy, a login page or a CDN.`,
      hint: 'Open the base URL in a browser on this machine, or try again later.',
    });
    expect(server.requests).toHaveLength(1);
    server.always('/signals', failure(status));
    expect((await here(['signals', 'ls'])).code).not.toBe(8);
  },
);

it.for([503, 429])(
  'a web page of status %i holds further requests, and is still not the word of the service',
  async (status, { server, here }) => {
    const headers = { 'Content-Type': 'text/html', 'Retry-After': '600' };
    server.always('/signals', { status, headers, body: CHALLENGE });
    await here(['signals', 'ls', '--json']);
    const held = await here(['signals', 'ls', '--json']);
    expect(errorLine(held.stderr)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^Something else came in place of the service's answer .*Nothing is sent until /,
      ),
    });
    expect(server.to('/signals')).toHaveLength(1);
  },
);

it('a web page of status 200 is told as one', async ({ server, here }) => {
  server.always('/signals', { headers: { 'Content-Type': 'text/html' }, body: CHALLENGE });
  const ran = await here(['signals', 'ls', '--json']);
  expect(errorLine(ran.stderr)).toMatchObject({
    code: 'bad_answer',
    exit_code: 9,
    message: 'The answer does not match the API document: it is a web page (HTML), not JSON.',
    hint: 'A proxy, a login page or a CDN answered: open the base URL in a browser on this machine, or wait.',
  });
  // It may have come in place of the service's answer, or before the service saw the request.
  expect(ran.stderr).toContain('0 credits spent, up to 1 if failed requests count;');
  // As this machine knows it: `/access` would tell more.
  server.always('/access', failure(500));
  const { stdout } = await here(['snapshot', '--plan', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ spent_today: 1, possibly_spent_today: 1 });
});

it.for(['ls', 'export'])(
  'signals %s: a list that is not there costs one request',
  async (command, { server, here }) => {
    server.always('/signals', failure(404));
    const ran = await here(['signals', command, '--quiet', '--ndjson']);
    expect({ code: ran.code, asked: server.to('/signals').length }).toEqual({ code: 5, asked: 1 });
  },
);

describe('a hint never offers what was done', () => {
  const COME_BACK = /; it said to come back at 2026-11-27 18:0\d:\d\d UTC\.$/;

  it('after three refusals it says that there were three', async ({ server, here }) => {
    server.always('/market-snapshot', failure(503, 30));
    for (const maxWait of ['60s', '1h']) {
      server.requests.length = 0;
      const home = createHome();
      const ran = await here(['snapshot', '--json', '--max-wait', maxWait], { home });
      home.remove();
      expect({ code: ran.code, requests: server.requests.length }).toEqual({
        code: 8,
        requests: 3,
      });
      const { hint } = errorLine(ran.stderr);
      expect(hint, `--max-wait ${maxWait}`).toMatch(/^The service refused three times; it/);
      expect(hint, `--max-wait ${maxWait}`).toMatch(COME_BACK);
    }
  });

  it.for([undefined, 0])('also where Retry-After is %s', async (retryAfter, { server, here }) => {
    server.always('/market-snapshot', failure(429, retryAfter));
    const ran = await here(['snapshot', '--json']);
    const { hint, retry_after } = errorLine(ran.stderr);
    expect({ hint, retry_after }).toEqual({
      hint: 'The service refused three times; it did not say when to come back.',
      retry_after: undefined,
    });
    const waits = server.requests.map(({ at }, i) => at - (server.requests[i - 1]?.at ?? at));
    expect(waits.map((millis) => millis >= 60_000)).toEqual([false, true, true]);
  });

  it('a lost answer among them was no refusal', async ({ server, here }) => {
    server
      .next('/market-snapshot', { delivery: 'reset' })
      .always('/market-snapshot', failure(503, 9));
    const { hint } = errorLine((await here(['snapshot', '--json'])).stderr);
    expect(hint).toMatch(/^Three attempts failed; it said to come back at /);
  });

  it('--max-wait is offered where it helps: before the last attempt, up to an hour', async ({
    server,
    here,
  }) => {
    const hintAfter = async (status: number, seconds: number, ...words: string[]) => {
      server.always('/market-snapshot', failure(status, seconds));
      const home = createHome();
      const { stderr } = await here(['snapshot', '--json', ...words], { home });
      home.remove();
      return errorLine(stderr).hint;
    };
    const offered = /^Try again after .*, in .*; --max-wait 1h lets a command wait for it\.$/;
    expect(await hintAfter(503, 90)).toMatch(offered);
    expect(await hintAfter(429, 3600, '--max-wait', '30m')).toMatch(offered);
    const others = {
      'more than an hour': await hintAfter(503, 3700),
      'more than was given': await hintAfter(503, 4000, '--max-wait', '1h'),
      'a budget': await hintAfter(503, 9, '--max-credits', '1'),
    };
    for (const [name, hint] of Object.entries(others))
      expect({ name, hint }).toEqual({ name, hint: expect.not.stringContaining('max-wait') });
  });
});
