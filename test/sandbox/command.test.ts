import { describe, expect, onTestFinished } from 'vitest';
import { HOUR } from '../../src/base/units.ts';
import { request, startProcess } from '../credits/world.ts';
import { TestClock } from '../support/context.ts';
import { NOW } from '../support/date.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { runScreener, startScreener } from '../support/run.ts';

/** The command as a process, until it has said where it is. */
async function serve(home: Home, words: readonly string[], line: RegExp) {
  const running = startScreener(['sandbox', ...words], { home });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  await running.seen(line);
  return running;
}

const SH = /export SCREENER_BASE_URL=(\S+)\nexport SCREENER_API_KEY=(\S+)\n/;

describe('screener sandbox', () => {
  it('prints lines for eval, logs requests, and Ctrl-C is its normal end', async ({ home }) => {
    const running = await serve(
      home,
      ['--per-minute', '5', '--fault', 'screeners:1:reset', '--shell', 'sh'],
      SH,
    );
    const [, base = '', key = ''] = SH.exec(running.text()) ?? [];
    const headers = { authorization: `Bearer ${key}` };
    const access = (await (await fetch(`${base}/access`, { headers })).json()) as {
      response: { per_minute: number };
    };
    expect(access.response.per_minute).toBe(5);
    await fetch(`${base}/signals?limit=2`, { headers });
    await fetch(`${base}/screeners`, { headers }).catch(() => undefined);
    await running.seen(/screeners no answer/);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.done;
    const log = stderr.trimEnd().replace(/^\d\d:\d\d:\d\dZ /gm, '');
    expect({ code, log }).toEqual({
      code: 0,
      log: 'Serving a stand-in for the API with invented cards, until Ctrl-C. Each request is a line below.\nGET /access 200 0 credits\nGET /signals?limit=2 200 1 credit\nGET /screeners no answer 0 credits',
    });
    await expect(fetch(`${base}/access`)).rejects.toThrow();
  });

  it('prints lines for another shell, a JSON line with --json, and stops if nobody reads it', async ({
    home,
  }) => {
    const lines = /^\$env:SCREENER_BASE_URL = 'http:\S+'\n\$env:SCREENER_API_KEY = 'sandbox-key'\n/;
    await serve(home, ['--shell', 'powershell'], lines);
    const running = await serve(
      home,
      ['--json', '--cards', '5'],
      /^\{"base_url":"http:[^"]+","key":"[^"]+"\}\n$/,
    );
    expect(running.text()).not.toContain('export');
    const unread = startScreener(['sandbox', '--json'], { home });
    unread.child.stdout?.destroy();
    expect(await unread.done).toMatchObject({ code: 0 });
  });

  it('has all its credits whenever it starts, whatever an earlier one at its port has charged', async ({
    home,
  }) => {
    const earlier = await serve(home, [], SH);
    const [, baseUrl = '', key = ''] = SH.exec(earlier.text()) ?? [];
    const earlierToday = new TestClock(NOW - HOUR);
    const { account } = startProcess(earlierToday, home.state, { baseUrl, key });
    for (let credits = 0; credits < 150; credits += 5)
      (await account.gate.enter(request('/signal-stats', 5))).settle({ status: 200 });
    const snapshot = () =>
      runScreener(['snapshot'], {
        home,
        env: { SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: key },
      });
    const spent = await snapshot();
    expect(spent.code, spent.stderr).toBe(7);
    earlier.child.kill('SIGINT');
    await earlier.done;
    await serve(home, ['--port', new URL(baseUrl).port], SH);
    const { code, stderr } = await snapshot();
    expect({ code, isFull: stderr.includes('149 left today') }, stderr).toEqual({
      code: 0,
      isFull: true,
    });
  });
});
