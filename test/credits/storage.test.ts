import {
  chownSync,
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
import { DAY, dayNumber, MINUTE, nextDay } from '../../src/base/units.ts';
import { Ledger } from '../../src/credits/ledger.ts';
import { takeLock } from '../../src/runtime/lock.ts';
import { aMinute } from '../support/allowances.ts';
import { access, ledgerHere, request, send } from './world.ts';

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
    const command = start();
    await send(command, clock);
    writeFileSync(path.join(folder(), 'usage.json'), rubbish);
    await send(command, clock);
    expect(command.account.known().today).toMatchObject({ requests: 2, charged: 2 });
    expect(command.shown.warnings).toEqual([
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
      const command = start();
      await send(command, clock);
      expect(command.account.known().today.requests, theirs).toBe(1);
      expect(command.shown.warnings, theirs).toEqual([
        expect.stringContaining(`(${theirs} belongs to another user)`),
      ]);
      lchownSync(theirs, 0, 0);
    }
    rmSync(path.dirname(linked), { recursive: true });
  },
);

test.skipIf(process.getuid?.() !== 0)('a file of another user in it is not believed', async () => {
  await send(start(), clock);
  chownSync(path.join(folder(), 'usage.json'), 12345, 12345);
  const command = start();
  expect(command.account.known().today.requests).toBe(0);
  expect(command.shown.warnings).toEqual([
    `${folder()} holds no ledger of this program that can be read.`,
  ]);
});

test('kept locked by another command for too long, the ledger says so, and speaks of no export', async () => {
  await send(start(), clock);
  const [account = ''] = readdirSync(ledger);
  const other = takeLock(folder(), { heldMessage: 'never said' });
  const warnings: string[] = [];
  const command = new Ledger({
    directory,
    account,
    allowances: aMinute(15),
    now: clock.now,
    warn: (text) => void warnings.push(text),
    lockPatience: 0,
  });
  command.update(() => {});
  other.release();
  expect(warnings).toEqual([
    `The ledger in ${directory} cannot be used (another command keeps it locked): this command cannot know what others spend.`,
  ]);
});

test('a change that throws leaves nothing in the ledger', async () => {
  await send(start(), clock);
  const [account = ''] = readdirSync(ledger);
  const options = { directory, account, allowances: aMinute(15), now: clock.now, warn: () => {} };
  const command = new Ledger(options);
  const failing = () =>
    command.update((usage) => {
      usage.missing = 7;
      throw new Error('a lock of its own is lost');
    });
  expect(failing).toThrow('a lock of its own is lost');
  expect({ here: command.usage().missing, stored: new Ledger(options).usage().missing }).toEqual({
    here: 0,
    stored: 0,
  });
});

test('what /access said is known for an hour; near a reserve, only until a request is sent', async () => {
  const command = start();
  const withReserve = start({ keep: 100 });
  const near = start({ keep: 890 });
  command.account.observe(access());
  const knowing = () => ({
    without: command.account.knowsCreditsLeft(),
    farFromReserve: withReserve.account.knowsCreditsLeft(),
    nearReserve: near.account.knowsCreditsLeft(),
  });
  expect(knowing()).toEqual({ without: true, farFromReserve: true, nearReserve: true });
  clock.set(clock.now() + 4 * MINUTE);
  expect(knowing()).toEqual({ without: true, farFromReserve: true, nearReserve: false });
  clock.set(clock.now() + 55 * MINUTE);
  expect(knowing()).toEqual({ without: true, farFromReserve: false, nearReserve: false });
  clock.set(clock.now() + MINUTE);
  expect(knowing()).toEqual({ without: false, farFromReserve: false, nearReserve: false });
});

test('a clock set back holds nobody for longer than 60 s, nor for longer than the hold was', async () => {
  const command = start();
  command.account.observe(access({ per_minute: 2 }));
  await send(command, clock);
  await send(command, clock);
  clock.set(clock.now() - 5 * 3_600_000);
  const began = clock.now();
  const paced = send(start(), clock);
  await clock.advance(60_200);
  expect((await paced).sent).toBe(began + 60_100);
  command.account.observe(access({ per_minute: 15 }));
  await send(start(), clock, { status: 503, holdSeconds: 30 });
  clock.set(clock.now() - 3_600_000);
  const again = clock.now();
  const held = send(start(), clock);
  await clock.advance(30_500);
  expect((await held).sent, 'when the held request was sent').toBeLessThanOrEqual(again + 30_500);
});

test('what a clock wrote that was 400 days ahead counts as of now once it is right', async () => {
  const today = dayNumber(clock.now());
  start().account.observe(access({ used: 100 }));
  await send(start(), clock);
  clock.set(clock.now() + 400 * DAY);
  for (let n = 0; n < 3; n += 1) await send(start(), clock);
  // Others spent, too: not on each of those days.
  start().account.observe(access({ used: 140 }));
  clock.set(clock.now() - 400 * DAY);
  const { days, today: spent } = start({ daily: 9 }).account.known();
  expect(days.map(({ day }) => today - day)).toEqual([0]);
  expect({ charged: spent.charged, elsewhere: days[0]?.elsewhere }).toEqual({
    charged: 4,
    elsewhere: 36,
  });
  // Nor was anything lost that the ledger knew of the days before.
  expect(spent.requests).toBe(4);
});

test('where the ledger was lost, SCREENER_DAILY lets nothing pass that costs credits, until midnight', async () => {
  await send(start(), clock);
  writeFileSync(path.join(folder(), 'usage.json'), 'rubbish');
  const limited = start({ daily: 9 });
  const failure = { code: 'budget_unknown', retryAt: nextDay(clock.now()) };
  await expect(send(limited, clock)).rejects.toMatchObject(failure);
  // What is free may go, and so may the commands of who has no such limit.
  await send(limited, clock, { status: 200 }, 0, request('/access', 0));
  await send(start(), clock);
  clock.set(nextDay(clock.now()));
  await send(start({ daily: 9 }), clock);
});
