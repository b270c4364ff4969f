import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { failure, ok } from '../support/server.ts';

describe.concurrent('waiting as the service asks', () => {
  it('a lone 429 is waited for once, in one sentence', async ({ server, here }) => {
    server.next('/market-snapshot', failure(429, 2)).always('/market-snapshot', ok(samples.snapshot()));
    const ran = await here(['snapshot', '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual(samples.snapshot());
    expect(ran.stderr).toMatch(/1 credit spent, up to 1 more if failed requests count;/);
    expect(ran.stderr.match(/^.*: waiting .*$/gm)).toEqual([
      'The service is refusing requests (429): waiting 2 seconds.',
    ]);
  });

  it("a date is read on the service's clock, as an earlier answer told it", async ({ server, here }) => {
    const date = (hours: number) => new Date(Date.now() + hours * 3_600_000).toUTCString();
    server
      .always('/access', { ...ok(samples.access()), headers: { Date: date(24) } })
      .always('/signal-stats', failure(429, date(25)));
    const ran = await here(['stats', '--json']);
    const { retry_after: seconds } = errorLine(ran.stderr);
    // By this machine's clock it would be 25 hours.
    expect(Number(seconds)).toBeLessThanOrEqual(3600);
    expect(Number(seconds)).toBeGreaterThan(0);
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
