import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { type Answer, NEVER, ok } from '../support/server.ts';

const PAGE = samples.page(samples.cards(5));
const WHOLE = String(ok(PAGE).body);

/** What comes instead of a page of cards, the exit code, and what the sentence must say. */
const ANSWERS: Record<string, [Answer, number, RegExp]> = {
  'a web page': [{ body: '<!doctype html><title>Hi</title>', headers: { 'Content-Type': 'text/html' } }, 9, /HTML/],
  'an empty body': [{ body: '' }, 9, /empty/],
  'half a body, complete by its length': [{ body: WHOLE.slice(0, 400) }, 9, /not valid JSON/],
  'a body cut off': [{ body: WHOLE, cut: 300 }, 8, /answer was lost/],
  'a connection closed after the head': [{ body: WHOLE, cut: 'after head' }, 8, /answer was lost/],
  'no answer in time': [{ body: WHOLE, after: NEVER }, 8, /within 0\.7 s/],
  'another JSON': [{ body: '[1,2]' }, 9, /Envelope/],
  'the resource without its Envelope': [{ body: JSON.stringify(PAGE) }, 9, /hasError/],
  'hasError with status 200': [{ body: '{"hasError":true,"response":null,"errors":"NOT_TODAY"}' }, 9, /NOT_TODAY/],
  'null for a resource': [{ body: '{"hasError":false,"response":null,"errors":null}' }, 9, /response is null/],
  'broken UTF-8': [{ body: Buffer.from(`${WHOLE.slice(0, -1)}\xff}`, 'latin1') }, 9, /UTF-8/],
  'a body of 17 MB': [{ body: Buffer.alloc(17 * 1024 * 1024, ' ') }, 9, /16 MB/],
  'a status nobody knows': [{ ...ok(PAGE), status: 418 }, 9, /418/],
  'a 204': [{ status: 204 }, 9, /204/],
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
