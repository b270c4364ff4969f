import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { filesWith } from '../support/files.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { failure, KEY, ok } from '../support/server.ts';

const page = (next_cursor: string | null) =>
  ok({
    scope: 'own_recorded_notifications',
    items: samples.cards(3),
    next_cursor,
    since: '2026-11-01T00:00:00Z',
    until: '2026-11-20T00:00:00Z',
  });

describe('the key', () => {
  it('in the environment may have white space around it, and nothing else', async ({ server, here }) => {
    server.always('/access', ok(samples.access()));
    for (const key of [`  ${KEY}\n`, `\t${KEY}\r\n`]) {
      expect((await here(['access'], { env: { SCREENER_API_KEY: key } })).code).toBe(0);
    }
    const before = server.requests.length;
    for (const key of [`${KEY}\nX-Evil: 1`, `${KEY}é`, `${KEY} ${KEY}`, `${KEY}\u200b`, `${KEY}\u001b[2J`]) {
      const ran = await here(['access', '--json', '-v'], { env: { SCREENER_API_KEY: key } });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(errorLine(ran.stderr).message).toMatch(/API key/);
      expect(ran.stderr).not.toContain(KEY);
    }
    expect(server.requests).toHaveLength(before);
  });

  it('is in no file but the config: not after export, watch, list, errors', async ({ server, here, home }) => {
    server
      .always('/access', ok(samples.access()))
      .always('/signals', page(null))
      .always('/signals/{id}', ({ path: asked }) => ok(samples.detail(9000 - Number(asked.split('/').at(-1)))))
      .always('/market-snapshot', failure(503, 7200, `no, ${KEY}`))
      .always('/screeners', failure(500, undefined, KEY));
    expect((await here(['login'], { stdin: KEY })).code).toBe(0);
    const history = path.join(home.folder, 'history');
    const runs = [
      await here(['signals', 'export', history, '-v']),
      await here(['signals', 'ls', '--outcomes', '-v']),
      await here(['screeners', '-v', '--max-wait', '0']),
      await here(['snapshot', '-v', '--max-wait', '0']),
    ];
    const watch = startScreener(['signals', 'watch', '--ndjson', '--since', '30d', '-v'], {
      home,
      env: { ...server.env, SCREENER_STATE_DIR: path.join(home.folder, 'state2') },
    });
    await watch.seen(/"id":8998/);
    // Its place is saved before it waits for the next look.
    const places = path.join(home.folder, 'state2', 'watch');
    await expect.poll(() => existsSync(places) && readdirSync(places).length).toBe(1);
    watch.child.kill('SIGINT');
    const watched = await watch.done;
    for (const { stdout, stderr } of [...runs, watched]) expect(stdout + stderr).not.toContain(KEY);
    expect([...runs, watched].map(({ code }) => code)).toEqual([0, 0, 8, 8, 130]);
    expect(filesWith(home.folder, KEY)).toEqual([home.saved]);
  });

  it('has no flag: what is given as one is refused, and not repeated in full', async ({ server, here }) => {
    for (const flag of ['--key', '--api-key', '--token']) {
      expect(await here(['access', flag, 'x'])).toMatchObject({ code: 2, stdout: '' });
    }
    expect(server.requests).toHaveLength(0);
  });
});
