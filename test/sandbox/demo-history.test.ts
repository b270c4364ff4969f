import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { loadManifest } from '../../src/history/export-manifest.ts';
import { readScreenersLog } from '../../src/history/screeners-log.ts';
import { type DemoHistory, demoHistory } from '../../src/sandbox/demo-history.ts';
import { bench, marketWorld, passes, START } from './support.ts';

const DAY = 86_400_000;

describe('the history of the demo', () => {
  let demo: DemoHistory;
  let rows: SignalDetail[];
  beforeAll(async () => {
    demo = await demoHistory(START);
    const names = (await readdir(demo.directory)).filter((name) => name.startsWith('signals-')).sort();
    expect(names).toEqual([8, 9, 10, 11].map((month) => `signals-2026-${String(month).padStart(2, '0')}.ndjson`));
    const texts = await Promise.all(names.map((name) => readFile(path.join(demo.directory, name), 'utf8')));
    rows = texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as SignalDetail);
  });
  afterAll(() => demo.close());

  const age = ({ created_at }: SignalDetail): number => (START - Date.parse(created_at)) / DAY;
  const bought = () => rows.filter((row) => 'outcome' in row);

  it('is 90 days of cards, oldest first, with a gap', () => {
    expect(rows.length).toBeGreaterThan(2000);
    const ages = rows.map(age);
    expect(ages).toEqual([...ages].sort((a, b) => b - a));
    expect(Math.max(...ages)).toBeLessThan(90);
    expect(Math.max(...ages)).toBeGreaterThan(89);
    const pauses = ages.map((one, i) => one - (ages[i + 1] ?? 0));
    expect(pauses.filter((pause) => pause > 1.9)).toHaveLength(1);
  });

  it('has outcomes of every state, some days fewer, and all as the document allows', () => {
    const states = new Set(bought().map(({ outcome }) => outcome?.state_24h));
    expect(states).toEqual(new Set(['available', 'missing', 'pending', undefined]));
    const share = (from: number, to: number): number => {
      const within = rows.filter((row) => age(row) > from && age(row) < to);
      return within.filter((row) => 'outcome' in row).length / within.length;
    };
    expect(share(58, 63)).toBeLessThan(0.5);
    expect(share(2, 40)).toBeGreaterThan(0.9);
    for (const row of bought().slice(-100)) expect(passes(OPERATIONS.signal.schema, row)).toBe('passes');
  });

  it('finds the effect of one type, and none of the others', () => {
    const medianOf = (type: string): number => {
      const beyond = bought()
        .filter((row) => row.source_bot_type === type)
        .flatMap(({ outcome }) => {
          const { move_24h_pct: move, btc_move_24h_pct: btc } = outcome ?? {};
          return typeof move === 'number' && typeof btc === 'number' ? [move - btc] : [];
        })
        .sort((a, b) => a - b);
      return beyond[beyond.length >> 1] ?? Number.NaN;
    };
    expect(Math.abs(medianOf('oi_growth') - 1.8)).toBeLessThan(0.8);
    expect(Math.abs(medianOf('price_spike'))).toBeLessThan(0.8);
  });

  it('has a silent screener and a change of settings', async () => {
    const silent = rows.filter((row) => row.source_bot_type === 'breakout').map(age);
    expect(silent.length).toBeGreaterThan(50);
    expect(Math.min(...silent)).toBeGreaterThan(14);
    const looks = await readScreenersLog(demo.directory);
    expect(looks).toHaveLength(2);
    expect(looks[1]?.screeners).toEqual(bench({ world: marketWorld() }).resource('/screeners'));
    expect(looks[0]?.screeners).not.toEqual(looks[1]?.screeners);
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

  it('holds the cards the service lists', () => {
    const world = marketWorld(1, 300);
    const lists = new Set(world.index(START).map(({ id }) => id));
    expect(rows.slice(-200).every(({ id }) => lists.has(id))).toBe(true);
  });
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
