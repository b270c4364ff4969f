import { expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { type Answer, failure, NEVER } from '../support/server.ts';

it.for<[string, Answer, string, number, RegExp]>([
  ['no answer in time', { after: NEVER }, '700ms', 8, /within 0\.7 s/],
  ['a body of 17 MB', { body: ' '.repeat(17 << 20) }, '30s', 9, /16 MB/],
])('%s', async ([, answer, timeout, code, words], { server, here }) => {
  server.always('/signals', answer);
  const ran = await here(['signals', 'ls', '--json', '--max-wait', '1s', '--timeout', timeout]);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(errorLine(ran.stderr)).toMatchObject({
    exit_code: code,
    message: expect.stringMatching(words),
  });
  expect(server.requests).toHaveLength(1);
});

it('a refused connection is tried three times, and costs nothing', async ({
  server,
  screener,
  home,
}) => {
  const { env } = server;
  await server.close();
  const ran = await screener(['snapshot', '--json', '-v'], { env, home });
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr.match(/not sent: /g)).toHaveLength(3);
  expect(errorLine(ran.stderr)).toMatchObject({ code: 'network', exit_code: 8 });
  expect(ran.stderr).not.toContain('spent,');
});

const CHALLENGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your connection</h1></body></html>\n';

it.for([401, 403, 404, 422])(
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
      message: `A web page came in its place (${status}): a proxy, a login page or a CDN.`,
      hint: 'Try again later. If it stays so, check the base URL and the proxies of this network.',
    });
    expect(server.requests).toHaveLength(1);
    server.always('/signals', failure(status));
    expect((await here(['signals', 'ls'])).code).not.toBe(8);
  },
);

it.for(['ls', 'export'])(
  'signals %s: a list that is not there costs one request',
  async (command, { server, here }) => {
    server.always('/signals', failure(404));
    const ran = await here(['signals', command, '--quiet', '--ndjson']);
    expect({ code: ran.code, asked: server.to('/signals').length }).toEqual({ code: 5, asked: 1 });
  },
);
