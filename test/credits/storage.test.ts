import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseRecord } from '../../src/credits/ledger-records.ts';
import { FakeClock, ledgerFiles, ledgerText, request, send, settled, startProcess } from './world.ts';

let directory: string;
let clock: FakeClock;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'screener-ledger-'));
  clock = new FakeClock();
});
afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true, force: true });
});

const start = (options = {}) => startProcess(clock, directory, options);
const access = (used: number, per_minute = 15) => ({
  credits: { used, limit: 1000, remaining: 1000 - used, resets_at: '2026-12-01T00:00:00Z' },
  per_minute,
});
const onlyFile = () => ledgerFiles(directory)[0]?.file ?? '';
const MIDNIGHT = Date.UTC(2026, 10, 21);

describe('the file', () => {
  test('opening writes nothing; one request leaves three lines; nobody else may read', async () => {
    const one = start();
    expect(ledgerFiles(directory)).toEqual([]);
    one.account.today();
    expect(ledgerFiles(directory)).toEqual([]);
    await send(one, clock);
    const [{ file, text }] = ledgerFiles(directory) as [{ file: string; text: string }];
    expect(path.relative(directory, file)).toBe(path.join('ledger', one.account.id, '2026-11-20.ndjson'));
    expect(text.split('\n').map((line) => parseRecord(line)?.is)).toEqual(['permit', 'sent', 'answer', undefined]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  test('the account is the same for every spelling of its base URL, another for another key, and reveals neither', () => {
    const id = (baseUrl: string, key = 'a key') => start({ baseUrl, key }).account.id;
    const first = id('https://api.example/api/external/v1');
    expect(id('https://API.example:443/api/external/v1/')).toBe(first);
    expect(id('https://api.example/api/external/v1', 'another')).not.toBe(first);
    expect(id('https://api2.example/api/external/v1')).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a torn last line does no harm, and the next line stands alone', async () => {
    await send(start(), clock);
    appendFileSync(onlyFile(), '{"is":"permit","at":17');
    const one = start();
    await send(one, clock);
    expect(one.account.today().requests).toBe(2);
    expect(ledgerText(directory)).toContain('{"is":"permit","at":17\n{"is":"permit"');
  });

  test('a line torn after it was last read does no harm either', async () => {
    const one = start();
    await send(one, clock);
    const turn = await one.account.gate.enter(request());
    appendFileSync(onlyFile(), '{"is":"permit","at":17');
    turn.settle({ status: 200 });
    expect(start().account.today()).toMatchObject({ requests: 2, charged: 2, uncertain: 0 });
  });

  test('rubbish is passed over: binary, other JSON, hostile lines', async () => {
    await send(start(), clock);
    const rubbish = [
      '\u0000\u0001\uFFFDnot json',
      '[]',
      'null',
      '{"is":"permit"}',
      '{"is":"__proto__","at":1}',
      '{"is":"permit","at":1,"nonce":"x","pid":1,"place":"p","operation":"__proto__","cost":1,"timeout":1}',
      '{"is":"access","at":1e400,"used":-1}',
      '{"is":"answer","at":1795176000000,"nonce":"nobody","status":503,"hold":99999}',
      '{"is":"day","at":1,"usage":{}}',
      '{"is":"day","at":1,"usage":{"days":[{"day":1,"operations":{"__proto__":{}}}]}}',
      '['.repeat(10_000),
      '',
    ].join('\n');
    appendFileSync(onlyFile(), `${rubbish}\n`);
    appendFileSync(onlyFile(), Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a]));
    const one = start();
    await send(one, clock);
    expect(one.account.today()).toMatchObject({ requests: 2, charged: 2 });
    expect(one.shown.warnings).toEqual([]);
  });

  test('nothing but rubbish: read once, then passed over', async () => {
    await send(start(), clock);
    writeFileSync(onlyFile(), 'rubbish without a newline '.repeat(40_000));
    const one = start();
    await send(one, clock);
    appendFileSync(onlyFile(), 'rubbish\n'.repeat(10_000));
    await send(one, clock);
    expect(start().account.today().requests).toBe(2);
    expect(one.shown.warnings).toEqual([]);
  });

  test('emptied or removed under a running process: what it knows goes on', async () => {
    const one = start();
    one.account.observe(access(5, 2));
    await send(one, clock);
    unlinkSync(onlyFile());
    await send(one, clock);
    expect(one.account.today().requests).toBe(2);
    expect(start().account.today()).toMatchObject({ requests: 2, perMinute: 2 });
    truncateSync(onlyFile());
    await clock.advance(61_000);
    await send(one, clock);
    expect(start().account.today().requests).toBeGreaterThanOrEqual(1);
    expect(one.shown.warnings).toEqual([]);
  });
});

describe('where the directory cannot be used', () => {
  const cases: [string, () => void][] = [
    ['a file stands in its place', () => writeFileSync(path.join(directory, 'ledger'), 'x')],
    [
      'the account folder is a symbolic link',
      () => {
        const id = start().account.id;
        mkdirSync(path.join(directory, 'ledger'));
        mkdirSync(path.join(directory, 'elsewhere'));
        symlinkSync(path.join(directory, 'elsewhere'), path.join(directory, 'ledger', id));
      },
    ],
    [
      'the file is a symbolic link',
      () => {
        const folder = path.join(directory, 'ledger', start().account.id);
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(directory, 'victim'), '');
        symlinkSync(path.join(directory, 'victim'), path.join(folder, '2026-11-20.ndjson'));
      },
    ],
    [
      'the file is a directory',
      () => mkdirSync(path.join(directory, 'ledger', start().account.id, '2026-11-20.ndjson'), { recursive: true }),
    ],
  ];
  test.each(cases)('%s: the command works, with one warning', async (_, prepare) => {
    prepare();
    const one = start();
    await send(one, clock);
    await send(one, clock, { status: 503, retryAfter: 3600 });
    await expect(one.account.gate.enter(request())).rejects.toMatchObject({ code: 'unavailable' });
    expect(one.account.today().requests).toBe(2);
    expect(one.shown.warnings).toEqual([expect.stringContaining(directory)]);
  });

  test('it can no longer be written in the middle: what was known stays known, with one warning', async () => {
    const one = start();
    one.account.observe(access(0, 2));
    await send(one, clock);
    const folder = path.dirname(onlyFile());
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, 'in its place');
    unlinkSync(path.join(`${folder}.away`, '2026-11-20.ndjson'));
    await send(one, clock);
    expect(one.shown.warnings.length).toBe(1);
    expect(one.account.today()).toMatchObject({ requests: 2, lastMinute: 2, perMinute: 2 });
  });

  test('memory leaves no trace', async () => {
    const one = start({ directory: undefined, perMinute: 600 });
    for (let n = 0; n < 100; n += 1) await send(one, clock);
    expect(one.account.today()).toMatchObject({ requests: 100, perMinute: 600 });
    expect(ledgerFiles(directory)).toEqual([]);
  });
});

