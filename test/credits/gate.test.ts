import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Answer } from '../../src/api/gate.ts';
import { NoAnswer } from '../../src/api/no-answer.ts';
import { DAY, dayNumber, HOUR } from '../../src/base/units.ts';
import { spentIn, type Usage } from '../../src/credits/usage.ts';
import { ScreenerError } from '../../src/errors.ts';
import { Secrets } from '../../src/runtime/context.ts';
import { settled } from '../support/fake-clock.ts';
import { detail } from '../support/samples.ts';
import { access, clientOf, ledgerHere, request, send } from './world.ts';

const { clock, directory, start } = ledgerHere();

/** What a promise came to, looked at without waiting for it. */
function watch<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const seen: { value?: T; error?: unknown } = {};
  promise
    .then((value) => Object.assign(seen, { value }))
    .catch((error) => Object.assign(seen, { error }));
  return seen;
}

describe('waiting', () => {
  test('a waiting process that is stopped gives its turn back at once, and the next one goes', async () => {
    const first = start();
    first.account.observe(access({ per_minute: 1 }));
    await send(first, clock);
    const stopped = start();
    const wait = watch(stopped.account.gate.enter(request()));
    const next = watch(send(start(), clock));
    await clock.advance(30_000);
    const reason = new Error('stopped by the user');
    stopped.stop.abort(reason);
    await settled();
    expect(wait.error).toBe(reason);
    expect(stopped.shown.waits.map((shown) => shown.stopped)).toEqual([true]);
    expect(stopped.account.gate.spent).toEqual({ requests: 0, charged: 0, uncertain: 0 });
    await clock.advance(30_600);
    expect(next.value?.sent, 'when it was sent').toBeLessThanOrEqual(clock.now());
    expect(stopped.account.known().today.requests).toBe(2);
  });

  test('what a killed process left under way is in nobody’s way for longer than 40 s', async () => {
    const killed = start();
    for (let n = 0; n < 4; n += 1) await killed.account.gate.enter(request());
    const other = start();
    const waiting = watch(send(other, clock));
    await clock.advance(39_000);
    expect(waiting.value).toBeUndefined();
    await clock.advance(1_500);
    expect(waiting.value).toBeDefined();
    // What they may have cost is not forgotten.
    expect(other.account.known().today).toMatchObject({ requests: 5, charged: 1, uncertain: 4 });
  });
});

