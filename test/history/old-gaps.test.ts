/** A gap that is older than --since: a run that does not ask for it leaves it as it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { MINUTE } from '../../src/base/units.ts';
import { withoutPart, withPart } from '../../src/history/export/spans.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import type { ExportManifest } from '../../src/history/store/manifest.ts';
import { failure } from '../../src/sandbox/response.ts';
import { type Cron, cronWithRefusedDays, startCron } from './cron.ts';
import { cardsAnHourApart, DAY, HOUR, monthFiles, NOW } from './support.ts';

const details = cardsAnHourApart(240);
/** As the program writes a time: without milliseconds. */
const iso = (time: string) => time.replace('.000Z', 'Z');
const listOnly = ['--no-outcomes', '--no-screeners', '--no-stats', '--json'];

it('between spans: it is due, but only a run with an older --since asks for it, and counts on', async () => {
  const cron = await cronWithRefusedDays();
  await cron.export(...listOnly, '--since', '7d');
  const before = cron.manifest();
  expect(before.gaps).toMatchObject([{ times: 1 }]);

  await cron.clock.sleep(2 * HOUR);
  const { code, stdout, requests } = await cron.export(...listOnly, '--since', '12h');
  const windows = requests.filter(({ query }) => query.until !== undefined);
  const summary: ExportSummary = JSON.parse(stdout);
  const { complete, older_before, not_asked } = summary;
  const { stdout: check } = await cron.export('--check', '--max-age', '30d', '--json');
  expect({
    code,
    windows,
    gaps: cron.manifest().gaps,
    spans: cron.manifest().spans.length,
  }).toEqual({ code: 0, windows: [], gaps: before.gaps, spans: before.spans.length });
  // All is listed back to --since. What is missing before that is told.
  const told = not_asked.map(({ reason, again_at }) => ({ reason, again_at }));
  expect({ complete, older_before, told }).toEqual({
    complete: true,
    older_before: null,
    told: [{ reason: 'gap', again_at: null }],
  });
  expect(JSON.parse(check).not_asked).toEqual(not_asked);

  const again = await cron.export(...listOnly, '--since', '7d');
  expect(cron.manifest().gaps).toMatchObject([{ times: 2, until: before.gaps[0]?.until }]);
  expect(JSON.parse(again.stdout)).toMatchObject({ complete: false, stopped_by: 'window' });
});

it('beside a newer gap, which runs with this --since ask for: --check tells no time for the older one', async () => {
  const cron = await startCron({ details, start: NOW - 8 * DAY });
  await cron.export(...listOnly, '--since', '1d');
  for (const since of ['7d', '3d']) {
    const listedUntil = cron.clock.now();
    await cron.clock.sleep(4 * DAY);
    // A page has the cards of a day. The service refuses the days between this page and the last run.
    await cron.export(...listOnly, '--since', since, '--max-credits', '1');
    cron.answerInstead(({ operation, query }) =>
      operation === 'signals' && Date.parse(query.until ?? '') > listedUntil
        ? failure(422)
        : undefined,
    );
    await cron.export(...listOnly, '--since', since);
    cron.answerInstead(undefined);
  }
  const { stdout } = await cron.export(...listOnly, '--since', '3d');
  const { not_asked }: ExportSummary = JSON.parse(stdout);
  const { stdout: check } = await cron.export('--check', '--json');
  expect(not_asked).toMatchObject([{ again_at: null }, { again_at: expect.any(String) }]);
  expect(JSON.parse(check).not_asked).toEqual(not_asked);
});

it('behind all that is listed: a run between the two days on which the list begins there changes nothing', async () => {
  const end = NOW - 5 * DAY;
  const cron = await startCron({ details, start: NOW });
  cron.answerInstead(({ operation, query }) =>
    operation === 'signals' && Date.parse(query.since ?? '') < end ? failure(422) : undefined,
  );
  // The list is read back to five days ago. What is older is refused.
  await cron.export(...listOnly, '--since', '4d');
  await cron.export(...listOnly, '--since', '9d');
  const { gaps } = cron.manifest();
  expect(gaps).toMatchObject([{ begin: { first: expect.any(String) } }]);

  await cron.clock.sleep(DAY);
  const between = await cron.export(...listOnly, '--since', '2d');
  expect(JSON.parse(between.stdout)).toMatchObject({ complete: true, older_before: null });
  expect(cron.manifest().gaps).toEqual(gaps);

  const last = await cron.export(...listOnly, '--since', '9d');
  expect(last.stderr).toContain(`The service lists nothing before ${gaps[0]?.until}.`);
  expect(cron.manifest()).toMatchObject({ complete: true, gaps: [], begins_at: gaps[0]?.until });
});

