import { describe, expect, test } from 'vitest';
import { access, ledgerHere, request, send } from './world.ts';

const { clock, start } = ledgerHere();

describe('spent elsewhere', () => {
  test('is unknown at the first look and in a new month', () => {
    expect(start().account.observe(access({ used: 100 }))).toBeUndefined();
    expect(start().account.observe(access({ used: 3, resets_at: '2027-01-01T00:00:00Z' }))).toBeUndefined();
  });

  test('is what this machine cannot account for', async () => {
    start().account.observe(access({ used: 100 }));
    const since = clock.now();
    for (let n = 0; n < 3; n += 1) await send(start(), clock);
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 110, resets_at: '2026-12-01T00:00:00+00:00' }))).toEqual({
      least: 7,
      most: 7,
      since,
    });
    expect(start().account.observe(access({ used: 110 }))).toMatchObject({ least: 0, most: 0 });
  });

  test('is a range where answers failed or were lost, and never negative', async () => {
    start().account.observe(access({ used: 100 }));
    await send(start(), clock, { status: undefined }, 0, request('/signal-stats', 5));
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 103 }))).toMatchObject({ least: 0, most: 3 });
    await send(start(), clock, { status: 500 });
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 105 }))).toMatchObject({ least: 1, most: 2 });
    await send(start(), clock);
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 90 }))).toMatchObject({ least: 0, most: 0 });
  });

  test('does not blame others for a request under way while /access was asked', async () => {
    start().account.observe(access({ used: 100 }));
    const turn = await start().account.gate.enter(request());
    await clock.advance(1000);
    const asking = start();
    await send(asking, clock, { status: 200 }, 0, request('/access', 0));
    // The service had counted it already: used is 101.
    expect(asking.account.observe(access({ used: 101 }))).toMatchObject({ least: 0, most: 1 });
    await clock.advance(1000);
    turn.settle({ status: 200 });
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 101 }))).toMatchObject({ least: 0, most: 0 });
  });

  test('does not blame others later for a request answered between the look and its record', async () => {
    start().account.observe(access({ used: 100 }));
    await clock.advance(1000);
    const asking = start();
    const look = await asking.account.gate.enter(request('/access', 0));
    await clock.advance(100);
    await send(start(), clock);
    await clock.advance(100);
    look.settle({ status: 200 });
    // The service looked before it counted the other request.
    expect(asking.account.observe(access({ used: 100 }))).toMatchObject({ least: 0, most: 0 });
    await clock.advance(1000);
    expect(start().account.observe(access({ used: 101 }))).toMatchObject({ least: 0, most: 1 });
  });
});

test('the pace counts what was just done, what is under way and a hold', async () => {
  for (let n = 0; n < 14; n += 1) await send(start(), clock);
  await clock.advance(20_000);
  const under = await start().account.gate.enter(request());
  expect(start().account.pace(1)).toBe(40_100);
  expect(start().account.pace(15)).toBe(60_100);
  under.settle({ status: 503, retryAfter: 300 });
  expect(start().account.pace(1)).toBe(300_000);
});
