import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { type Answer, NEVER } from '../support/server.ts';

/** What comes instead of a page of cards, the exit code, and what the sentence must say. */
const ANSWERS: Record<string, [Answer, number, RegExp]> = {
  'no answer in time': [{ after: NEVER }, 8, /within 0\.7 s/],
  'hasError with status 200': [{ body: '{"hasError":true,"response":null,"errors":"NOT_TODAY"}' }, 9, /NOT_TODAY/],
  'a body of 17 MB': [{ body: ' '.repeat(17 * 1024 * 1024) }, 9, /16 MB/],
};

describe.concurrent('broken answers', () => {
  for (const [name, [answer, code, words]] of Object.entries(ANSWERS)) {
    it(name, async ({ server, here }) => {
      server.always('/signals', answer);
      // Only the answer that never comes is waited for as long as --timeout says.
      const timeout = answer.after === NEVER ? '700ms' : '30s';
      const ran = await here(['signals', 'ls', '--json', '--max-wait', '1s', '--timeout', timeout]);
      expect(ran).toMatchObject({ code, stdout: '' });
      const error = errorLine(ran.stderr);
      expect(error).toMatchObject({ exit_code: code });
      expect(error.message).toMatch(words);
      expect(error.hint).toMatch(/\S/);
      expect(ran.stderr).not.toMatch(/\n\s+at |node:internal|\.js:\d+/);
      expect(server.requests).toHaveLength(1);
    });
  }
});

it('a refused connection is tried three times, and costs nothing', async ({ server, screener, home }) => {
  const { env } = server;
  await server.close();
  const ran = await screener(['snapshot', '--json', '-v'], { env, home });
  expect(ran).toMatchObject({ code: 8, stdout: '' });
  expect(ran.stderr.match(/not sent: /g)).toHaveLength(3);
  expect(errorLine(ran.stderr)).toMatchObject({ code: 'network', exit_code: 8 });
  expect(ran.stderr).not.toContain('spent,');
});
