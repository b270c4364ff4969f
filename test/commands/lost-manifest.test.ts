/** Histories of which nothing says until when cards are listed: `export.json` is lost, damaged, or knows of no list. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { type ApiServer, ok } from '../support/server.ts';

const LATER = NOW + 20 * DAY + HOUR;
const SCREENS = ['today', 'today --changes', 'stats --local --by type', 'screeners --local'];
const SILENCE = /silent|no card|no new card|Loosen/i;

/** A card every six hours for five days, of two types that are switched on. */
function prepare(server: ApiServer): void {
  server.holds(
    Array.from({ length: 20 }, (_, n) => samples.nthSettled(n, NOW - (n * 6 + 1) * HOUR)),
  );
  const types = ['price', 'open_interest'];
  const items = types.map((type) => ({ type, active: true, conditions: {} }));
  server.always('/screeners', ok({ scope: 'current_settings', items }));
}

const manifestOf = (home: Home) => path.join(home.folder, 'data', 'history', 'export.json');

describe.each([
  { what: 'lost', damage: (file: string) => rmSync(file), warning: /^$/ },
  {
    what: 'damaged',
    damage: (file: string) => writeFileSync(file, '{'),
    warning:
      /^warning: \S+export\.json is damaged: .*\. The next `screener signals export` into this directory makes it again from the files beside it\.\n$/,
  },
])('where export.json is $what', ({ damage, warning }) => {
  it('no screen calls a type silent, and a damaged file is warned of once', async ({
    server,
    here,
    home,
  }) => {
    prepare(server);
    await here(['signals', 'export', '--quiet']);
    const clock = () => new TestClock(LATER);
    const whole = await here(['stats', '--local', '--by', 'type'], { clock: clock() });
    expect(whole.stdout).toMatch(/^Nothing exported for 20 days\./);
    damage(manifestOf(home));
    for (const line of [...SCREENS, 'report -', 'tune']) {
      const ran = await here(line.split(' '), { clock: clock() });
      expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
      expect(ran.stderr, line).toMatch(warning);
      expect(ran.stdout, line).not.toMatch(SILENCE);
    }
    const page = await here(['today'], { clock: clock() });
    expect(page.stdout).toMatch(
      /^No export is recorded here\. This page is as of .*\.\n {2}screener signals export$/m,
    );
  });
});

it('an export.json that knows of no list is no history until now', async ({ server, here }) => {
  prepare(server);
  await here(['signals', 'show', '8990', '--quiet']);
  await here(['screeners', '--quiet']);
  for (const line of SCREENS) {
    const ran = await here(line.split(' '), { clock: new TestClock(LATER) });
    expect(ran, line).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout, line).not.toMatch(SILENCE);
  }
});
