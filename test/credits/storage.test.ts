import { mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyUsage } from '../../src/credits/usage.ts';
import { access, ledgerFiles, ledgerHere, request, send } from './world.ts';

const { directory, clock, start } = ledgerHere();

// Nobody is writing the rest of a file that is not whole: it is not waited for.
beforeEach(() => vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out'));
afterEach(() => vi.restoreAllMocks());

/** What others do right after the next file is written, before its writer looks again. */
let meanwhile = () => {};
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeThen: typeof fs.writeFileSync = (...given) => {
    fs.writeFileSync(...given);
    const now = meanwhile;
    meanwhile = () => {};
    now();
  };
  return { ...fs, writeFileSync: writeThen };
});

const newest = () => ledgerFiles(directory).at(-1) ?? { file: '', text: '' };
const OPEN = {
  ...{ id: 'x', pid: 1, place: 'elsewhere', operation: '/signals', cost: 1, timeout: 30_000 },
  ...{ sent: Date.UTC(2026, 10, 20, 12), ended: null, status: null },
};
const MIDNIGHT = Date.UTC(2026, 10, 21);

describe('the file', () => {
  test('the account is the same for every spelling of its base URL, another for another key, and reveals neither', () => {
    const id = (baseUrl: string, key = 'a key') => start({ baseUrl, key }).account.id;
    const first = id('https://api.example/api/external/v1');
    expect(id('https://API.example:443/api/external/v1/')).toBe(first);
    expect(id('https://api.example/api/external/v1', 'another')).not.toBe(first);
    expect(id('https://api2.example/api/external/v1')).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{24}$/);
  });

  const RUBBISH: [string, string | Buffer][] = [
    ['binary', Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])],
    ['nothing', ''],
    ['another JSON', '[]'],
    ['half a state', '{"latest":17'],
    ['deep JSON', '['.repeat(100_000)],
    ['an unheard-of number', JSON.stringify({ ...emptyUsage(), latest: 1e300 })],
    ['a prototype', '{"days":[{"day":1,"operations":{"__proto__":{}}}]}'],
    ['20,000 open requests', JSON.stringify({ ...emptyUsage(), requests: Array(20_000).fill(OPEN) })],
  ];
  test.each(RUBBISH)('%s in its place is passed over: the state before it goes on', async (_, rubbish) => {
    await send(start(), clock);
    const { file } = newest();
    writeFileSync(path.join(path.dirname(file), '90.json'), rubbish);
    const one = start();
    await send(one, clock);
    expect(one.account.today()).toMatchObject({ requests: 2, charged: 2 });
    expect(one.shown.warnings).toEqual([]);
    expect(start().account.today()).toMatchObject({ requests: 2 });
  });

  test('of a thousand that are none, few are looked at, and one sentence is said', async () => {
    await send(start(), clock);
    const folder = path.dirname(newest().file);
    for (let n = 1_000; n < 2_000; n += 1) writeFileSync(path.join(folder, `${n}.json`), '[');
    const one = start();
    await send(one, clock);
    expect(one.account.today().requests).toBe(1);
    expect(new Set(one.shown.warnings)).toEqual(
      new Set([`${folder} holds no ledger of this program that can be read.`]),
    );
  });

  test.each(['', 'a state'])('a number that no process comes to, of "%s", is healed', async (text) => {
    await send(start(), clock);
    const { file } = newest();
    writeFileSync(path.join(path.dirname(file), '999999999999999.json'), text && newest().text);
    const [one, other] = [start(), start()];
    for (const process of [one, other, one]) await send(process, clock);
    expect(start().account.today()).toMatchObject({ requests: 4, charged: 4 });
    expect([...one.shown.warnings, ...other.shown.warnings]).toEqual([]);
    expect(path.basename(newest().file)).toBe('6.json');
  });

  test('removed under a running process: what it knows goes on', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 2 }));
    await send(one, clock);
    for (const { file } of ledgerFiles(directory)) unlinkSync(file);
    await send(one, clock);
    expect(one.account.today().requests).toBe(2);
    expect(start().account.today()).toMatchObject({ requests: 2 });
    expect(start().account.windows()[0]).toMatchObject({ allowance: 2, used: 2 });
    expect(one.shown.warnings).toEqual([]);
  });

  test('a process that others overtook before it could look finds its change in what they wrote', async () => {
    const [one, other] = [start(), start()];
    await send(one, clock);
    meanwhile = () => {
      for (let n = 0; n < 500; n += 1) other.account.observe(access());
    };
    await send(one, clock);
    expect(one.account.today()).toMatchObject({ requests: 2, charged: 2, uncertain: 0 });
  });

  test('a process that stood still between reading and writing overwrites nothing', async () => {
    const one = start();
    one.account.observe(access());
    const turn = await one.account.gate.enter(request());
    for (let n = 0; n < 10; n += 1) {
      await send(start(), clock);
      // As if it had not looked since: its next number is long gone.
      await clock.advance(10);
    }
    turn.settle({ status: 200 });
    expect(start().account.today()).toMatchObject({ requests: 11, charged: 11, uncertain: 0 });
  });
});

