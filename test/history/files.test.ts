/** A run's files: each read once, tampered with, and on systems that refuse what Linux allows. */
import { execFileSync } from 'node:child_process';
import system, {
  constants,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { DefaultHistory } from '../../src/history/default-history.ts';
import { appendToJournal } from '../../src/history/store/journal.ts';
import { coverageOf } from '../../src/history/store/manifest.ts';
import { testContext } from '../support/context.ts';
import {
  cardOf,
  cardsAnHourApart,
  exportInto,
  HOUR,
  linesOf,
  monthFiles,
  NOW,
  type Service,
  setUp,
  started,
  stateOf,
  stored,
} from './support.ts';

const { O_RDWR, O_WRONLY } = constants;

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const FILES = [
  '.lock',
  '.journal.ndjson',
  'export.json',
  'signals-2026-11.ndjson',
  'screeners.ndjson',
];

async function kept(count = 5): Promise<{ dir: string; service: Service }> {
  const { service, dir } = await started(cardsAnHourApart(count), { screeners: true });
  return { dir, service };
}

describe('in place of its files', () => {
  it.each(FILES)(
    '%s: a link is refused, and its target untouched; nobody waits for a pipe',
    async (name) => {
      const { dir, service } = await kept();
      const target = join(dirname(dir), 'mine');
      writeFileSync(target, 'mine\n');
      service.details = [cardOf(6, -1), ...cardsAnHourApart(5)];
      await service.clock.sleep(30 * HOUR);
      for (const [kind, lay] of Object.entries({
        link: (path: string) => symlinkSync(target, path),
        pipe: (path: string) => execFileSync('mkfifo', [path]),
      })) {
        rmSync(join(dir, name), { force: true });
        lay(join(dir, name));
        const { error } = await exportInto(dir, service, { screeners: true });
        expect(error, kind).toMatchObject({
          code: 'storage',
          message: expect.stringContaining(`${name} is a symbolic link`),
        });
        rmSync(join(dir, '.journal.ndjson'), { force: true });
      }
      expect(readFileSync(target, 'utf8')).toBe('mine\n');
    },
  );

  it('what a killed run left half written is cleaned up', async () => {
    const { dir, service } = await kept();
    writeFileSync(join(dir, 'signals-2026-11.ndjson.0123456789ab.tmp'), 'half');
    writeFileSync(join(dir, 'mine.tmp'), 'mine');
    await exportInto(dir, service);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual(['mine.tmp']);
  });
});

it('a system that lets nobody rename over an open file for a while: the run waits', async () => {
  const { dir, service } = await kept();
  service.details = [cardOf(6, -0.5), ...cardsAnHourApart(5)];
  await service.clock.sleep(HOUR);
  const real = system.renameSync;
  let refusals = 0;
  vi.spyOn(system, 'renameSync').mockImplementation((from, to) => {
    // Its lock is a folder, which nobody opens.
    if (refusals === 5 || basename(String(from)).startsWith('.lock')) return real(from, to);
    refusals += 1;
    throw Object.assign(new Error('open'), { code: ['EPERM', 'EBUSY', 'EACCES'][refusals % 3] });
  });
  syncBuiltinESMExports();
  expect((await exportInto(dir, service)).error).toBeUndefined();
  expect({ refusals, cards: stored(dir).length }).toEqual({ refusals: 5, cards: 6 });
});

describe('what is not kept is not paid for', () => {
  it.skipIf(process.platform !== 'linux')('below /proc no folder can be made', async () => {
    const { service } = await kept();
    const before = service.sent.length;
    const { error } = await exportInto('/proc/none/of/these', service);
    expect(error).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('/proc/none/of/these'),
    });
    expect(service.sent).toHaveLength(before);
  });

  it('where a file is read-only, an export sends nothing, and other commands say it before they buy', async () => {
    const { dir, service } = await kept();
    vi.spyOn(system, 'accessSync').mockImplementation((path) => {
      if (path === join(dir, 'screeners.ndjson') || path === dir)
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    });
    syncBuiltinESMExports();
    const before = service.sent.length;
    expect((await exportInto(dir, service)).error).toMatchObject({ code: 'storage' });
    expect(service.sent).toHaveLength(before);
    const warnings: string[] = [];
    const notes = { warn: (text: string) => void warnings.push(text), debug: () => {} };
    const context = testContext({ env: { SCREENER_HISTORY: dir } });
    await new DefaultHistory({ context, notes, account: 'account-a' }).usableDetails([1]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^What is bought cannot be kept in .*, so asking again costs again: EACCES: permission denied$/,
      ),
    ]);
  });
});

/** A card every four hours over three months. */
const threeMonths = Array.from({ length: 80 * 6 }, (_, i) => cardOf(i + 1, i * 4 + 0.5));

it('an export that takes up a killed one, lists, buys and asks for medians in three months reads each once', async () => {
  const { service, dir } = await started(threeMonths.slice(20), {
    allCredits: true,
    maxCredits: 60,
  });
  await appendToJournal(dir, {
    kind: 'page',
    items: [cardOf(9, 8 * 4)],
    coverage: coverageOf(stateOf(dir)),
  });
  service.details = threeMonths;
  const open = vi.spyOn(system, 'openSync');
  syncBuiltinESMExports();
  const { error, summary } = await exportInto(dir, service, {
    allCredits: true,
    maxCredits: 200,
    stats: true,
    // Else older cards wait on the first day of a history.
    since: Date.UTC(2026, 7, 1),
  });
  expect({ error, medians: summary.medians }).toEqual({ error: undefined, medians: 2 });
  expect(summary.outcomes, 'outcomes bought').toBeGreaterThan(50);
  const months = ['2026-08', '2026-09', '2026-10', '2026-11'].map(
    (month) => `signals-${month}.ndjson`,
  );
  const isReading = (flags: unknown) =>
    typeof flags === 'number' && (flags & (O_WRONLY | O_RDWR)) === 0;
  const read = open.mock.calls
    .filter(([, flags]) => isReading(flags))
    .map(([path]) => basename(String(path)));
  expect(read.filter((name) => name.startsWith('signals-')).sort()).toEqual(months);
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
    requests.push(
      (await exportInto(dir, service)).sent.filter(({ name }) => name === 'signal').length,
    );
    expect(
      stored(dir).filter(({ id }) => id === 7),
      `run ${run}`,
    ).toEqual([bought]);
    await service.clock.sleep(24 * HOUR);
  }
  expect(requests).toEqual([3, 0, 0]);
  expect(monthFiles(dir).map((name) => linesOf(`${dir}/${name}`).length)).toEqual([1, 2]);
  const { months } = stateOf(dir);
  expect(months).toMatchObject({
    '2026-10': { cards: 1, awaiting: 0 },
    '2026-11': { cards: 2, awaiting: 0 },
  });
});
