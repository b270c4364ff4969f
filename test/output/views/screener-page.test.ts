/** The page of a screener: a fact that is not known has no line. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { formatApiTime } from '../../../src/api/time.ts';
import { DAY } from '../../../src/base/units.ts';
import { appendScreeners } from '../../../src/history/store/answers.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { dayAndMonth } from '../../../src/output/format.ts';
import {
  type LocalScreener,
  pageOfAllTypes,
  pageOfType,
} from '../../../src/output/views/local-screeners.ts';
import { NOW } from '../../support/date.ts';
import { it } from '../../support/fixtures.ts';
import { writeCards } from '../../support/history.ts';
import { measuredDetail } from '../../support/samples.ts';
import { judged, sure } from '../../support/standing.ts';
import { outputTo } from '../written.ts';

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

it('of a type with others on few of its days says how it did against BTC alone', async ({
  home,
  here,
}) => {
  const measured = (id: number, daysAgo: number, source_bot_type: string) =>
    measuredDetail({ id, created_at: formatApiTime(NOW - daysAgo * DAY), source_bot_type }, () => ({
      state: 'available',
      move: 1 + (id % 5),
      btc: 0.1,
    }));
  const pumps = Array.from({ length: 60 }, (_, n) => measured(n + 1, n + 2, 'pump'));
  const dumps = Array.from({ length: 40 }, (_, n) => measured(n + 101, 2 + (n % 10), 'dump'));
  const from = writeCards(path.join(home.folder, 'few others'), [...pumps, ...dumps]);
  const { stdout } = await here(['screeners', 'pump', '--from', from]);
  const { stdout: json } = await here(['stats', '--by', 'type', '--from', from, '--json']);
  const pump = JSON.parse(json).items.find(({ group }: { group: string }) => group === 'pump');
  expect(pump.horizons['24h'].median_vs_others_percentage_points).not.toBeNull();
  expect(stdout).toMatch(/^Verdict vs BTC /m);
  expect(stdout).not.toMatch(/^(vs )?others/m);
});

it('says on every screen until when a verdict stood that was taken back, and what came since', async ({
  home,
  here,
}) => {
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
      weak: false,
    });
  const notebook = [line(40, 'above'), line(20, 'unclear')].join('\n');
  fs.writeFileSync(path.join(from, 'findings.ndjson'), `${notebook}\n`);
  const { stdout } = await here(['screeners', 'pump', '--from', from]);
  const dayOf = (daysAgo: number) => dayAndMonth(NOW - daysAgo * DAY);
  const parts = '-0.10 in the last 30 days, -0.10 before';
  const until = `above BTC until ${dayOf(20)}`;
  expect(stdout).toContain(`\nVerdict vs BTC  ${until}; no longer sure: keep\n`);
  expect(stdout).toContain(`\nLately          ${parts}\n`);
  const keep = '\nKeep    for now pump (no longer sure)\n';
  const today = await here(['today', '--from', from]);
  expect(today.stdout).toContain(keep.trimStart());
  const list = await here(['screeners', '--from', from]);
  const lineOfType = `^pump .* ${until}; no longer sure`;
  expect(today.stdout).toMatch(new RegExp(`${lineOfType}( |$)`, 'm'));
  expect(list.stdout).toMatch(new RegExp(`${lineOfType}: keep( |$)`, 'm'));
  const ranking = await here(['stats', '--by', 'type', '--from', from]);
  expect(ranking.stdout).toContain(keep);
  expect(ranking.stdout).toMatch(new RegExp(`^No longer sure\n  pump .* ${until}$`, 'm'));
});

it('names no screener that was removed in what to do, and says on each screen that it was', async ({
  home,
  here,
}) => {
  const cards = Array.from({ length: 80 }, (_, n) => {
    const type = n % 2 === 0 ? 'pump' : 'gone';
    const created_at = formatApiTime(NOW - (3 + n / 2) * DAY);
    return measuredDetail({ id: n + 1, created_at, source_bot_type: type }, () => ({
      state: 'available',
      move: n % 3,
      btc: 0.1,
    }));
  });
  const from = writeCards(path.join(home.folder, 'removed'), cards);
  const lookAt = async (daysAgo: number, ...types: string[]) => {
    const conditions = { level: 3, window: 15, repeats: 'none within the hour' };
    const items = types.map((type) => ({ type, active: true, conditions }));
    const screeners = { scope: 'current_settings' as const, items };
    await appendScreeners(from, screeners, NOW - daysAgo * DAY, null);
  };
  await lookAt(30, 'pump', 'gone');
  const before = await here(['today', '--from', from]);
  expect(before.stdout).toMatch(/^(Keep|To do) .*\bgone\b/m);
  await lookAt(1, 'pump');
  const today = await here(['today', '--from', from]);
  const list = await here(['screeners', '--from', from]);
  const narrowList = await here(['screeners', '--from', from, '--no-color'], { tty: 50 });
  expect(narrowList.stdout).toMatch(/^gone /m);
  expect(narrowList.stdout).not.toMatch(/^ *–\r?$/m);
  const ranking = await here(['stats', '--by', 'type', '--from', from]);
  for (const [page, { stdout }] of Object.entries({ today, ranking }))
    expect(stdout, page).not.toMatch(/^(Keep|Drop|Change|To do) .*\bgone\b/m);
  for (const [page, { stdout }] of Object.entries({ today, list }))
    expect(stdout, page).toMatch(/^gone +.*no longer among your screeners( |$)/m);
  expect(ranking.stdout).toMatch(/^ {2}gone \(removed\) /m);
});

/** An outcome of two days ago. */
const cardOf = (type: string) =>
  measuredDetail({ created_at: formatApiTime(NOW - 2 * DAY), source_bot_type: type }, () => ({
    state: 'available',
    move: 1,
    btc: 0.1,
  }));

