/** A gap that is older than --since: a run that does not ask for it leaves it as it is. */
import { expect, it } from 'vitest';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { failure } from '../../src/sandbox/response.ts';
import { cronWithRefusedHole, startCron } from './cron.ts';
import { cardsAnHourApart, DAY, HOUR, NOW } from './support.ts';

const details = cardsAnHourApart(240);
const listOnly = ['--no-outcomes', '--no-screeners', '--no-stats', '--json'];

it('between spans: its turn has come, but only a run with an older --since asks for it, and counts on', async () => {
  const cron = await cronWithRefusedHole();
  await cron.export(...listOnly, '--since', '7d');
  const before = cron.manifest();
  expect(before.gaps).toMatchObject([{ times: 1, unlisted: true }]);

  await cron.clock.sleep(2 * HOUR);
  const { code, stdout, requests } = await cron.export(...listOnly, '--since', '12h');
  const windows = requests.filter(({ query }) => query.until !== undefined);
  const summary: ExportSummary = JSON.parse(stdout);
  const { complete, older_before, not_asked } = summary;
  expect({
    code,
    windows,
    gaps: cron.manifest().gaps,
    spans: cron.manifest().spans.length,
  }).toEqual({ code: 0, windows: [], gaps: before.gaps, spans: before.spans.length });
  // All is listed back to --since. What is missing before that is told.
  expect({ complete, older_before, reasons: not_asked.map(({ reason }) => reason) }).toEqual({
    complete: true,
    older_before: null,
    reasons: ['gap'],
  });

  const again = await cron.export(...listOnly, '--since', '7d');
  expect(cron.manifest().gaps).toMatchObject([{ times: 2, until: before.gaps[0]?.until }]);
  expect(JSON.parse(again.stdout)).toMatchObject({ complete: false, stopped_by: 'window' });
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
