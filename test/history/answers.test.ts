import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appendStats, readStatsLog } from '../../src/history/store/answers.ts';
import { createHome } from '../support/home.ts';
import { stats } from '../support/samples.ts';
import { DAY, NOW } from './support.ts';

it('medians are read oldest first, in whatever order they were appended', async () => {
  const { folder, remove } = createHome();
  onTestFinished(remove);
  const answers = [NOW - DAY, NOW - 3 * DAY, NOW - 2 * DAY].map((at) => ({
    at,
    type: 'a',
    stats: stats(),
  }));
  await appendStats(folder, ...answers);
  const times = (await readStatsLog(folder, NOW)).map(({ at }) => at);
  expect(times).toEqual([NOW - 3 * DAY, NOW - 2 * DAY, NOW - DAY]);
});

it('medians that the disk does not take are not said to be appended', async () => {
  const { folder, remove } = createHome();
  onTestFinished(remove);
  mkdirSync(join(folder, 'stats.ndjson'));
  const appending = appendStats(folder, { at: NOW, type: 'a', stats: stats() });
  await expect(appending).rejects.toMatchObject({ code: 'storage' });
});
