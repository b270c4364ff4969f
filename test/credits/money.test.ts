import { expect, test } from 'vitest';
import { dayNumber } from '../../src/base/units.ts';
import { access, ledgerHere, type Process, request, send } from './world.ts';

const { clock, start } = ledgerHere();

function observed({ account }: Process, answer: ReturnType<typeof access>) {
  account.observe(answer);
  return account.known().elsewhere?.credits;
}

const elsewhere = (used: number, resets_at?: string) =>
  observed(start(), access({ used, ...(resets_at === undefined ? {} : { resets_at }) }));

test('spent elsewhere is what this machine cannot account for; unknown at the first look and in a new month', async () => {
  expect(elsewhere(100)).toBeUndefined();
  expect(elsewhere(3, '2027-01-01T00:00:00Z')).toBeUndefined();
  expect(elsewhere(100)).toBeUndefined();
  for (let n = 0; n < 3; n += 1) await send(start(), clock);
  await clock.advance(1000);
  expect(elsewhere(110, '2026-12-01T00:00:00+00:00')).toBe(7);
  // What failed or was lost may have been charged.
  await send(start(), clock, { status: undefined }, 0, request('/signal-stats', 5));
  await clock.advance(1000);
  expect(elsewhere(113)).toBe(0);
  await send(start(), clock, { status: 500 });
  await clock.advance(1000);
  // An answer may be an hour old: it may be the first to show two of the five.
  expect({ more: elsewhere(117), less: elsewhere(90) }).toEqual({ more: 1, less: 0 });
});

test('a month is the same where its reset moves by seconds, as it does where a service works it out anew', async () => {
  expect(elsewhere(100, '2026-12-01T00:00:00Z')).toBeUndefined();
  expect(elsewhere(250, '2026-12-01T00:00:01Z')).toBe(150);
  expect(elsewhere(251, '2026-11-30T23:59:59Z')).toBe(1);
});

test('what others spent between two looks is shared out over the days between', async () => {
  const daysAgo = () => {
    const { days } = start().account.known();
    const today = dayNumber(clock.now());
    return Object.fromEntries(days.map((entry) => [today - entry.day, entry.elsewhere]));
  };
  clock.set(Date.UTC(2026, 10, 10, 6));
  elsewhere(100);
  // What a daily run finds in the morning was spent on the day before.
  clock.set(Date.UTC(2026, 10, 11, 6));
  elsewhere(160);
  expect(daysAgo()).toEqual({ 1: 60 });
  // After a pause of days, each has its part, whole credits.
  clock.set(Date.UTC(2026, 10, 14, 6));
  elsewhere(171);
  expect(daysAgo()).toEqual({ 1: 4, 2: 4, 3: 3, 4: 60 });
  clock.set(Date.UTC(2026, 10, 14, 18));
  elsewhere(173);
  expect(daysAgo()).toEqual({ 0: 2, 1: 4, 2: 4, 3: 3, 4: 60 });
});

test('a request under way while /access was asked is blamed on nobody', async () => {
  elsewhere(100);
  await clock.advance(1000);
  const asking = start();
  const look = await asking.account.gate.enter(request('/access', 0));
  const turn = await start().account.gate.enter(request());
  await clock.advance(100);
  await send(start(), clock);
  await clock.advance(100);
  look.settle({ status: 200 });
  // The service had counted one of them, or none.
  expect(observed(asking, access({ used: 100 }))).toBe(0);
  turn.settle({ status: 200 });
  await clock.advance(1000);
  expect(elsewhere(102)).toBe(0);
});

test('the pace counts what was just done, what is under way and a hold', async () => {
  for (let n = 0; n < 14; n += 1) await send(start(), clock);
  await clock.advance(20_000);
  const under = await start().account.gate.enter(request());
  expect(start().account.timeFor(1)).toBe(40_100);
  expect(start().account.timeFor(15)).toBe(60_100);
  under.settle({ status: 503, holdSeconds: 50 });
  expect(start().account.timeFor(1)).toBe(50_000);
});
