/** A month file is read once, whatever a run or a command asks of it. */
import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import { basename } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { run as list } from '../../src/commands/signals-ls.ts';
import { Journal } from '../../src/history/store/journal.ts';
import { coverageOf } from '../../src/history/store/manifest.ts';
import {
  cardOf,
  directory,
  exportInto,
  HOUR,
  invocationOf,
  linesOf,
  monthFiles,
  NOW,
  Service,
  started,
  stateOf,
  stored,
} from './support.ts';

const read: string[] = [];

beforeEach(() => {
  read.splice(0);
  const { open } = fs;
  vi.spyOn(fs, 'open').mockImplementation((path, flags, mode) => {
    if (typeof flags === 'number' && (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0) read.push(String(path));
    return open(path, flags, mode);
  });
});

afterEach(() => vi.restoreAllMocks());

/** How often each file of this kind was read. */
function readings(kind: RegExp): Record<string, number> {
  const names = read.map((path) => basename(path)).filter((name) => kind.test(name));
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, names.filter((one) => one === name).length]),
  );
}

/** A card every four hours over three months. */
const details = Array.from({ length: 80 * 6 }, (_, i) => cardOf(i + 1, i * 4 + 0.5));

it('an export that takes up a killed one, lists and buys in three months reads each once', async () => {
  const { service, dir } = await started(details.slice(20), { allCredits: true, maxCredits: 60 });
  const journal = await Journal.open(dir);
  await journal.append({ kind: 'page', items: [cardOf(9, 8 * 4)], coverage: coverageOf(stateOf(dir)) });
  service.details = details;
  read.splice(0);
  const { error, summary } = await exportInto(dir, service, { allCredits: true, maxCredits: 200 });
  expect(error).toBeUndefined();
  expect(summary.outcomes).toBeGreaterThan(50);
  expect(readings(/^signals-/)).toEqual({
    'signals-2026-08.ndjson': 1,
    'signals-2026-09.ndjson': 1,
    'signals-2026-10.ndjson': 1,
    'signals-2026-11.ndjson': 1,
  });
});

it('signals ls --outcomes over three months opens the history once, and reads no month twice', async () => {
  const service = new Service({ details });
  const dir = directory();
  for (let day = 0; day < 4; day += 1) {
    await exportInto(dir, service, { allCredits: true });
    service.nextDay();
  }
  const invocation = invocationOf({ service });
  Object.assign(invocation.context, { env: { SCREENER_HISTORY: dir } });
  read.splice(0);
  const before = service.credits;
  const options = { limit: 470, outcomes: true, since: NOW - 79 * 24 * HOUR };
  await list(invocation, options as unknown as Parameters<typeof list>[1]);
  // 19 pages; of the last day nothing is settled yet, and the youngest is not asked for.
  expect(service.credits - before).toBe(19 + 5);
  expect(readings(/^(signals-|\.journal|export)/)).toEqual({
    '.journal.ndjson': 1,
    'export.json': 2,
    'signals-2026-09.ndjson': 1,
    'signals-2026-10.ndjson': 1,
    'signals-2026-11.ndjson': 1,
  });
});

it('a card that changes its month between list and detail is one line, bought once', async () => {
  const midnight = Date.UTC(2026, 10, 1);
  const listed = cardOf(7, (NOW - midnight) / HOUR, { created_at: '2026-10-31T23:59:59.600Z' });
  const others = [cardOf(3, 20 * 24), cardOf(9, 5 * 24)];
  const service = new Service({ details: [...others, listed] });
  const bought: SignalDetail = { ...listed, created_at: '2026-11-01T00:00:00Z' };
  service.intercept = (name, { id }) => (name === 'signal' && id === 7 ? bought : undefined);
  const dir = directory();
  await exportInto(dir, service, { outcomes: false });
  const requests: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    requests.push((await exportInto(dir, service)).sent.filter(({ name }) => name === 'signal').length);
    expect(stored(dir).filter(({ id }) => id === 7)).toEqual([bought]);
    await service.clock.sleep(24 * HOUR);
  }
  expect(requests).toEqual([3, 0, 0]);
  expect(monthFiles(dir).map((name) => linesOf(`${dir}/${name}`).length)).toEqual([1, 2]);
  expect(stateOf(dir).months).toEqual({ '2026-10': { cards: 1, awaiting: 0 }, '2026-11': { cards: 2, awaiting: 0 } });
});