describe('right before a request leaves, after its turn has come', () => {
  const lost = new Set<string>();
  const lockOf = (name: string) => ({
    check: () => {
      if (lost.has(name)) throw new ScreenerError('busy', `another one took over the ${name}`);
    },
  });
  let sentMeanwhile = 0;
  const others = async (count: number, answer: Answer, asked = request()) => {
    for (let n = 0; n < count; n += 1) await send(start(), clock, answer, 0, asked);
    sentMeanwhile += count;
  };
  const failure = (code: string, message = /./) =>
    expect.objectContaining({ code, message: expect.stringMatching(message) });

  /** What happens while a process is suspended, and whether its request may leave, or what it throws. */
  const MEANWHILE: Readonly<Record<string, { happens: () => unknown; comes: unknown }>> = {
    'nothing happened: it leaves': { happens: () => {}, comes: true },
    'the account may now send one a minute, and this is the one: it leaves': {
      happens: () => start().account.observe(access({ per_minute: 1 })),
      comes: true,
    },
    'others sent all that the minute allows: it waits': {
      happens: async () => {
        await clock.advance(120_000);
        await others(15, { status: 200 });
      },
      comes: false,
    },
    'the service refused for a moment: it waits': {
      happens: () => others(1, { status: 503, holdSeconds: 9 }),
      comes: false,
    },
    'the service refused for longer than --max-wait': {
      happens: () => others(1, { status: 503, holdSeconds: 7200 }),
      comes: failure('unavailable'),
    },
    'neighbours spent down to --keep': {
      happens: () => start().account.observe(access({ used: 700 })),
      comes: failure('budget_reached', /--keep 300/),
    },
    'a new day began, and others spent what SCREENER_DAILY allows': {
      happens: async () => {
        clock.set(clock.now() + 24 * HOUR);
        await others(8, { status: 200 }, request('/signal-stats', 5));
      },
      comes: failure('budget_reached', /SCREENER_DAILY=40/),
    },
    "another run took over the history's lock": {
      happens: () => lost.add('history'),
      comes: failure('busy', /history/),
    },
    "another command took over the card's lock": {
      happens: () => lost.add('card'),
      comes: failure('busy', /card/),
    },
  };

  const cases = Object.entries(MEANWHILE).flatMap(([name, { happens, comes }]) => [
    { name, later: 0, happens, comes },
    { name: `${name}, after a wait`, later: 5_000, happens, comes },
  ]);

  test.each(cases)('$name', async ({ later, happens, comes }) => {
    lost.clear();
    sentMeanwhile = 0;
    start().account.observe(access({ used: 100 }));
    const { account } = start({ keep: 300, daily: 40 });
    account.gate.lock = lockOf('history');
    const turn = await account.gate.enter({ ...request(), lock: lockOf('card') });
    await clock.advance(later);
    await happens();
    let came: unknown;
    try {
      came = turn.leave();
    } catch (error) {
      came = error;
    }
    expect(came).toEqual(comes);
    if (came === true) return;
    turn.cancel();
    // Nothing was sent, and nobody counts it.
    expect(account.known().today.requests).toBe(sentMeanwhile);
    expect(account.gate.spent).toEqual({ requests: 0, charged: 0, uncertain: 0 });
  });

  /** The ledger's file, and when its only request was sent. */
  const ledger = () => {
    const [account = ''] = readdirSync(path.join(directory, 'ledger'));
    const file = path.join(directory, 'ledger', account, 'usage.json');
    const { requests, days } = JSON.parse(readFileSync(file, 'utf8')) as Usage;
    return {
      file: statSync(file).ino,
      sent: requests.map(({ sent }) => sent),
      days: days.filter((day) => spentIn(day.operations).uncertain > 0).map(({ day }) => day),
    };
  };

  test.each([
    { name: 'in the same moment its record stays as it is', later: 1_000, isNew: false },
    { name: 'later it is recorded anew', later: 1_001, isNew: true },
    { name: 'with a clock set back it is recorded anew', later: -1, isNew: true },
  ])('$name', async ({ later, isNew }) => {
    const turn = await start().account.gate.enter(request());
    const before = ledger();
    clock.set(clock.now() + later);
    expect(turn.leave()).toBe(true);
    const after = ledger();
    expect(after.file !== before.file, 'whether the file was replaced').toBe(isNew);
    expect(after.sent).toEqual(isNew ? [clock.now()] : before.sent);
  });

  test('on the next day it is recorded there, also in the next moment', async () => {
    const today = dayNumber(clock.now());
    clock.set((today + 1) * DAY - 1);
    const turn = await start().account.gate.enter(request());
    expect(ledger().days).toEqual([today]);
    clock.set(clock.now() + 1);
    expect(turn.leave()).toBe(true);
    expect(ledger().days).toEqual([today + 1]);
  });
});

