import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { isLocked, takeLock } from '../../src/runtime/lock.ts';
import { ageLock, modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';

const take = (directory: string) =>
  takeLock(directory, { heldMessage: 'Another process holds it.' });
const busy = (message: RegExp) =>
  expect.objectContaining({ code: 'busy', message: expect.stringMatching(message) });
const failureOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a lock', () => {
  it('of a silent holder passes to the next one; whoever was suspended learns it and changes nothing', ({
    home,
  }) => {
    const dir = home.folder;
    const suspended = take(dir);
    expect(failureOf(() => take(dir))).toEqual(busy(/^Another process/));
    writeFileSync(join(dir, 'state'), 'before');
    ageLock(dir);
    const next = take(dir);
    for (const step of [() => suspended.check(), () => suspended.commit('state', 'mine')]) {
      expect(failureOf(step), String(step)).toEqual(busy(/suspended, and another one took over/));
    }
    suspended.release();
    next.check();
    next.commit('state', 'after');
    next.release();
    expect({ state: readFileSync(join(dir, 'state'), 'utf8'), files: readdirSync(dir) }).toEqual({
      state: 'after',
      files: ['state'],
    });
  });

  it('whose folder was removed says so, and not that another process took over', ({ home }) => {
    const dir = join(home.folder, 'history');
    mkdirSync(dir);
    const lock = take(dir);
    rmSync(dir, { recursive: true });
    for (const step of [() => lock.check(), () => lock.commit('state', 'mine')]) {
      expect(failureOf(step), String(step)).toMatchObject({
        code: 'busy',
        message: `${dir} was removed while this run used it.`,
        hint: 'If it was moved, move it back, and run the command again.',
      });
    }
    lock.release();
  });

  it('is waited for as long as said, though the clock is put back meanwhile', ({ home }) => {
    const held = take(home.folder);
    const begin = Date.now();
    let looks = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      looks += 1;
      // By this clock the wait would go on until the thousandth look.
      return looks < 1000 ? begin - 1000 * looks : begin + DAY;
    });
    const options = { heldMessage: 'Another process holds it.', patience: 20, life: 2 * DAY };
    try {
      expect(failureOf(() => takeLock(home.folder, options))).toEqual(busy(/^Another process/));
    } finally {
      clock.mockRestore();
    }
    expect(looks, 'how often the clock was looked at').toBeLessThan(1000);
    held.release();
  });

  it('says how long a killed holder keeps it, and who took it over', ({ home }) => {
    const dir = home.folder;
    const first = take(dir);
    expect(failureOf(() => take(dir))).toMatchObject({
      hint: 'Wait until it is done (30 seconds, if it was killed). Nothing was sent or spent.',
    });
    ageLock(dir);
    const second = take(dir);
    expect({ first: first.tookOver, second: second.tookOver }).toEqual({
      first: false,
      second: true,
    });
    expect({ first: first.isLost, second: second.isLost }).toEqual({ first: false, second: false });
    failureOf(() => first.check());
    expect(first.isLost, 'a step has failed').toBe(true);
    second.release();
  });

  it('is open to its user alone', ({ home }) => {
    const lock = take(home.folder);
    const folder = join(home.folder, '.lock');
    const [token = ''] = readdirSync(folder);
    expect({ folder: modeOf(folder), token: modeOf(join(folder, token)) }).toEqual({
      folder: '0700',
      token: '0600',
    });
    lock.release();
  });

  it('gives a sign of life well before others take its holder for dead', ({ home }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    try {
      const begin = Date.now();
      const lock = take(home.folder);
      vi.advanceTimersToNextTimer();
      expect(Date.now() - begin, 'milliseconds of the 30,000').toBe(10_000);
      lock.release();
    } finally {
      vi.useRealTimers();
    }
  });

  it('whose place another process takes at the last moment leaves nothing beside it', ({
    home,
  }) => {
    const dir = home.folder;
    const dead = take(dir);
    // The next holder finds the first of them alone, and removes that.
    writeFileSync(join(dir, '.lock', 'ffffffffffff'), '');
    ageLock(dir);
    expect(failureOf(() => take(dir))).toEqual(busy(/^Another process/));
    expect(readdirSync(dir)).toEqual(['.lock']);
    dead.release();
  });

  it('is not lost where a file cannot be replaced: that is a failure of its own', ({ home }) => {
    const dir = home.folder;
    const lock = take(dir);
    mkdirSync(join(dir, 'state', 'inner'), { recursive: true });
    const failure = failureOf(() => lock.commit('state', 'mine'));
    expect({ failure, isLost: lock.isLost }).toMatchObject({
      failure: { code: expect.stringMatching(/^(EISDIR|ENOTEMPTY|EPERM|EEXIST)$/) },
      isLost: false,
    });
    lock.release();
  });

  it.for([
    { what: 'a file in its place', lay: (path: string) => writeFileSync(path, '') },
    {
      what: 'a file of another name in it',
      lay: (path: string) => {
        mkdirSync(path);
        writeFileSync(join(path, 'mine'), '');
      },
    },
    {
      what: 'a folder with the name of a token in it',
      lay: (path: string) => mkdirSync(join(path, '0123456789ab'), { recursive: true }),
    },
  ])('does not touch $what', ({ lay }, { home }) => {
    const path = join(home.folder, '.lock');
    lay(path);
    expect(failureOf(() => take(home.folder))).toMatchObject({ code: 'storage' });
    rmSync(path, { recursive: true });
    take(home.folder).release();
  });

  it.for([-80, 80])(
    "that was copied with a sign of life %i days from now is nobody's",
    (days, { home }) => {
      const dir = home.folder;
      take(dir);
      ageLock(dir, days * 86_400);
      expect(isLocked(dir), 'the folder is locked').toBe(false);
      take(dir).release();
      expect(readdirSync(dir)).toEqual([]);
    },
  );
});
