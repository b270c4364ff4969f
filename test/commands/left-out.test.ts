/** What is not as a user expects it, and what the program says of it: a lost file, a first export that failed. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { HOUR } from '../../src/base/units.ts';
import { it } from '../support/fixtures.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { failure } from '../support/server.ts';

describe('a month file that is lost', () => {
  it.for(['today', 'stats --local', 'signals ls --local', 'tune'])(
    'is named by screener %s, with how many cards are left out',
    async (words, { server, home, here }) => {
      server.holds(
        Array.from({ length: 6 }, (_, n) => samples.nthSettled(n, NOW - (n + 1) * HOUR)),
      );
      expect((await here(['signals', 'export'])).code).toBe(0);
      const whole = await here(words.split(' '));
      expect(whole.stderr).not.toContain('is missing');
      const file = path.join(home.folder, 'data', 'history', 'signals-2026-11.ndjson');
      rmSync(file);
      const { code, stderr } = await here(words.split(' '));
      const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
      expect({ code, warnings }).toEqual({
        code: 0,
        warnings: [
          `warning: ${file} is missing: its 6 cards are left out. Restore it from a backup before the next export.`,
        ],
      });
    },
  );

  it.for([
    { words: 'today', kept: 0 },
    { words: 'stats --local', kept: 4 },
    { words: 'signals ls --local', kept: 4 },
    { words: 'tune', kept: 0 },
  ])(
    'but for $kept of its lines is named by screener $words, with how many cards it has',
    async ({ words, kept }, { server, home, here }) => {
      server.holds(
        Array.from({ length: 6 }, (_, n) => samples.nthSettled(n, NOW - (n + 1) * HOUR)),
      );
      expect((await here(['signals', 'export'])).code).toBe(0);
      const file = path.join(home.folder, 'data', 'history', 'signals-2026-11.ndjson');
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, kept);
      writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
      const { code, stderr } = await here(words.split(' '));
      const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
      expect({ code, warnings }).toEqual({
        code: 0,
        warnings: [
          `warning: ${file} has only ${kept} of its 6 cards. Append a backup to it before the next export.`,
        ],
      });
    },
  );
});

it('--check after a first export that failed says why, and that the next one tries again', async ({
  server,
  here,
}) => {
  server.always('/signals', failure(503));
  expect((await here(['signals', 'export'])).code).toBe(8);
  const { code, stderr } = await here(['signals', 'export', '--check']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^error: No export into \S+ has succeeded yet: List refused since \d+ Nov \(503\)\.\nhint: The next export tries again, and says what is wrong:\n {2}screener signals export\n$/,
    ),
  });
});

it.for(['today', 'stats --local'])(
  'where SCREENER_HISTORY names a file, `%s` says that it must be a folder',
  async (words, { home, here }) => {
    const SCREENER_HISTORY = path.join(home.folder, 'a-file');
    writeFileSync(SCREENER_HISTORY, '');
    const { code, stderr } = await here(words.split(' '), { env: { SCREENER_HISTORY } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: There is no history in ${SCREENER_HISTORY}: it is a file, not a folder.\nhint: SCREENER_HISTORY must name a folder.\n`,
    });
  },
);

it('an id that is too large is named as it was typed', async ({ server, here }) => {
  const { code, stderr } = await here(['signals', 'show', '99999999999999999999']);
  expect({ code, stderr, requests: server.requests }).toEqual({
    code: 2,
    stderr: expect.stringContaining("not '99999999999999999999'"),
    requests: [],
  });
});

it('--all without --since says that the service chose where the list begins', async ({ here }) => {
  const { stderr } = await here(['signals', 'ls', '--all']);
  expect(stderr.replace(/\s+/g, ' ')).toMatch(
    /Without --since the service listed cards since \S+ \S+ UTC: an earlier --since may show more\./,
  );
});