describe('Retry-After', () => {
  test('a lone refusal says nothing of the pace: what it asked for is waited, no more', async () => {
    await send(start(), clock, { status: 200 }, 0, request('/access', 0));
    const command = start();
    await send(command, clock, { status: 429, holdSeconds: 2 });
    const at = clock.now();
    const again = watch(send(command, clock));
    await clock.advance(2_000);
    expect(again.value?.sent).toBe(at + 2_000);
    await send(command, clock);
    expect(clock.now()).toBe(at + 2_000);
    expect(command.shown.waits.map(({ reason }) => reason)).toEqual([
      'the service is refusing requests (429)',
    ]);
  });

  test('whoever is refused because another one of the account went first has made no attempt', async () => {
    // Jitter that lets the other process go first each time its turn comes.
    const context = { clock, signal: new AbortController().signal, random: () => 0.3 };
    const command = start({ context });
    const other = start();
    const goes: string[] = [];
    const client = clientOf(command, clock, async () => {
      goes.push('one');
      const isThere = goes.length > 6;
      return { response: isThere ? detail({ id: 1 }) : null, refusedFor: isThere ? undefined : 15 };
    });
    const go = async () => {
      await send(other, clock, { status: 200 }, 0, request('/signals/{id}'));
      goes.push('other');
    };
    await go();
    const call = watch(client.call('signal', { id: 1 }));
    await clock.advance(100);
    for (let n = 0; n < 2; n += 1) {
      const turn = go();
      await clock.advance(70_000);
      await turn;
    }
    await clock.advance(120_000);
    expect(goes).toEqual(['other', 'one', 'other', 'one', 'other', 'one', 'one']);
    expect(call).toMatchObject({ value: { id: 1 } });
  });

  test('a shorter one does not shorten a longer one', async () => {
    const command = start();
    const turns = [
      await command.account.gate.enter(request()),
      await command.account.gate.enter(request()),
    ];
    turns[0]?.settle({ status: 429, holdSeconds: 3600 });
    turns[1]?.settle({ status: 503, holdSeconds: 1 });
    await expect(command.account.gate.enter(request())).rejects.toMatchObject({
      retryAfter: 3600,
      status: 429,
    });
  });
});

