/** That a change of settings helped or hurt is said, and taken back, once judgements of two UTC days say so. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { appendScreeners } from '../../src/history/store/answers.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import { type Cron, startCron } from './cron.ts';
import { cardOf, DAY, HOUR } from './support.ts';

const START = Date.UTC(2026, 10, 20, 18, 5);
const DAYS = 40;
const CHANGED = START - 20 * DAY;

/** Eight cards a day, half of them of a type that is 6 pp better since its settings changed. */
const details: readonly SignalDetail[] = Array.from({ length: 8 * (DAYS + 4) }, (_, i) => {
  const one = cardOf(i + 1, 0);
  const at = START - DAYS * DAY + (i * DAY) / 8;
  const isTuned = i % 2 === 0;
  const noise = ((i * 7919) % 101) / 25 - 2;
  return {
    ...one,
    source_bot_type: isTuned ? 'tuned' : 'plain',
    source_symbol: `S${(i * 31) % 17}USDT`,
    created_at: new Date(at).toISOString(),
    outcome: one.outcome && {
      ...one.outcome,
      move_24h_pct: noise + (isTuned && at >= CHANGED ? 6 : 0),
      btc_move_24h_pct: ((i * 13) % 7) / 10,
    },
  };
});

/** An account that has bought all outcomes, and then learns of the change. */
async function changedAccount(): Promise<Cron> {
  const cron = await startCron({
    details,
    start: START,
    monthCredits: 100_000,
    dayCredits: 100_000,
  });
  expect(await cron.export('--all-credits', '--no-stats', '--no-screeners')).toMatchObject({
    code: 0,
  });
  await appendScreeners(cron.dir, settings(1), START - DAYS * DAY, null);
  await appendScreeners(cron.dir, settings(2), CHANGED, new Date(CHANGED - DAY).toISOString());
  return cron;
}

const settings = (threshold: number) => ({
  scope: 'current_settings' as const,
  items: [{ type: 'tuned', active: true, conditions: { threshold } }],
});

/** The next morning's run. */
async function nextDay(cron: Cron): Promise<void> {
  await cron.clock.sleep(DAY);
  expect(await cron.export('--all-credits', '--no-stats', '--no-screeners')).toMatchObject({
    code: 0,
  });
}

const changesIn = (cron: Cron) =>
  cron
    .notebook()
    .filter((line) => line.about === 'change')
    .map(({ at, type, verdict }) => ({ day: at.slice(0, 10), type, verdict }));

it('is written on the second day that says so, and told then', async () => {
  const cron = await changedAccount();
  await nextDay(cron);
  expect(changesIn(cron)).toEqual([]);
  expect(Object.keys(cron.manifest().awaiting)).toHaveLength(1);
  expect((await cron.command('today', '--changes')).stdout).not.toContain('your change');
  // By this machine's clock, a run of the same day is on the next day.
  await cron.clock.sleep(HOUR);
  cron.machineAhead = 26 * HOUR;
  expect((await cron.export('--all-credits', '--no-stats', '--no-screeners')).code).toBe(0);
  cron.machineAhead = 0;
  expect(changesIn(cron)).toEqual([]);
  await nextDay(cron);
  expect(changesIn(cron)).toEqual([{ day: '2026-11-22', type: 'tuned', verdict: 'higher' }]);
  expect(cron.manifest().awaiting).toEqual({});
  expect((await cron.command('today', '--changes')).stdout).toContain('helped');
});

it('is not written early where export.json does not say what waited: the first day counts again', async () => {
  const cron = await changedAccount();
  await nextDay(cron);
  const path = join(cron.dir, 'export.json');
  const { awaiting, ...others } = JSON.parse(readFileSync(path, 'utf8'));
  // The name that builds of before had for it.
  writeFileSync(path, JSON.stringify({ ...others, effects: awaiting }));
  await nextDay(cron);
  expect(changesIn(cron)).toEqual([]);
  await nextDay(cron);
  expect(changesIn(cron)).toEqual([{ day: '2026-11-23', type: 'tuned', verdict: 'higher' }]);
});

it('is taken back on the second day that is not sure of it: then no page says to undo the change', async () => {
  const cron = await changedAccount();
  const hurt: Finding = {
    at: formatApiTime(START),
    about: 'change',
    type: 'tuned',
    settings_since: formatApiTime(CHANGED),
    verdict: 'lower',
    difference_percentage_points: -2,
    interval_95: { low: -3, high: -1 },
  };
  appendFileSync(join(cron.dir, 'findings.ndjson'), `${JSON.stringify(hurt)}\n`);
  const onPages = async () => {
    const pages = [
      ['today'],
      ['stats', '--local', '--by', 'type'],
      ['screeners', '--local'],
      ['report', '-'],
    ];
    const texts: string[] = [];
    for (const words of pages) texts.push((await cron.command(...words)).stdout);
    return /[Uu]ndo/.test(texts.join('\n'));
  };
  await nextDay(cron);
  const verdictsIn = () => changesIn(cron).map(({ verdict }) => verdict);
  expect({ verdicts: verdictsIn(), undo: await onPages() }).toEqual({
    verdicts: ['lower'],
    undo: true,
  });
  expect(Object.keys(cron.manifest().awaiting)).toHaveLength(1);
  await nextDay(cron);
  expect(changesIn(cron).at(-1)).toEqual({ day: '2026-11-22', type: 'tuned', verdict: 'unclear' });
  const news = (await cron.command('today', '--changes')).stdout;
  expect(news).toContain('tuned: it is no longer sure that your change of 31 Oct hurt.');
  expect((await cron.command('today')).stdout).toContain('There is no reason to undo it any more.');
});
