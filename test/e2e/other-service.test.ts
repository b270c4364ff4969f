/** A base URL that is left over in the environment, after a rehearsal with the sandbox for example. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it as base } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, failure, KEY } from '../support/server.ts';

/** Nothing is set: the saved login counts. */
const SAVED = { SCREENER_BASE_URL: undefined, SCREENER_API_KEY: undefined };

const it = base.extend<{ sandbox: ApiServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures off the pattern.
  sandbox: async ({}, use) => {
    const sandbox = await ApiServer.start();
    sandbox.holds(samples.cards(3));
    await use(sandbox);
    await sandbox.close();
  },
});

describe('a base URL that is left over in the environment', () => {
  it('the history of the saved login is refused, with --adopt, too', async ({
    server,
    sandbox,
    here,
    home,
  }) => {
    server.holds(samples.cards(3));
    await here(['login', '--base-url', server.baseUrl], { stdin: KEY, env: SAVED });
    expect(await here(['signals', 'export', '--quiet'], { env: SAVED })).toMatchObject({ code: 0 });
    const manifest = path.join(home.folder, 'data', 'history', 'export.json');
    const before = readFileSync(manifest, 'utf8');
    const exportLine = ['signals', 'export'];
    const runs = [
      { words: exportLine, env: sandbox.env, reason: 'SCREENER_BASE_URL is set' },
      { words: [...exportLine, '--adopt'], env: sandbox.env, reason: 'SCREENER_BASE_URL is set' },
      {
        words: [...exportLine, '--adopt', '--plan'],
        env: sandbox.env,
        reason: 'SCREENER_BASE_URL is set',
      },
      { words: ['today', '--refresh'], env: sandbox.env, reason: 'SCREENER_BASE_URL is set' },
      {
        words: [...exportLine, '--adopt', '--base-url', sandbox.baseUrl],
        env: { ...SAVED, SCREENER_API_KEY: KEY },
        reason: '--base-url was typed',
      },
    ];
    for (const { words, env, reason } of runs) {
      const ran = await here(words, { env });
      expect({ words, ...ran }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`your saved login at ${server.baseUrl}, but`),
      });
      expect(ran.stderr).toContain(`(${reason})`);
    }
    expect(sandbox.to('/signals')).toEqual([]);
    expect(readFileSync(manifest, 'utf8')).toBe(before);
  });

  it('after a login at its new address the history can be taken over', async ({
    server,
    sandbox,
    here,
  }) => {
    server.holds(samples.cards(3));
    await here(['login', '--base-url', server.baseUrl], { stdin: KEY, env: SAVED });
    await here(['signals', 'export', '--quiet'], { env: SAVED });
    await here(['login', '--base-url', sandbox.baseUrl], { stdin: KEY, env: SAVED });
    const ran = await here(['signals', 'export', '--adopt', '--quiet'], { env: SAVED });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it('an error that it may cause names it', async ({ server, sandbox, here }) => {
    await here(['login', '--base-url', server.baseUrl], { stdin: KEY, env: SAVED });
    const said = `SCREENER_BASE_URL is set: it counts in place of the saved base URL, ${server.baseUrl}.`;
    sandbox.always('/access', failure(401));
    const refused = await here(['access'], { env: sandbox.env });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(said) });
    await sandbox.close();
    const unreachable = await here(['access'], { env: sandbox.env });
    expect(unreachable).toMatchObject({ code: 8, stderr: expect.stringContaining(said) });
    const ofKey = await here(['access'], { env: { ...sandbox.env, SCREENER_API_KEY: undefined } });
    expect(ofKey).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Unset SCREENER_BASE'),
    });
    // The saved login itself, and a typed base URL, are not the fault of a variable.
    await server.close();
    const saved = await here(['access'], { env: SAVED });
    const typed = await here(['access', '--base-url', sandbox.baseUrl], { env: sandbox.env });
    for (const { code, stderr } of [saved, typed]) {
      expect(code).toBe(8);
      expect(stderr).not.toContain('is set');
    }
  });

  it('a login on a terminal says that it does not ask for another', async ({ server, here }) => {
    const { stderr } = await here(['login'], { tty: 200, isTyped: true, stdin: `${KEY}\r` });
    const [beforeQuestion] = stderr.split('API key for');
    expect(beforeQuestion).toContain(
      `SCREENER_BASE_URL is set: you log in at ${server.baseUrl}. Unset it to log in elsewhere.`,
    );
  });
});