test('other processes know that what held them was not the service', async () => {
  await send(start(), clock, { status: 503, holdSeconds: 7200, isForeign: true });
  await expect(start().account.gate.enter(request())).rejects.toMatchObject({
    message: expect.stringMatching(/^Something else came in place of the service's answer/),
  });
});

describe('a hold that one operation caused', () => {
  const probe = async (said = access()) => {
    const command = start();
    await send(command, clock, { status: 200 }, 0, {
      ...request('/access', 0),
      despiteHold: 'probe',
    });
    command.account.observe(said);
  };

  test('is its own alone once /access has answered, also where another operation is refused afterwards', async () => {
    await send(start(), clock, { status: 503, holdSeconds: 7200 }, 0, request('/signal-stats', 5));
    await clock.advance(1_000);
    await probe();
    await clock.advance(1_000);
    await send(start(), clock, { status: 429, holdSeconds: 90 });
    const { gate } = start().account;
    // Whether that one is for all, /access will say.
    expect(gate.longHoldOn('/screeners')).toMatchObject({ operation: '/signals', status: 429 });
    expect(gate.canBeLiftedByAccess('/screeners'), '/screeners may be asked about').toBe(true);
    await clock.advance(1_000);
    await probe();
    expect(gate.longHoldOn('/screeners')).toBeUndefined();
    expect(gate.longHoldOn('/signals')).toMatchObject({ operation: '/signals' });
    expect(gate.longHoldOn('/signal-stats')).toMatchObject({ operation: '/signal-stats' });
    expect(gate.canBeLiftedByAccess('/signal-stats'), '/signal-stats may be asked about').toBe(
      false,
    );
  });

  test('binds all again where it was lifted, is over, and came anew', async () => {
    const refuse = () =>
      send(start(), clock, { status: 503, holdSeconds: 90 }, 0, request('/signal-stats', 5));
    await refuse();
    await clock.advance(1_000);
    await probe();
    expect(start().account.gate.longHoldOn('/signals')).toBeUndefined();
    await clock.advance(90_000);
    await refuse();
    expect(start().account.gate.longHoldOn('/signals')).toMatchObject({ status: 503 });
  });

  test.each([
    { what: 'a longer one', first: 600, second: 7200 },
    { what: 'a shorter one', first: 7200, second: 600 },
  ])(
    'binds all again, where it was lifted, if $what comes after that',
    async ({ first, second }) => {
      const command = start();
      const early = await command.account.gate.enter(request());
      const late = await command.account.gate.enter(request());
      early.settle({ status: 429, holdSeconds: first });
      await clock.advance(1_000);
      const probed = probe();
      // After a refusal /access waits until the other request is over, or has been under way for 40 s.
      await clock.advance(41_000);
      await probed;
      expect(start().account.gate.longHoldOn('/screeners'), 'after /access').toBeUndefined();
      late.settle({ status: 429, holdSeconds: second });
      expect(start().account.gate.longHoldOn('/screeners')).toMatchObject({
        operation: '/signals',
        until: clock.now() + second * 1000,
      });
      await clock.advance(1000 * second);
      expect(start().account.gate.longHoldOn('/screeners'), 'when it is over').toBeUndefined();
    },
  );

  test('tells that the quota is used up, also beside a longer one for another reason', async () => {
    await send(start(), clock, { status: 503, holdSeconds: 900 }, 0, request('/screeners'));
    const busy = start();
    expect(busy.account.known().isRefused, 'a 503 alone').toBe(false);
    const turn = busy.account.gate.enter({ ...request(), despiteHold: 'probe' });
    (await turn).settle({ status: 429, holdSeconds: 600 });
    expect(busy.account.known().isRefused).toBe(true);
  });

  test('is not lifted by an answer of /access that had left before, or says that no credits are left', async () => {
    const early = start();
    const turn = await early.account.gate.enter(request('/access', 0));
    await clock.advance(1_000);
    await send(start(), clock, { status: 503, holdSeconds: 7200 }, 0, request('/signal-stats', 5));
    turn.settle({ status: 200 });
    early.account.observe(access());
    expect(
      start().account.gate.canBeLiftedByAccess('/signals'),
      'after an early answer of /access',
    ).toBe(true);
    await clock.advance(1_000);
    await probe(access({ used: 1000 }));
    expect(
      start().account.gate.canBeLiftedByAccess('/signals'),
      'after an answer that no credits are left',
    ).toBe(true);
  });
});

test('/access, refused throughout, is asked 8 times in a month by cron; a user who asks changes nothing, an answer all', async () => {
  const command = start();
  const { account } = command;
  const ask = (status: number) => send(command, clock, { status }, 0, request('/access', 0));
  const days: number[] = [];
  for (let hour = 0; hour < 30 * 24; hour += 6) {
    if (account.accessRefusal()?.isDue !== false) {
      days.push(hour / 24);
      await ask(403);
    }
    await clock.advance(6 * HOUR);
  }
  expect(days).toEqual([0, 0.25, 0.5, 1.5, 4.5, 11.5, 18.5, 25.5]);
  await ask(403);
  expect(account.accessRefusal()).toEqual({ status: 403, isDue: false });
  await ask(200);
  expect(start().account.accessRefusal()).toBeNull();
});

describe('--max-credits', () => {
  test('is a ceiling for everything that left, failures and lost answers included', async () => {
    const command = start({ maxCredits: 3 });
    await send(command, clock, { status: 200 });
    await send(command, clock, { status: 404 });
    await send(command, clock, { status: undefined });
    await expect(command.account.gate.enter(request())).rejects.toMatchObject({
      code: 'budget_reached',
      exitCode: 7,
      hint: expect.stringContaining('--max-credits'),
    });
    await send(command, clock, { status: 200 }, 0, request('/access', 0));
    expect(command.account.gate.spent).toEqual({ requests: 4, charged: 1, uncertain: 2 });
  });

  test('requests at once do not exceed it together', async () => {
    const command = start({ maxCredits: 2 });
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => command.account.gate.enter(request())),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });
});

test('SCREENER_DAILY is kept by 8 processes in a loop, and across midnight', async () => {
  clock.set(Date.UTC(2026, 10, 20, 23, 59, 59));
  start().account.observe(access({ per_minute: 100_000 }));
  const days = new Map<number, number>();
  const loop = async (index: number) => {
    const { account } = start({ daily: 40 });
    for (let call = 0; call < 60; call += 1) {
      await clock.sleep(50 + 10 * index);
      const turn = await account.gate
        .enter(request())
        .catch(
          (error) => void expect(error.code, `call ${call} of ${index}`).toBe('budget_reached'),
        );
      if (turn === undefined) continue;
      const sent = dayNumber(clock.now());
      await clock.sleep(130 + 7 * index);
      turn.settle({ status: 200 });
      days.set(sent, 1 + (days.get(sent) ?? 0));
    }
  };
  const all = Promise.all(Array.from({ length: 8 }, (_, index) => loop(index)));
  for (let second = 0; second < 60; second += 1) await clock.advance(1_000);
  await all;
  const [first = 0, second] = days.values();
  expect(first, 'requests of the first day').toBeGreaterThan(4);
  expect(first, 'requests of the first day').toBeLessThanOrEqual(40);
  expect(second, 'requests of the second day').toBe(40);
});

