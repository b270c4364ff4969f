import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendStats, inSuccession, readStatsLog } from '../../src/history/stats-log.ts';
import { stats } from '../support/resources.ts';
import { HOUR, NOW, temporaryDirectories } from './support.ts';

const directory = temporaryDirectories();
const DAY = 24 * HOUR;

it('the answers that follow each other do not overlap, whatever was asked besides', async () => {
  const dir = directory();
  mkdirSync(dir);
  expect(await readStatsLog(dir)).toEqual([]);
  const asked = (type: string, days: number, minutes = 0) =>
    appendStats(dir, { at: NOW + days * DAY + minutes * 60_000, type, stats: stats({ screener_type: type }) });
  await asked('pump', 0);
  await asked('pump', 12);
  await asked('oi_surge', 3);
  appendFileSync(join(dir, 'stats.ndjson'), '{"asked_at":"2026-11-20T18:05:00Z","type":"pump","sta');
  // A daily run begins a few minutes earlier than 30 days before.
  await asked('pump', 30, -4);
  await asked('pump', 45);
  await asked('pump', 61);
  await asked('oi_surge', 40);
  const days = [...inSuccession(await readStatsLog(dir))].map(([type, answers]) => [
    type,
    answers.map(({ at }) => Math.round((at - NOW) / DAY)),
  ]);
  expect(Object.fromEntries(days)).toEqual({ pump: [0, 30, 61], oi_surge: [3, 40] });
});
