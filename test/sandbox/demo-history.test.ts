import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { loadManifest } from '../../src/history/store/manifest.ts';
import { readScreenersLog } from '../../src/history/store/screeners-log.ts';
import { readStatsLog } from '../../src/history/store/stats-log.ts';
import type { GroupFigures, HorizonFigures } from '../../src/outcomes/figure-table.ts';
import { inSuccession } from '../../src/outcomes/service-answers.ts';
import { type DemoHistory, demoHistory } from '../../src/sandbox/demo-history.ts';
import { demoWorld } from '../../src/sandbox/market/market-world.ts';
import { TestClock } from '../support/context.ts';
import { it as run } from '../support/fixtures.ts';
import { bench, START } from './support.ts';

const DAY = 86_400_000;

describe('the history of the demo', () => {
  let demo: DemoHistory;
  let rows: SignalDetail[];
  let lastRun: number;
  beforeAll(async () => {
    demo = await demoHistory(START);
    lastRun = Date.parse((await loadManifest(demo.directory))?.last_run?.finished_at ?? '');
    const names = (await readdir(demo.directory)).filter((name) => name.startsWith('signals-')).sort();
    const texts = await Promise.all(names.map((name) => readFile(path.join(demo.directory, name), 'utf8')));
    rows = texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as SignalDetail);
  });
  afterAll(() => demo.close());

  const age = ({ created_at }: SignalDetail): number => (lastRun - Date.parse(created_at)) / DAY;

  it('is what the service of that moment lists and shows, oldest first', () => {
    const service = bench({ world: demoWorld(START) });
    service.clock.now = lastRun;
    expect(rows.map(({ id }) => id)).toEqual(
      demoWorld(START)
        .index(lastRun)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(Math.max(...rows.map(age))).toBeGreaterThan(89);
    for (const row of rows.slice(-400)) {
      const detail = service.resource<SignalDetail>(`/signals/${row.id}`);
      expect(detail).toMatchObject(row);
      if ('outcome' in row) expect(row).toEqual(detail);
    }
  });

  it('has about 41 % of the outcomes that were due, of every state', () => {
    const due = rows.filter((row) => age(row) > 1.01);
    expect(due.filter((row) => 'outcome' in row).length / due.length).toBeCloseTo(0.41, 1);
    const states = new Set(rows.filter((row) => 'outcome' in row).map(({ outcome }) => outcome?.state_24h));
    expect(states).toEqual(new Set(['available', 'missing', 'pending', undefined]));
  });

  it('knows of a change of settings half-way, and the service’s medians before and after it', async () => {
    const [first, change, ...more] = await readScreenersLog(demo.directory);
    expect([more.length, first?.screeners === change?.screeners]).toEqual([0, false]);
    const service = bench({ world: demoWorld(START) });
    const answers = inSuccession(await readStatsLog(demo.directory));
    expect([...answers.keys()]).toContain('price_spike');
    for (const [type, asked] of answers) {
      if (type !== 'breakout') expect(asked.map(({ at }) => at)).toEqual([change?.at, (change?.at ?? 0) + 30 * DAY]);
      for (const { at, stats } of asked) {
        service.clock.now = at;
        expect(service.resource(`/signal-stats?screener_type=${type}`)).toEqual(stats);
      }
    }
  });

  it('has an export.json that says the same', async () => {
    const manifest = await loadManifest(demo.directory);
    const counted = Object.values(manifest?.months ?? {}).reduce((sum, { cards }) => sum + cards, 0);
    expect(counted).toBe(rows.length);
    const { outcomes_due: due = 0, outcomes_later: later = 0 } = manifest?.remaining ?? {};
    const awaiting = rows.filter((row) => !('outcome' in row) || row.outcome?.state_24h === 'pending').length;
    expect(due + later).toBe(awaiting);
    expect(due).toBeGreaterThan(50);
  });
});

run('its answers have a yes, a no, a difference that does not matter and a not yet', async ({ here }) => {
  const answer = async (...words: string[]) =>
    JSON.parse((await here(['--demo', ...words, '--json'], { clock: new TestClock(START) })).stdout);
  const { items } = await answer('stats', '--local', '--by', 'type');
  const day = items.map(({ group, horizons }: GroupFigures) => [group, horizons['24h']] as const);
  expect(
    Object.fromEntries(day.map(([type, figures]: [string, HorizonFigures]) => [type, figures.shown_verdict])),
  ).toEqual({
    oi_growth: 'above_others',
    // Its settings changed half-way.
    price_spike: 'unclear',
    volume_burst: 'none',
    funding_extreme: 'below_others',
    breakout: 'unclear',
  });
  // Some cards are BTC's own: they are left out of what is compared with it.
  expect(day[0][1].cards_of_btc).toBeGreaterThan(0);
  const { questions } = await answer('tune', 'oi_growth');
  const told = questions.flatMap(({ key, horizon, verdict }: Record<string, string>) =>
    horizon === '24h' && verdict !== 'unclear' ? [[key, verdict]] : [],
  );
  expect(told).toEqual([
    ['oi_change_pct', 'higher'],
    ['market_rsi_1d', 'constant_within_days'],
  ]);
});

it('is for nobody else, the same each time, and gone at the end', async () => {
  const [first, second] = [await demoHistory(START), await demoHistory(START)];
  const file = 'signals-2026-11.ndjson';
  const [one, two] = await Promise.all([first, second].map(({ directory }) => readFile(path.join(directory, file))));
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
  if (process.platform !== 'win32') expect(statSync(first.directory).mode & 0o777).toBe(0o700);
  await Promise.all([first.close(), second.close()]);
  expect([first, second].map(({ directory }) => existsSync(directory))).toEqual([false, false]);
});

run('without a folder for temporary files the demo says so, and calls it no bug', async ({ screener }) => {
  const ran = await screener(['--demo', 'today'], { env: { TMPDIR: '/nowhere' } });
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('cannot be written to /nowhere (ENOENT).\nhint: Set TMPDIR');
  expect(ran.stderr).not.toContain('bug');
});
