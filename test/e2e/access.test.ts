/** `/access` that brings nothing while the other operations work: it costs nothing, and is not what they are asked for. */
import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import { access, cards } from '../support/samples.ts';
import { type Answer, failure, NEVER, ok } from '../support/server.ts';

const PAGE = '<!DOCTYPE html><title>Just a moment...</title>';
const html = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: PAGE,
});

const REFUSED: Record<string, Answer> = {
  '403': failure(403),
  '404': failure(404),
  '422': failure(422),
  '500': failure(500),
  '503 for a day': failure(503, 86_400),
};
const UNANSWERED: Record<string, Answer> = {
  'no answer': { after: NEVER },
  'a closed connection': { delivery: 'reset' },
  'a web page of status 200': html(200),
  'a web page of status 401': html(401),
  'a web page of status 403': html(403),
  'a web page of status 404': html(404),
  'a web page of status 429': html(429),
  'a web page of status 502': html(502),
  'a web page of status 503': html(503),
  'no Envelope': { status: 404, body: '{"detail":"Not Found"}' },
  'a broken contract': ok({ ...access(), credits: null }),
};
const COMMANDS = ['stats', 'signals export', 'signals ls --all'];

describe.each([...Object.entries(REFUSED), ...Object.entries(UNANSWERED)])('%s', (name, answer) => {
  it.for(COMMANDS)('%s goes on by the ledger', async (command, { server, here }) => {
    // A page, and one more card.
    server.holds(cards(26)).always('/access', answer);
    // On a busy machine an answer may be slow: only where none comes it is not waited for.
    const timeout = answer.after === NEVER ? '500ms' : '20s';
    const ran = await here([...command.split(' '), '--timeout', timeout]);
    expect(ran.code, ran.stderr).toBe(0);
    const what =
      name in REFUSED
        ? `refuses /access (${answer.status})`
        : 'does not answer /access as it should';
    expect(ran.stderr.replace(/\s+/g, ' ')).toContain(
      `The service ${what}: the credits left are as this machine knows them.`,
    );
    // At growing intervals: not by the next command.
    const before = server.to('/access').length;
    await here([...command.split(' '), '--timeout', timeout]);
    const again = server.to('/access').length - before;
    expect(again).toBe(name === 'a broken contract' ? 1 : 0);
  });

  it('a reserve needs its answer', async ({ server, here }) => {
    server.always('/access', answer);
    for (const words of [['stats'], ['snapshot']]) {
      const ran = await here([...words, '--keep', '9', '--timeout', '200ms', '--json']);
      expect(ran.code, ran.stderr).toBeGreaterThan(0);
      const { message, hint } = errorLine(ran.stderr);
      expect(message, words.join(' ')).toMatch(
        /^--keep 9 needs the credits left, and \/access does not tell them\. /,
      );
      expect(hint, words.join(' ')).toMatch(
        /^Nothing billable was sent\. Try again .*, or leave out --keep/,
      );
    }
    expect(server.credits).toBe(0);
  });
});

it.for(COMMANDS)(
  'a key that is not accepted ends %s at once',
  async (command, { server, here }) => {
    server.always('/access', failure(401));
    expect((await here(command.split(' '))).code).toBe(3);
    expect(server.requests).toHaveLength(1);
  },
);