describe('midnight', () => {
  beforeEach(() => clock.set(MIDNIGHT - 10_000));

  test('the last minute, the hold and what /access said go over into the new day; the spending does not', async () => {
    const one = start();
    one.account.observe(access(100, 2));
    await send(one, clock);
    await send(one, clock, { status: 503, retryAfter: 30 });
    await clock.advance(15_000);
    const other = start({ maxWait: 0 });
    await expect(other.account.gate.enter(request())).rejects.toMatchObject({ retryAfter: 15 });
    expect(other.account.known()?.used).toBe(100);
    expect(other.account.today()).toMatchObject({ requests: 0, lastMinute: 2, perMinute: 2 });
    await clock.advance(16_000);
    const third = send(start(), clock);
    await clock.advance(60_000);
    expect((await third).sent).toBe(MIDNIGHT + 50_100);
    expect(ledgerFiles(directory).map(({ file }) => path.basename(file))).toEqual([
      '2026-11-20.ndjson',
      '2026-11-21.ndjson',
    ]);
    expect(start().account.today()).toMatchObject({ requests: 1, charged: 1, perMinute: 2 });
  });

  test('a request sent before and answered after belongs to the day it was sent', async () => {
    const one = start();
    await send(one, clock, { status: 200 }, 0);
    const turn = await one.account.gate.enter(request());
    await clock.advance(20_000);
    turn.settle({ status: 200 });
    expect(start().account.today()).toMatchObject({ requests: 0, charged: 0, uncertain: 0, lastMinute: 2 });
  });

  test('a hold of a month ends when it should', async () => {
    await send(start(), clock, { status: 429, retryAfter: 20 * 86_400 });
    for (let day = 0; day < 19; day += 1) {
      await clock.advance(86_400_000);
      await expect(start().account.gate.enter(request())).rejects.toMatchObject({ code: 'quota_exhausted' });
    }
    await clock.advance(86_400_000);
    await send(start(), clock);
    await clock.advance(40 * 86_400_000);
    await send(start(), clock);
  });

  test('several processes that start the day together see each other, whatever file they began in', async () => {
    const early = [start(), start(), start()];
    early[0]?.account.observe(access(0, 3));
    for (const one of early) one.account.today();
    clock.set(MIDNIGHT + 1);
    const late = start();
    const all = [...early, late].map((one) => send(one, clock));
    await clock.advance(1_000);
    expect(start().account.today().lastMinute).toBe(3);
    await clock.advance(60_000);
    await Promise.all(all);
    expect(start().account.today().requests).toBe(4);
  });

  test('an answer that is written too late, into the file of yesterday, holds others up to the end of its request', async () => {
    const slow = start();
    slow.account.observe(access(0, 1));
    const turn = await slow.account.gate.enter(request());
    clock.set(MIDNIGHT + 5);
    const other = start();
    const waiting = send(other, clock);
    await settled();
    // Its clock still shows the old day: it was stopped between looking and writing.
    clock.set(MIDNIGHT - 1);
    turn.settle({ status: 200 });
    clock.set(MIDNIGHT + 10);
    await clock.advance(100_000);
    expect((await waiting).sent).toBeLessThanOrEqual(MIDNIGHT + 35_000 + 60_700);
  });

  test('several that start the new file at once say the same, and it counts once', async () => {
    const one = start();
    one.account.observe(access(70, 4));
    await send(one, clock);
    clock.set(MIDNIGHT + 1000);
    await send(one, clock);
    const today = ledgerFiles(directory)[1]?.file ?? '';
    const first = readFileSync(today, 'utf8').split('\n')[0] ?? '';
    expect(parseRecord(first)?.is).toBe('day');
    appendFileSync(today, `${first}\n`);
    expect(start().account.today()).toMatchObject({ requests: 1, lastMinute: 2, perMinute: 4 });
    expect(start().account.dayLeft()).toBe(149);
    expect(start().account.known()?.used).toBe(70);
  });

  test('somebody died between making the new file and writing into it', async () => {
    const one = start();
    one.account.observe(access(70, 4));
    await send(one, clock);
    clock.set(MIDNIGHT + 1000);
    writeFileSync(onlyFile().replace('-20.', '-21.'), '');
    const other = start();
    expect(other.account.today()).toMatchObject({ perMinute: 4, lastMinute: 1 });
    await send(other, clock);
    expect(start().account.today()).toMatchObject({ perMinute: 4, lastMinute: 2 });
  });

  test('the spending of 35 days goes on from file to file, whichever of them is left', async () => {
    for (let day = 0; day < 40; day += 1) {
      await send(start(), clock);
      await clock.advance(86_400_000);
    }
    const files = ledgerFiles(directory);
    for (const { file } of files.slice(0, -1)) unlinkSync(file);
    expect(parseRecord(files.at(-1)?.text.split('\n')[0] ?? '')?.is).toBe('day');
    expect(start().account.days()).toHaveLength(35);
    expect(files.at(-1)?.text.length).toBeLessThan(8_000);
  });
});

