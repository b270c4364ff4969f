import {
  lchownSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { access, ledgerHere, send } from './world.ts';

const { directory, clock, start } = ledgerHere();

const ledger = path.join(directory, 'ledger');
const folder = () => path.join(ledger, ...readdirSync(ledger));

const RUBBISH: [string, string | Buffer][] = [
  ['binary', Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])],
  ['half a state', '{"latest":17'],
  ['deep JSON', '['.repeat(100_000)],
  ['more than a ledger holds', JSON.stringify({ more: 'x'.repeat(2 ** 20) })],
];
test.each(RUBBISH)(
  '%s in place of the file is said once, and what a process knows goes on',
  async (_, rubbish) => {
    const one = start();
    await send(one, clock);
    writeFileSync(path.join(folder(), 'usage.json'), rubbish);
    await send(one, clock);
    expect(one.account.known().today).toMatchObject({ requests: 2, charged: 2 });
    expect(one.shown.warnings).toEqual([
      `${folder()} holds no ledger of this program that can be read.`,
    ]);
    expect(start().account.known().today).toMatchObject({ requests: 2 });
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a folder of it that is another user’s, or their link, is refused',
  async () => {
    await send(start(), clock);
    const linked = path.join(mkdtempSync(`${directory}-`), 'ledger');
    renameSync(ledger, linked);
    symlinkSync(linked, ledger);
    for (const theirs of [ledger, directory]) {
      lchownSync(theirs, 12345, 12345);
      const one = start();
      await send(one, clock);
      expect(one.account.known().today.requests).toBe(1);
      expect(one.shown.warnings).toEqual([
        expect.stringContaining(`(${theirs} belongs to another user)`),
      ]);
      lchownSync(theirs, 0, 0);
    }
    rmSync(path.dirname(linked), { recursive: true });
  },
);

test('a clock set back holds nobody for longer than 60 s, nor for longer than the hold was', async () => {
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