it('of which only the end is newer than --since: the older part stays a gap, and is told', async () => {
  const cron = await cronWithRefusedDays();
  await cron.export(...listOnly, '--since', '7d');
  const [gap] = cron.manifest().gaps;
  const untilOfGap = Date.parse(gap?.until ?? '');
  await cron.clock.sleep(2 * HOUR);
  // The service gives the newer part now.
  const middle = new Date(untilOfGap - DAY).toISOString();
  cron.answerInstead(({ operation, query }) =>
    operation === 'signals' && Date.parse(query.since ?? '') < untilOfGap - DAY - HOUR
      ? failure(422)
      : undefined,
  );
  const { stdout } = await cron.export(...listOnly, '--since', middle);
  const summary: ExportSummary = JSON.parse(stdout);
  expect({ gaps: cron.manifest().gaps, told: summary.not_asked }).toMatchObject({
    gaps: [{ since: gap?.since, until: iso(middle), times: 1, at: gap?.at }],
    told: [{ reason: 'gap', since: gap?.since, until: iso(middle), again_at: null }],
  });
  expect(summary).toMatchObject({ complete: true, older_before: null });
  // Only the gap is unread.
  const [newest, oldest] = cron.manifest().spans;
  expect({ since: oldest?.until, until: newest?.since }).toEqual({
    since: gap?.since,
    until: iso(middle),
  });

  const again = await cron.export(...listOnly, '--since', '7d');
  expect(cron.manifest().gaps).toMatchObject([{ since: gap?.since, until: iso(middle), times: 2 }]);
  expect(JSON.parse(again.stdout)).toMatchObject({ complete: false, stopped_by: 'window' });
});

it('behind all that is listed, and only its end is newer than --since: the list begins elsewhere, if at all', async () => {
  const end = NOW - 5 * DAY;
  const refusedBefore = (time: number) => {
    cron.answerInstead(({ operation, query }) =>
      operation === 'signals' && Date.parse(query.since ?? '') < time - HOUR
        ? failure(422)
        : undefined,
    );
  };
  const cron = await startCron({ details, start: NOW });
  refusedBefore(end);
  await cron.export(...listOnly, '--since', '4d');
  await cron.export(...listOnly, '--since', '9d');
  const [gap] = cron.manifest().gaps;
  expect(gap).toMatchObject({ times: 1, begin: { first: expect.any(String) } });

  // On the next day the service gives a day more. What is older is a gap without an end that was seen before.
  await cron.clock.sleep(DAY);
  const middle = new Date(end - DAY).toISOString();
  refusedBefore(end - DAY);
  const { stdout } = await cron.export(...listOnly, '--since', middle);
  const older = { since: gap?.since, until: iso(middle), times: 1, at: gap?.at };
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, older_before: null });
  expect(cron.manifest().gaps).toEqual([older]);

  await cron.export(...listOnly, '--since', '10d');
  const { gaps, begins_at } = cron.manifest();
  const today = cron.clock.now();
  expect({ gaps, begins_at }).toMatchObject({ gaps: [{ until: iso(middle) }], begins_at: null });
  expect(Date.parse(gaps[0]?.begin?.first ?? '')).toBe(today);
  expect(gaps).toHaveLength(1);
});

