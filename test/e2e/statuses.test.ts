import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { failure, ok } from '../support/server.ts';

const COMMANDS = [
  { args: ['access'], path: '/access' },
  { args: ['snapshot'], path: '/market-snapshot' },
  { args: ['screeners'], path: '/screeners' },
  { args: ['signals', 'ls'], path: '/signals' },
  { args: ['signals', 'show', '12'], path: '/signals/12' },
  { args: ['stats'], path: '/signal-stats' },
] as const;

/** Part 7, and what the exit codes say of it. */
const STATUSES = { 401: 3, 403: 4, 404: 5, 422: 6, 429: 7, 503: 8 };
const FORMATS = ['json', 'ndjson', 'csv', 'table'];

describe.concurrent('every status of part 7, with and without Retry-After', () => {
  let turn = 0;
  for (const { args, path } of COMMANDS) {
    for (const [text, code] of Object.entries(STATUSES)) {
      const status = Number(text);
      const format = FORMATS[turn++ % FORMATS.length] ?? '';
      it(`${args.join(' ')}: ${status} exits ${code}, once asked (${format})`, async ({ server, home, here }) => {
        if (path !== '/access') server.always('/access', ok(samples.access()));
        server.always(path, failure(status, undefined, 'some\u001b[31m words'));
        const runs = [await here([...args, '-o', format, '--max-wait', '1s'])];
        expect(server.to(path)).toHaveLength(1);
        server.always(path, failure(status, 3600, 'some\u001b[31m words'));
        // Another user: what the first answer said holds for the first one's next command.
        const other = { ...home, state: `${home.folder}/other` };
        runs.push(await here([...args, '-o', format, '--max-wait', '1s'], { home: other }));
        expect(server.to(path)).toHaveLength(2);
        for (const ran of runs) {
          expect(ran).toMatchObject({ code, stdout: '' });
          expect(ran.stderr).not.toContain('\u001b');
          if (format === 'table') {
            expect(ran.stderr).toMatch(/^error: .*\. The service said: some\\u001b\[31m words$/m);
            expect(ran.stderr).toMatch(/^hint: .+/m);
          } else {
            expect(errorLine(ran.stderr)).toMatchObject({ exit_code: code, status });
            expect(errorLine(ran.stderr).hint).toMatch(/\.$/);
          }
        }
        const [, second] = runs;
        if (format === 'table' || second === undefined) return;
        const { retry_after: seconds, retry_at: time } = errorLine(second.stderr);
        expect(seconds).toBe(3600);
        const back = Date.parse(String(time)) - 3_600_000;
        expect(back).toBeGreaterThanOrEqual((server.requests.at(-1)?.at ?? 0) - 1000);
        expect(back).toBeLessThanOrEqual(Date.now() + 1000);
      });
    }
  }
});

describe.concurrent('waiting as the service asks', () => {
  it('503 with Retry-After 1 is tried again, never earlier', async ({ server, screener }) => {
    server
      .next('/market-snapshot', failure(503, 1), failure(503, 1))
      .always('/market-snapshot', ok(samples.snapshot()));
    const ran = await screener(['snapshot', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual(samples.snapshot());
    const [first, second, third] = server.requests;
    expect((second?.at ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1000);
    expect((third?.at ?? 0) - (second?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(ran.stderr).toMatch(/1 credit spent, up to 2 more if failed requests count;/);
  });

  it('a lone 429 is waited for once, in one sentence', async ({ server, screener }) => {
    server.next('/market-snapshot', failure(429, 2)).always('/market-snapshot', ok(samples.snapshot()));
    const ran = await screener(['snapshot', '--json']);
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/^.*: waiting .*$/gm)).toEqual([
      'The service is refusing requests (429): waiting 2 seconds.',
    ]);
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
});
