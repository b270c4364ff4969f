/** The page of a screener: a fact that is not known has no line. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { formatApiTime } from '../../../src/api/time.ts';
import { DAY } from '../../../src/base/units.ts';
import { dayAndMonth } from '../../../src/output/format.ts';
import { NOW } from '../../support/date.ts';
import { it } from '../../support/fixtures.ts';
import { writeCards } from '../../support/history.ts';
import { measuredDetail } from '../../support/samples.ts';

it('of a type without others says how it did against BTC alone', async ({ home, here }) => {
  const cards = Array.from({ length: 60 }, (_, n) =>
    measuredDetail(
      { id: n + 1, created_at: formatApiTime(NOW - (n + 2) * DAY), source_bot_type: 'pump' },
      () => ({ state: 'available', move: 1 + (n % 5), btc: 0.1 }),
    ),
  );
  const from = writeCards(path.join(home.folder, 'alone'), cards);
  const { stdout, stderr, code } = await here(['screeners', 'pump', '--from', from]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const labels = stdout.split('\n').map((line) => line.split(/ {2,}/)[0]);
  expect(labels).toContain('vs BTC');
  expect(labels).not.toContain('vs others');
});

it('says until when a verdict stood that was taken back', async ({ home, here }) => {
  const cards = Array.from({ length: 60 }, (_, n) =>
    measuredDetail(
      { id: n + 1, created_at: formatApiTime(NOW - (n + 2) * DAY), source_bot_type: 'pump' },
      () => ({ state: 'available', move: n % 2 === 0 ? 1 : -1, btc: 0.1 }),
    ),
  );
  const from = writeCards(path.join(home.folder, 'withdrawn'), cards);
  const line = (daysAgo: number, verdict: string) =>
    JSON.stringify({
      at: formatApiTime(NOW - daysAgo * DAY),
      about: 'type',
      type: 'pump',
      verdict,
      to: 'btc',
      vs_btc: verdict,
      difference_percentage_points: 1,
      interval_95: null,
      sample: 30,
      source: 'bought',
      settings_since: null,
      least: 1,
    });
  const notebook = [line(40, 'above'), line(20, 'unclear')].join('\n');
  fs.writeFileSync(path.join(from, 'findings.ndjson'), `${notebook}\n`);
  const { stdout } = await here(['screeners', 'pump', '--from', from]);
  const dayOf = (daysAgo: number) => dayAndMonth(NOW - daysAgo * DAY);
  const earlier = `above BTC from ${dayOf(40)} to ${dayOf(20)}; no longer sure`;
  expect(stdout).toContain(`\nEarlier         ${earlier}\n`);
  const list = await here(['screeners', '--from', from]);
  expect(list.stdout).toContain(`\npump: ${earlier}.\n`);
});