/** Changes `export.json`. */
function rewrite(cron: Cron, change: (manifest: ExportManifest) => Partial<ExportManifest>) {
  const path = join(cron.dir, 'export.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, ...change(manifest) }));
}

it('keeps its count where a run that asks for it again fails before it comes to it', async () => {
  const cron = await cronWithRefusedDays();
  await cron.export(...listOnly, '--since', '7d');
  const { gaps } = cron.manifest();
  cron.answerInstead(({ operation }) => (operation === 'signals' ? failure(500) : undefined));
  await cron.clock.sleep(2 * HOUR);
  expect((await cron.export(...listOnly, '--since', '7d')).code).toBe(8);
  expect(cron.manifest().gaps).toEqual(gaps);
});

it('lies in a span in an export.json of before: it is asked for as any other', async () => {
  const cron = await cronWithRefusedDays();
  await cron.export(...listOnly, '--since', '7d');
  rewrite(cron, ({ spans, gaps }) => {
    const [gap = { since: '', until: '' }] = gaps;
    const part = { since: Date.parse(gap.since), until: Date.parse(gap.until) };
    return { spans: withPart(spans, part) };
  });
  cron.answerInstead(undefined);
  const cardsBefore = cron.cards().length;
  await cron.clock.sleep(2 * HOUR);
  await cron.export(...listOnly, '--since', '7d');
  expect(cron.manifest()).toMatchObject({ complete: true, gaps: [], spans: [{}] });
  expect(cron.cards().length).toBeGreaterThan(cardsBefore);
});

it('that a wrong clock left ahead of now hides no new card', async () => {
  const cron = await startCron({ details, start: NOW - DAY });
  await cron.export(...listOnly, '--since', '3d');
  const timeAt = (time: number) => iso(new Date(time).toISOString());
  const future = { since: timeAt(NOW + 2 * DAY), until: timeAt(NOW + 3 * DAY) };
  rewrite(cron, () => ({ gaps: [{ ...future, times: 1, at: timeAt(NOW - DAY) }] }));
  const before = cron.cards().length;
  await cron.clock.sleep(12 * HOUR);
  await cron.export(...listOnly, '--since', '3d');
  expect({ isMore: cron.cards().length > before, gaps: cron.manifest().gaps }).toEqual({
    isMore: true,
    gaps: [],
  });
});

it('that is due costs a page: --plan counts it as the run does', async () => {
  const cron = await startCron({ details, start: NOW });
  await cron.export(...listOnly, '--since', '9d');
  await cron.clock.sleep(2 * HOUR);
  const path = join(cron.dir, 'export.json');
  const manifest = cron.manifest();
  const creditsOf = async () => {
    const { stdout } = await cron.export(...listOnly, '--since', '9d', '--plan');
    const { credits_at_least, expected } = JSON.parse(stdout);
    return { least: credits_at_least, expected: expected?.credits };
  };
  const withoutGaps = await creditsOf();
  const parts = [5, 4, 3].map((days) => {
    const since = NOW - days * DAY - 20 * MINUTE;
    return { since, until: since + 40 * MINUTE };
  });
  const gaps = parts.map(({ since, until }, i) => ({
    since: formatApiTime(since),
    until: formatApiTime(until),
    // The last one waits for another day.
    at: formatApiTime(i === 2 ? NOW : NOW - 2 * DAY),
    times: i === 2 ? 2 : 1,
  }));
  const spans = parts.reduce(withoutPart, [...manifest.spans]);
  writeFileSync(path, JSON.stringify({ ...manifest, spans, gaps, complete: false }));
  const withGaps = await creditsOf();
  const { requests } = await cron.export(...listOnly, '--since', '9d');
  const pages = requests.filter(({ operation }) => operation === 'signals').length;
  expect({ withoutGaps, withGaps, pages, gaps: cron.manifest().gaps.length }).toEqual({
    withoutGaps: { least: 1, expected: 1 },
    withGaps: { least: 3, expected: 3 },
    pages: 3,
    gaps: 1,
  });
});

it('a look back that is put off, because a month file lacks cards, costs no page in --plan', async () => {
  const cron = await startCron({ details: cardsAnHourApart(240), start: NOW - DAY });
  const words = [...listOnly, '--since', '9d'];
  await cron.export(...words);
  const [file] = monthFiles(cron.dir);
  const path = join(cron.dir, file ?? '');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.toSpliced(3, 5).join('\n'));
  await cron.clock.sleep(DAY);
  // This run sees that the file lacks cards.
  await cron.export(...words);
  await cron.clock.sleep(HOUR);
  const { stdout } = await cron.export(...words, '--plan');
  const { requests } = await cron.export(...words);
  const pages = requests.filter(({ operation }) => operation === 'signals').length;
  // The new cards are a page. Those from 12 hours before the last look back on would make it two.
  expect({ expected: JSON.parse(stdout).expected.credits, pages }).toEqual({
    expected: 1,
    pages: 1,
  });
});
