import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, vi } from 'vitest';
import { childEnv, handTo, openFile } from '../../src/runtime/programs.ts';
import { it } from '../support/fixtures.ts';

it('a child never gets the key, in whatever spelling Windows would find it', () => {
  const env = {
    SCREENER_API_KEY: 'a',
    screener_api_key: 'b',
    Screener_Api_Key: 'c',
    SCREENER_TZ: 'UTC',
  };
  expect(childEnv(env)).toEqual({ SCREENER_TZ: 'UTC' });
});

it.skipIf(process.platform === 'win32').for([
  { what: 'shows the file', exitCode: 0, isShown: true },
  { what: 'finds no desktop', exitCode: 3, isShown: false },
])('an opener that $what ends the wait for it', async ({ exitCode, isShown }, { home }) => {
  for (const name of ['open', 'xdg-open'])
    writeFileSync(path.join(home.folder, name), `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${home.folder}:${process.env.PATH}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    expect(await openFile('page.html', process.env)).toBe(isShown);
    expect(vi.getTimerCount(), 'timers that keep the process').toBe(0);
  } finally {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});

it.skipIf(process.platform === 'win32')(
  'an opener that goes on shows the file itself, and is left alone',
  async ({ home }) => {
    const pid = path.join(home.folder, 'pid');
    const script = `#!/bin/sh\necho $$ > '${pid}.new'; mv '${pid}.new' '${pid}'; exec sleep 1000\n`;
    for (const name of ['open', 'xdg-open'])
      writeFileSync(path.join(home.folder, name), script, { mode: 0o755 });
    vi.stubEnv('PATH', `${home.folder}:${process.env.PATH}`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const opened = openFile('page.html', process.env);
      await expect.poll(() => existsSync(pid)).toBe(true);
      vi.advanceTimersByTime(1_000);
      expect(await opened).toBe(true);
    } finally {
      process.kill(Number(readFileSync(pid, 'utf8')));
      vi.useRealTimers();
      vi.unstubAllEnvs();
    }
  },
);

it('where the system has no opener, no file is shown', async ({ home }) => {
  vi.stubEnv('PATH', home.folder);
  try {
    expect(await openFile('page.html', process.env)).toBe(false);
  } finally {
    vi.unstubAllEnvs();
  }
});

describe('a program that hangs is ended with all that it has started', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts two more programs, one of them in the background, and writes down who they are. */
  const HANGS =
    'sleep 1000 & echo $$ $! > pids.new; mv pids.new pids; sleep 1000; echo late > late';

  const isRunning = (pid: number) => {
    try {
      // A process that has ended may still wait for the system to take it away.
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };

  it.skipIf(process.platform !== 'linux').for(['the signal', 'the time'])(
    'by %s',
    async (cause, { home }) => {
      if (cause === 'the time') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const script = path.join(home.folder, 'hook.sh');
      const pids = path.join(home.folder, 'pids');
      writeFileSync(script, `cd '${home.folder}'; ${HANGS}`);
      const stop = new AbortController();
      const handed = handTo(['sh', script], { env: process.env, signal: stop.signal }, 'card\n');
      await expect.poll(() => existsSync(pids)).toBe(true);
      if (cause === 'the time') vi.advanceTimersByTime(10_000);
      else stop.abort();
      expect(await handed).toBe('it was ended by SIGKILL');
      const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
      expect(started).toHaveLength(2);
      await expect.poll(() => started.filter(isRunning)).toEqual([]);
    },
  );
});

it('a program is not even started once this one is to stop', async ({ home }) => {
  const started = path.join(home.folder, 'started');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`;
  const words = [process.execPath, '-e', script];
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  await expect(handTo(words, { env: process.env, signal }, '')).rejects.toThrow('Ctrl-C');
  expect(existsSync(started)).toBe(false);
});
