/** A directory that somebody has tampered with, and systems that refuse what Linux allows. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readScreenersLog } from '../../src/history/store/screeners-log.ts';
import { cardOf, cardsAnHourApart, exportInto, HOUR, type Service, started, stored } from './support.ts';

afterEach(() => vi.restoreAllMocks());

const FILES = ['.lock', '.journal.ndjson', 'export.json', 'signals-2026-11.ndjson', 'screeners.ndjson'];

async function kept(count = 5): Promise<{ dir: string; service: Service }> {
  const { service, dir } = await started(cardsAnHourApart(count), { screeners: true });
  return { dir, service };
}

describe('in place of its files', () => {
  it.each(FILES)('%s: a link is refused, and its target untouched', async (name) => {
    const { dir, service } = await kept();
    const target = join(dirname(dir), 'mine');
    writeFileSync(target, 'mine\n');
    rmSync(join(dir, name), { force: true });
    symlinkSync(target, join(dir, name));
    service.details = [cardOf(6, -1), ...cardsAnHourApart(5)];
    await service.clock.sleep(30 * HOUR);
    const { error } = await exportInto(dir, service, { screeners: true });
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining(`${name} is a symbolic link`) });
    expect(readFileSync(target, 'utf8')).toBe('mine\n');
  });

  it.each(FILES)('%s: nobody waits for a pipe', async (name) => {
    const { dir, service } = await kept();
    rmSync(join(dir, name), { force: true });
    execFileSync('mkfifo', [join(dir, name)]);
    const { error } = await exportInto(dir, service, { screeners: true });
    if (error === undefined && name === 'screeners.ndjson') return;
    expect(error).toMatchObject({ code: 'storage', hint: expect.stringContaining('remove it') });
  });

  it.each([{ kind: 'failed', id: '../x', asked: {} }, []])(
    'a journal with %j is refused, and says what to do',
    async (line) => {
      const { dir, service } = await kept();
      appendFileSync(join(dir, '.journal.ndjson'), `${JSON.stringify(line)}\n`);
      const { error, sent } = await exportInto(dir, service);
      expect(error).toMatchObject({ code: 'storage', hint: expect.stringContaining('Move it away') });
      expect(sent).toEqual([]);
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

describe('a system like Windows', () => {
  it('lets nobody rename over an open file for a while: the run waits', async () => {
    const { dir, service } = await kept();
    service.details = [cardOf(6, -0.5), ...cardsAnHourApart(5)];
    await service.clock.sleep(HOUR);
    const real = fs.rename;
    let refusals = 0;
    vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      if (refusals < 5) {
        refusals += 1;
        throw Object.assign(new Error('open'), { code: ['EPERM', 'EBUSY', 'EACCES'][refusals % 3] });
      }
      return real(from, to);
    });
    expect((await exportInto(dir, service)).error).toBeUndefined();
    expect([refusals, stored(dir).length]).toEqual([5, 6]);
  });
});

describe('settings', () => {
  it('--screeners keeps them where they changed, for at most a credit a day', async () => {
    const { dir, service } = await kept();
    for (const hours of [1, 2, 24]) {
      await service.clock.sleep(hours * HOUR);
      await exportInto(dir, service, { screeners: true });
    }
    expect(service.sent.filter(({ name }) => name === 'screeners')).toHaveLength(2);
    expect(await readScreenersLog(dir)).toHaveLength(1);
  });
});
