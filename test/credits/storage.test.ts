import { chownSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { access, ledgerFile, ledgerHere, request, send } from './world.ts';

const { directory, clock, start } = ledgerHere();

const folder = () => path.dirname(ledgerFile(directory).file);
const OPEN = {
  ...{ id: 'x', operation: '/signals', cost: 1 },
  ...{ sent: Date.UTC(2026, 10, 20, 12), ended: null, status: null },
};
const MIDNIGHT = Date.UTC(2026, 10, 21);

describe('the file', () => {
  const RUBBISH: [string, string | Buffer][] = [
    ['binary', Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])],
    ['half a state', '{"latest":17'],
    ['deep JSON', '['.repeat(100_000)],
    ['20,000 open requests', JSON.stringify({ requests: Array(20_000).fill(OPEN) })],
  ];
  test.each(RUBBISH)('%s in its place is said once, and what a process knows goes on', async (_, rubbish) => {
    const one = start();
    await send(one, clock);
    writeFileSync(ledgerFile(directory).file, rubbish);
    await send(one, clock);
    expect(one.account.known().today).toMatchObject({ requests: 2, charged: 2 });
    expect(one.shown.warnings).toEqual([`${folder()} holds no ledger of this program that can be read.`]);
    expect(start().account.known().today).toMatchObject({ requests: 2 });
  });
});

describe('where the directory cannot be used', () => {
  test.each(['ledger', 'account'])('a folder of it that is a link is refused: %s', async (which) => {
    await send(start(), clock);
    const linked = which === 'ledger' ? path.dirname(folder()) : folder();
    const elsewhere = path.join(mkdtempSync(`${directory}-`), 'theirs');
    renameSync(linked, elsewhere);
    symlinkSync(elsewhere, linked);
    const before = readdirSync(elsewhere);
    const one = start();
    await send(one, clock);
    expect(one.account.known().today.requests).toBe(1);
    expect(one.shown.warnings).toEqual([expect.stringContaining(`(${linked} is a link)`)]);
    expect(readdirSync(elsewhere)).toEqual(before);
    rmSync(path.dirname(elsewhere), { recursive: true });
  });

  test.skipIf(process.getuid?.() !== 0)('a folder of it that is another user’s is refused', async () => {
    await send(start(), clock);
    chownSync(folder(), 12345, 12345);
    const one = start();
    await send(one, clock);
    expect(one.shown.warnings).toEqual([expect.stringContaining(`(${folder()} is another user's)`)]);
  });
});

describe('midnight', () => {
  beforeEach(() => clock.set(MIDNIGHT - 10_000));

  test('a request sent before and answered after belongs to the day it was sent', async () => {
    const turn = await start().account.gate.enter(request());
    await clock.advance(20_000);
    turn.settle({ status: 200 });
    expect(start().account.known().today).toMatchObject({ requests: 0, charged: 0, uncertain: 0 });
    expect(start().account.known().days).toMatchObject([{ operations: { '/signals': { charged: 1 } } }]);
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
});