describe('where the directory cannot be used', () => {
  test('it can no longer be written in the middle: what was known stays known, with one warning', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 2 }));
    await send(one, clock);
    const folder = path.dirname(newest().file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in its place');
    await send(one, clock);
    expect(one.shown.warnings.length).toBe(1);
    expect(one.account.today()).toMatchObject({ requests: 2 });
    expect(one.account.windows()[0]).toMatchObject({ allowance: 2, used: 2 });
  });

  test.each(['a symbolic link', 'a directory'])('%s among its files is never followed nor in the way', async (what) => {
    const folder = path.join(directory, 'ledger', start().account.id);
    mkdirSync(folder, { recursive: true });
    const victim = path.join(directory, 'victim');
    writeFileSync(victim, 'mine');
    if (what === 'a directory') mkdirSync(path.join(folder, '1.json'));
    else symlinkSync(victim, path.join(folder, '1.json'));
    for (let n = 0; n < 6; n += 1) await send(start(), clock);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(start().account.today().requests).toBe(6);
  });
});

describe('midnight', () => {
  beforeEach(() => clock.set(MIDNIGHT - 10_000));

  test('a request sent before and answered after belongs to the day it was sent', async () => {
    const turn = await start().account.gate.enter(request());
    await clock.advance(20_000);
    turn.settle({ status: 200 });
    expect(start().account.today()).toMatchObject({ requests: 0, charged: 0, uncertain: 0 });
    expect(start().account.days()).toMatchObject([{ operations: { '/signals': { charged: 1 } } }]);
  });

  test('the spending of 35 days is kept, and no more', async () => {
    for (let day = 0; day < 40; day += 1) {
      await send(start(), clock);
      await clock.advance(86_400_000);
    }
    expect(start().account.days()).toHaveLength(35);
    expect(newest().text.length).toBeLessThan(8_000);
  });
});

describe('the clock set back', () => {
  test('holds nobody for longer than 60 s, nor for longer than the hold was', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 2 }));
    await send(one, clock);
    await send(one, clock);
    clock.set(clock.now() - 5 * 3_600_000);
    const began = clock.now();
    const paced = send(start(), clock);
    await clock.advance(60_200);
    expect((await paced).sent).toBe(began + 60_100);
    one.account.observe(access({ per_minute: 15 }));
    await send(start(), clock, { status: 503, retryAfter: 30 });
    clock.set(clock.now() - 3_600_000);
    const again = clock.now();
    const held = send(start(), clock);
    await clock.advance(30_500);
    expect((await held).sent).toBeLessThanOrEqual(again + 30_500);
  });

  test('does not hold each new process anew', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 2 }));
    await send(one, clock);
    await send(one, clock);
    clock.set(clock.now() - 3_600_000);
    const began = clock.now();
    for (let n = 0; n < 5; n += 1) start().account.today();
    await clock.advance(40_000);
    const late = send(start(), clock);
    await clock.advance(20_200);
    expect((await late).sent).toBe(began + 60_100);
  });

  test('while a process waits, it does not wait for the time it was set back by', async () => {
    const one = start();
    one.account.observe(access({ per_minute: 1 }));
    await send(one, clock);
    const waiting = send(one, clock);
    await clock.advance(30_000);
    clock.set(clock.now() - 86_400_000);
    const began = clock.now();
    await clock.advance(61_000);
    expect((await waiting).sent).toBeLessThanOrEqual(began + 60_600);
  });

  test('nothing that a clock wrote that was far ahead for a while holds anybody', async () => {
    const right = clock.now();
    clock.set(Date.UTC(2030, 0, 1));
    await send(start(), clock, { status: 503, retryAfter: 30 });
    clock.set(right + 10_000);
    const late = send(start(), clock);
    await clock.advance(30_500);
    expect((await late).sent).toBeLessThanOrEqual(right + 40_500);
  });
});
