import { expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { type Answer, NEVER } from '../support/server.ts';

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
