/** A month file is read once, whatever a run asks of it. */
import fs, { constants } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { appendToJournal } from '../../src/history/store/journal.ts';
import { coverageOf } from '../../src/history/store/manifest.ts';
import { cardOf, exportInto, HOUR, linesOf, monthFiles, NOW, setUp, started, stateOf, stored } from './support.ts';

const read: string[] = [];

beforeEach(() => {
  read.splice(0);
  const { openSync } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
    if (typeof flags === 'number' && (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0) read.push(String(path));
    return openSync(path, flags, mode);
  });
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** A card every four hours over three months. */
const details = Array.from({ length: 80 * 6 }, (_, i) => cardOf(i + 1, i * 4 + 0.5));

it('an export that takes up a killed one, lists, buys and asks for medians in three months reads each once', async () => {
  const { service, dir } = await started(details.slice(20), { allCredits: true, maxCredits: 60 });
  await appendToJournal(dir, { kind: 'page', items: [cardOf(9, 8 * 4)], coverage: coverageOf(stateOf(dir)) });
  service.details = details;
  read.splice(0);
  const { error, summary } = await exportInto(dir, service, { allCredits: true, maxCredits: 200, stats: true });
  expect([error, summary.medians]).toEqual([undefined, 2]);
  expect(summary.outcomes).toBeGreaterThan(50);
  const months = ['2026-08', '2026-09', '2026-10', '2026-11'].map((month) => `signals-${month}.ndjson`);
  expect(read.map((path) => basename(path)).filter((name) => name.startsWith('signals-'))).toHaveLength(4);
  expect(read.map((path) => basename(path))).toEqual(expect.arrayContaining(months));
});

it('a card that changes its month between list and detail is one line, bought once', async () => {
  const midnight = Date.UTC(2026, 10, 1);
  const listed = cardOf(7, (NOW - midnight) / HOUR, { created_at: '2026-10-31T23:59:59.600Z' });
  const others = [cardOf(3, 20 * 24), cardOf(9, 5 * 24)];
  const { service, dir } = setUp({ details: [...others, listed] });
  const bought: SignalDetail = { ...listed, created_at: '2026-11-01T00:00:00Z' };
  service.intercept = (name, { id }) => (name === 'signal' && id === 7 ? bought : undefined);
  await exportInto(dir, service, { outcomes: false });
  const requests: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    requests.push((await exportInto(dir, service)).sent.filter(({ name }) => name === 'signal').length);
    expect(stored(dir).filter(({ id }) => id === 7)).toEqual([bought]);
    await service.clock.sleep(24 * HOUR);
  }
  expect(requests).toEqual([3, 0, 0]);
  expect(monthFiles(dir).map((name) => linesOf(`${dir}/${name}`).length)).toEqual([1, 2]);
  const { months } = stateOf(dir);
  expect(months).toMatchObject({ '2026-10': { cards: 1, awaiting: 0 }, '2026-11': { cards: 2, awaiting: 0 } });
});