describe('the clock set back', () => {
  test('holds nobody for longer than 60 s, nor for longer than the hold was', async () => {
    const one = start();
    one.account.observe(access(0, 2));
    await send(one, clock);
    await send(one, clock);
    clock.set(clock.now() - 5 * 3_600_000);
    const began = clock.now();
    const paced = send(start(), clock);
    await clock.advance(60_200);
    expect((await paced).sent).toBe(began + 60_100);
    one.account.observe(access(0, 15));
    await send(start(), clock, { status: 503, retryAfter: 30 });
    clock.set(clock.now() - 3_600_000);
    const again = clock.now();
    const held = send(start(), clock);
    await clock.advance(30_500);
    expect((await held).sent).toBeLessThanOrEqual(again + 30_500);
  });

  test('does not hold each new process anew', async () => {
    const one = start();
    one.account.observe(access(0, 2));
    await send(one, clock);
    await send(one, clock);
    clock.set(clock.now() - 3_600_000);
    const began = clock.now();
    for (let n = 0; n < 5; n += 1) start().account.today();
    expect(ledgerText(directory).split('"is":"clock"').length - 1).toBe(1);
    await clock.advance(40_000);
    const late = send(start(), clock);
    await clock.advance(20_200);
    expect((await late).sent).toBe(began + 60_100);
  });

  test('while a process waits, it does not wait for the time it was set back by', async () => {
    const one = start();
    one.account.observe(access(0, 1));
    await send(one, clock);
    const waiting = send(one, clock);
    await clock.advance(30_000);
    clock.set(clock.now() - 86_400_000);
    const began = clock.now();
    await clock.advance(61_000);
    expect((await waiting).sent).toBeLessThanOrEqual(began + 60_600);
  });

  test('over midnight, turns go on in the file of the day it came from', async () => {
    clock.set(MIDNIGHT - 5_000);
    const one = start();
    one.account.observe(access(0, 2));
    await send(one, clock);
    clock.set(MIDNIGHT + 5_000);
    await send(one, clock);
    clock.set(MIDNIGHT - 4_000);
    const began = clock.now();
    expect(start().account.today()).toMatchObject({ requests: 1, lastMinute: 2 });
    const third = send(start(), clock);
    await clock.advance(61_000);
    expect((await third).sent).toBeLessThanOrEqual(began + 60_600);
  });

  test('a file from far in the future, left by a clock that was wrong for a while, is let be', async () => {
    await send(start(), clock);
    const right = clock.now();
    clock.set(Date.UTC(2030, 0, 1));
    await send(start(), clock);
    clock.set(right + 10_000);
    const one = start();
    await send(one, clock);
    expect(one.account.today()).toMatchObject({ requests: 2 });
    expect(one.shown.warnings).toEqual([]);
  });
});
