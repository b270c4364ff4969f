/** A directory that somebody has tampered with, and systems that refuse what Linux allows. */
import { execFileSync } from 'node:child_process';
import system, { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DefaultHistory } from '../../src/history/default-history.ts';
import { testContext } from '../support/context.ts';
import { cardOf, cardsAnHourApart, exportInto, HOUR, type Service, started, stored } from './support.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const FILES = ['.lock', '.journal.ndjson', 'export.json', 'signals-2026-11.ndjson', 'screeners.ndjson'];

async function kept(count = 5): Promise<{ dir: string; service: Service }> {
  const { service, dir } = await started(cardsAnHourApart(count), { screeners: true });
  return { dir, service };
}

describe('in place of its files', () => {
  it.each(FILES)('%s: a link is refused, and its target untouched; nobody waits for a pipe', async (name) => {
    const { dir, service } = await kept();
    const target = join(dirname(dir), 'mine');
    writeFileSync(target, 'mine\n');
    service.details = [cardOf(6, -1), ...cardsAnHourApart(5)];
    await service.clock.sleep(30 * HOUR);
    for (const lay of [(path: string) => symlinkSync(target, path), (path: string) => execFileSync('mkfifo', [path])]) {
      rmSync(join(dir, name), { force: true });
      lay(join(dir, name));
      const { error } = await exportInto(dir, service, { screeners: true });
      expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining(`${name} is a symbolic link`) });
      rmSync(join(dir, '.journal.ndjson'), { force: true });
    }
    expect(readFileSync(target, 'utf8')).toBe('mine\n');
  });

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
  const real = fs.rename;
  let refusals = 0;
  vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    if (refusals === 5) return real(from, to);
    refusals += 1;
    throw Object.assign(new Error('open'), { code: ['EPERM', 'EBUSY', 'EACCES'][refusals % 3] });
  });
  expect((await exportInto(dir, service)).error).toBeUndefined();
  expect([refusals, stored(dir).length]).toEqual([5, 6]);
});

describe('what is not kept is not paid for', () => {
  it.skipIf(process.platform !== 'linux')('below /proc no folder can be made', async () => {
    const { service } = await kept();
    const before = service.sent.length;
    const { error } = await exportInto('/proc/none/of/these', service);
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('/proc/none/of/these') });
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
    await new DefaultHistory({ context, notes, account: 'account-a' }).settled([1]);
    expect(warnings).toEqual([expect.stringMatching(/^Outcomes cannot be kept in .*: EACCES: permission denied$/)]);
  });
});
