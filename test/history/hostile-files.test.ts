/** A directory that somebody has tampered with, and systems that refuse what Linux allows. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeLock } from '../../src/history/lock.ts';
import { readScreenersLog } from '../../src/history/store/screeners-log.ts';
import { TestClock } from '../support/context.ts';
import { cardOf, cardsAnHourApart, directory, exportInto, HOUR, Service, started, stateOf, stored } from './support.ts';

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

  it('export.json names no month outside of the directory', async () => {
    const { dir, service } = await kept();
    const manifest = { ...stateOf(dir), months: { '../../mine-2026-11': { cards: 1, awaiting: 1 } } };
    writeFileSync(join(dir, 'export.json'), JSON.stringify(manifest));
    expect((await exportInto(dir, service)).error).toMatchObject({
      code: 'storage',
      hint: expect.stringContaining('backup'),
    });
  });

  it.each([
    { kind: 'page', items: [], coverage: { covered: 'x' } },
    { kind: 'page', items: 7, coverage: null },
    { kind: 'detail', detail: { id: 1 }, asked: { times: 1, at: 'yesterday' } },
    { kind: 'gone', id: '../x', created_at: '2026-11-20T00:00:00Z' },
    { kind: 'new' },
    [],
  ])('a journal with %j is refused, and says what to do', async (line) => {
    const { dir, service } = await kept();
    appendFileSync(join(dir, '.journal.ndjson'), `${JSON.stringify(line)}\n`);
    const { error, sent } = await exportInto(dir, service);
    expect(error).toMatchObject({ code: 'storage', hint: expect.stringContaining('Move it away') });
    expect(sent).toEqual([]);
  });

  it('what a killed run left half written is cleaned up', async () => {
    const { dir, service } = await kept();
    writeFileSync(join(dir, 'signals-2026-11.ndjson.0123456789ab.tmp'), 'half');
    writeFileSync(join(dir, 'mine.tmp'), 'mine');
    await exportInto(dir, service);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual(['mine.tmp']);
  });
});

describe('the lock', () => {
  it('with impossible times is read; one of a gigabyte is refused in one sentence', async () => {
    const { dir, service } = await kept();
    const path = join(dir, '.lock');
    const claim = { claim: 'x', pid: process.pid, host: 'h', place: 'elsewhere', born: null };
    const lines = [1e18, -1].map((at) => JSON.stringify({ ...claim, at }));
    writeFileSync(path, `${lines.join('\n')}\n{"beat":"x","at":1e300}\n[]\nnull\n`);
    expect((await exportInto(dir, service)).error).toBeUndefined();
    truncateSync(path, 2 ** 30);
    const { error, sent } = await exportInto(dir, service);
    const message = expect.stringMatching(/\.lock has \d+ bytes: .*large\.$/);
    expect([error, sent]).toEqual([expect.objectContaining({ code: 'storage', message }), []]);
  });

  const claim = (given: object) =>
    `\n${JSON.stringify({ claim: 'other', pid: 1, host: hostname(), born: '1', at: Date.now(), ...given })}\n`;

  it('a container with the same host name is not taken for dead, until it is silent', async () => {
    const dir = directory();
    mkdirSync(dir);
    const clock = new TestClock(Date.now());
    // Its process 1 is not this machine's process 1: were it looked up here, it would be dead.
    writeFileSync(join(dir, '.lock'), claim({ place: `${hostname()} pid:[4026539999] another`, born: '77' }));
    await expect(takeLock(dir, clock, process.pid)).rejects.toMatchObject({ code: 'busy' });
    await clock.sleep(130_000);
    await (await takeLock(dir, clock, process.pid)).release();
  });

  it('a dead process of this place is noticed at once, with /proc and without', async () => {
    const dir = directory();
    mkdirSync(dir);
    const clock = new TestClock(Date.now());
    const held = await takeLock(dir, clock, process.pid);
    const [own = ''] = readFileSync(join(dir, '.lock'), 'utf8').split('\n').filter(Boolean);
    await held.release();
    const child = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
    for (const born of ['1', null]) {
      writeFileSync(join(dir, '.lock'), `\n${JSON.stringify({ ...JSON.parse(own), pid: Number(child), born })}\n`);
      await (await takeLock(dir, clock, process.pid)).release();
    }
    // A living one holds it.
    writeFileSync(join(dir, '.lock'), `\n${own}\n`);
    await expect(takeLock(dir, clock, process.pid)).rejects.toMatchObject({ code: 'busy' });
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

  it('lets nobody cut a file through a handle for appending, and no directory be synced', async () => {
    const dir = directory();
    const realOpen = fs.open;
    const refuse = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }));
    vi.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await realOpen(path, flags, mode);
      if (typeof flags === 'number' && (flags & constants.O_APPEND) !== 0) handle.truncate = refuse;
      if ((await handle.stat()).isDirectory()) handle.sync = refuse;
      return handle;
    });
    const service = new Service({ details: cardsAnHourApart(30) });
    expect((await exportInto(dir, service)).error).toBeUndefined();
    expect(stored(dir)).toHaveLength(30);
    expect(readFileSync(join(dir, '.lock'), 'utf8')).toBe('');
    expect(existsSync(join(dir, '.journal.ndjson'))).toBe(false);
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

  it('a look that failed is no look: a change is said to lie between the two that did not', async () => {
    const { dir, service } = await kept();
    const changed = { scope: 'current_settings', items: [{ type: 'pump', active: false, conditions: { percent: 9 } }] };
    for (const answer of [500, changed]) {
      service.intercept = (name) => (name === 'screeners' ? answer : undefined);
      await service.clock.sleep(24 * HOUR);
      await exportInto(dir, service, { screeners: true });
    }
    const [first, second] = await readScreenersLog(dir);
    expect((second?.before ?? 0) - (first?.at ?? 0)).toBeLessThan(24 * HOUR);
  });

  it('a look that a kill cut off spoils none that follows', async () => {
    const { dir, service } = await kept();
    writeFileSync(join(dir, 'screeners.ndjson'), '{"at":"2026-11-20T18:05:00Z","screen');
    await service.clock.sleep(24 * HOUR);
    await exportInto(dir, service, { screeners: true });
    expect(await readScreenersLog(dir)).toHaveLength(1);
  });
});