describe('--keep', () => {
  test('counts what is under way as spent: commands together do not cross it', async () => {
    const command = start({ keep: 300 });
    command.account.observe(access({ used: 699, per_minute: 1 }));
    await send(command, clock, { status: 200 }, 0, request('/access', 0));
    const both = [command, start({ keep: 300 })].map(({ account }) =>
      watch(account.gate.enter(request())),
    );
    await clock.advance(61_000);
    expect(both.filter(({ value }) => value !== undefined)).toHaveLength(1);
    const refused = both.find(({ error }) => error !== undefined)?.error;
    expect(refused).toMatchObject({
      code: 'budget_reached',
      message: expect.stringContaining('--keep 300'),
    });
  });

  test('never says that fewer than 0 credits are left, though failed requests may have cost more', async () => {
    const others = start();
    others.account.observe(access({ used: 998 }));
    for (let n = 0; n < 2; n += 1) await send(others, clock, { status: 500 });
    // `/access` does not show the two yet.
    others.account.observe(access({ used: 998 }));
    for (let n = 0; n < 2; n += 1) await send(others, clock);
    await expect(start({ keep: 5 }).account.gate.enter(request())).rejects.toMatchObject({
      code: 'budget_reached',
      message: '--keep 5 is reached: 0 credits left this month, and the next request costs 1.',
    });
  });

  test('holds where the month is over by this clock, but not by the service that was just asked', async () => {
    const command = start({ keep: 300 });
    command.account.observe(access({ used: 700, resets_at: '2026-11-01T00:00:00Z' }));
    await expect(command.account.gate.enter(request())).rejects.toMatchObject({
      code: 'budget_reached',
    });
  });
});

test('a retry for which another process took the last credit is told as the failure, and not to wait longer', async () => {
  start().account.observe(access({ per_minute: 100_000 }));
  for (let credits = 0; credits < 145; credits += 5)
    await send(start(), clock, { status: 200 }, 0, request('/signal-stats', 5));
  const process = start();
  const client = clientOf(process, clock, async () => {
    await send(start(), clock, { status: 200 }, 0, request('/signal-stats', 5));
    return { response: null, refusedFor: 5 };
  });
  const call = watch(client.call('snapshot', {}));
  for (let second = 0; second < 70; second += 1) await clock.advance(1_000);
  expect(call.error).toMatchObject({
    code: 'quota_exhausted',
    status: 429,
    hint: expect.stringMatching(/^Try again after .*, in 5 seconds\.$/),
  });
});

test('a first silent 503 is waited for five seconds, also if an answer was lost before it', async () => {
  const { account, stop } = start();
  const begin = clock.now();
  const sentAfterSeconds: number[] = [];
  const client = createClient({
    gate: account.gate,
    timeout: 30_000,
    context: { clock, signal: stop.signal, secrets: new Secrets() },
    notes: { warn: () => {}, debug: () => {} },
    async transport({ onLeaving }) {
      onLeaving();
      sentAfterSeconds.push(Math.floor((clock.now() - begin) / 1_000));
      if (sentAfterSeconds.length === 1) throw new NoAnswer('reset');
      const body = Buffer.from(JSON.stringify({ hasError: true, response: null, errors: null }));
      return { status: 503, headers: {}, body };
    },
  });
  const call = watch(client.call('snapshot', {}));
  for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
  expect(call.error).toMatchObject({ status: 503 });
  expect(sentAfterSeconds).toEqual([0, 5, 10]);
});