it('of a screener that is off, and sent no card, has its settings', async ({ home, here }) => {
  const from = writeCards(path.join(home.folder, 'off'), [cardOf('pump')]);
  const items = [{ type: 'dump', active: false, conditions: { level: 3 } }];
  const screeners = { scope: 'current_settings' as const, items };
  await appendScreeners(from, screeners, NOW - DAY, null);
  const { stdout, stderr, code } = await here(['screeners', 'dump', '--from', from]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const facts = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(Object.fromEntries(facts)).toMatchObject({ Verdict: 'no cards', Settings: 'level 3' });
});

describe('the settings of the list stand below it', () => {
  it.for([
    { levels: [3, 3], below: 'level 3; exchange okx', lines: [] },
    { levels: [3, 4], below: 'exchange okx', lines: ['level 3', 'level 4'] },
    // Its line has them.
    { levels: [3], below: undefined, lines: ['level 3; exchange okx'] },
  ])('if several screeners have the same: %j', async ({ levels, below, lines }, { home, here }) => {
    const from = writeCards(path.join(home.folder, levels.join('-')), [cardOf('type_0')]);
    const items = levels.map((level, n) => ({
      type: `type_${n}`,
      active: true,
      conditions: { level, exchange: 'okx' },
    }));
    await appendScreeners(from, { scope: 'current_settings', items }, NOW - DAY, null);
    const { stdout, code } = await here(['screeners', '--from', from]);
    const [, saidBelow] = /^Settings of all: (.*)$/m.exec(stdout) ?? [];
    const saidOnLines = [...stdout.matchAll(/^type_\d .* {2}(level .*)$/gm)].map(
      ([, text]) => text,
    );
    expect({ code, saidBelow, saidOnLines }, stdout).toEqual({
      code: 0,
      saidBelow: below,
      saidOnLines: lines,
    });
  });
});

/** The note that says what to do with a type. */
const NOTE_OF_ADVICE = /keep for now\.$/;

it.each([
  { what: 'unclear', others: [judged('b', 'unclear')], note: 'Unclear: keep for now.' },
  {
    what: 'unclear with a difference as large as one that would show',
    others: [judged('b', 'unclear', { wouldShow: 1.5, base: { ...sure, median: 1.52 } })],
    note: 'Not sure yet: keep for now.',
  },
  { what: 'too early', others: [judged('b', 'too_few_days')], note: 'Too few days: keep for now.' },
  {
    what: 'unclear, and of one that is too early',
    others: [judged('b', 'unclear'), judged('c', 'too_few_days')],
    note: 'Unclear, or too few days: keep for now.',
  },
  // Its line says it.
  { what: 'silent', others: [judged('b', 'unclear', { silentDays: 19 })], note: '' },
])('the list says once what to do with a type that is $what', async ({ others, note }) => {
  const standings = [judged('a', 'above'), ...others];
  const screeners = standings.map(({ group }) => ({
    type: group,
    active: true,
    conditions: null,
    settings_since: null,
  })) as unknown as LocalScreener[];
  const { context, output } = outputTo('table');
  const page = {
    standings,
    caveats: '',
    rateDays: 'in the last 28 days',
    exportCommand: '',
    statsCommand: 'x',
  };
  await output.page((render) => pageOfAllTypes(screeners, [], page, render));
  const said = context.stdout.text.split('\n').filter((line) => NOTE_OF_ADVICE.test(line));
  expect(said).toEqual(note === '' ? [] : [note]);
});

it('says what a verdict vs BTC needs, if its 95 % interval leaves out 0', async () => {
  const figures = {
    median_vs_btc_interval_95: { low: -2.4, high: -0.1 },
  } as Standing['figures'];
  const screener = { type: 'pump', active: true, conditions: null } as LocalScreener;
  const page = {
    screeners: [screener],
    rateDays: 'in the last 28 days',
    history: { changes: [], sides: [] },
    tuning: { questions: [], cuts: [] },
    allTypes: { standings: [judged('pump', 'below', { figures })], caveats: '' },
    moreCommands: [],
  } as unknown as Parameters<typeof pageOfType>[0];
  const { context, output } = outputTo('table');
  await output.page((render) => pageOfType(page, render));
  expect(context.stdout.text).toContain(
    'To be called above or below, it must be 99.7 % sure that it is outside ±0.1 pp.',
  );
});
