/** What `access` foresees beside exports that run daily: of an answer, and while the service refuses requests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { DAY, HOUR } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { failure, ok } from '../support/server.ts';

const FORECAST = /^Forecast +(.*)$/m;

it('access says what exports will use, also if the service refuses to answer', async ({
  here,
  server,
}) => {
  const clock = new TestClock(NOW);
  const ages = [30, 36, 42];
  server.holds(ages.map((hours, n) => samples.nthSettled(n, NOW - hours * HOUR)));
  await here(['signals', 'export', '--quiet', '--no-stats'], { clock });
  // A rate is told from whole days.
  await clock.sleep(DAY);
  const creditsBefore = server.credits;
  server.requests.length = 0;
  const answered = await here(['access'], { clock });
  server.always('/access', failure(429, (2 * DAY) / 1000));
  const refused = await here(['access', '--json'], { clock });
  const blocked = await here(['access'], { clock });
  const forecast = expect.stringMatching(
    /^until the reset 2 more daily exports use about 4 of the \d+ left$/,
  );
  for (const page of [answered, blocked]) {
    const { code, stdout, stderr } = page;
    expect({ code, forecast: FORECAST.exec(stdout)?.[1], stderr }).toEqual({
      code: 0,
      forecast,
      stderr: '',
    });
  }
  expect(blocked.stdout).toMatch(/^Service +is refusing requests \(429\) until 30 Nov, 18:0\d UTC/);
  expect({ code: refused.code, error: errorLine(refused.stderr).code }).toEqual({
    code: 7,
    error: 'quota_exhausted',
  });
  expect({
    requests: server.requests.map((request) => request.path),
    credits: server.credits - creditsBefore,
  }).toEqual({ requests: ['/access', '/access'], credits: 0 });
});

it('a refused access that never had an answer says of no credits that they were spent since', async ({
  here,
  server,
}) => {
  server.always('/access', failure(429, HOUR / 1000));
  await here(['access', '--json']);
  const { stdout } = await here(['access', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    blocked_status: 429,
    known_at: null,
    spent_since: null,
  });
});

it.for([
  { what: 'count for 3 days', age: 3 * DAY - 1, isSaid: true },
  { what: 'do not count after 3 days', age: 3 * DAY, isSaid: false },
])('exports of access $what', async ({ age, isSaid }, { here, home, server }) => {
  server.holds([samples.nthSettled(0, NOW - 30 * HOUR)]);
  await here(['signals', 'export', '--quiet', '--no-stats']);
  const manifest = path.join(home.folder, 'data', 'history', 'export.json');
  const { last_run: lastRun } = JSON.parse(readFileSync(manifest, 'utf8'));
  const clock = new TestClock(Date.parse(lastRun.finished_at) + age);
  const { code, stdout, stderr } = await here(['access'], { clock });
  expect({ code, isSaid: /^Forecast .* exports? uses? /m.test(stdout), stderr }).toEqual({
    code: 0,
    isSaid,
    stderr: '',
  });
});

it.for(['at', 'serviceAt', 'items'])(
  'a field %s, which the document does not name, is no field of the program',
  async (field, { here, server }) => {
    const access = samples.access();
    server.always('/access', ok({ ...access, [field]: 7 }));
    const { code, stdout, stderr } = await here(['access', '--json']);
    expect({ code, access: JSON.parse(stdout || '{}') }, stderr).toMatchObject({
      code: 0,
      access: { ...access, [field]: 7 },
    });
    server.always('/access', ok({ ...access, [field]: 'x' }));
    expect((await here(['signals', 'export', '--no-stats'])).code).toBe(0);
    expect((await here(['signals', 'export', '--no-stats'])).code).toBe(0);
  },
);

it('access says both what the service says is left, and what is left if it does not count all credits yet', async ({
  here,
  server,
}) => {
  const clock = new TestClock(NOW);
  const creditsOf = async () => {
    const { stdout } = await here(['access'], { clock });
    return /^Credits .* used, (.*)$/m.exec(stdout)?.[1];
  };
  server.always('/access', ok(samples.access()));
  const before = await creditsOf();
  server.always('/signal-stats', ok(samples.stats()));
  const { code, stderr } = await here(['stats', '--type', 'pump_dump'], { clock });
  const late = await creditsOf();
  expect({ before, code, late }, stderr).toEqual({
    before: '900 left',
    code: 0,
    late: '900 left, or 895 if 5 spent here are not counted yet',
  });
  expect(stderr).toContain(', 895 this month');
  // What is not counted after an hour was not charged.
  await clock.sleep(2 * HOUR);
  await here(['access'], { clock });
  expect(await creditsOf()).toBe('900 left');
});
