/** Each limit of credits stops what it is to stop, and is told: a new row of the list enters here by itself. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { CREDIT_PERIODS } from '../../src/api/limits.ts';
import { DAY, MINUTE } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { createHome, type Home } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { access, ledgerHere, request, send, startProcess } from './world.ts';

let home: Home;
let sandbox: Sandbox | undefined;
beforeEach(() => {
  home = createHome();
});
afterEach(async () => {
  await sandbox?.close();
  home.remove();
});

const { clock, start } = ledgerHere();

/** Spends so many credits, five at a time, shared out over the days up to today. */
async function spend(credits: number, days: number): Promise<void> {
  const last = clock.now();
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    clock.set(last - ago * DAY);
    const share = Math.floor(credits / days) + (ago === 0 ? credits % days : 0);
    for (let n = 0; n < share; n += 5)
      await send(
        start(),
        clock,
        { status: 200 },
        0,
        request('/signal-stats', Math.min(5, share - n)),
      );
  }
}

it.each(CREDIT_PERIODS)(
  'the credits of a $name ($credits within $days days) are counted by the ledger, and said to be spent',
  async ({ name, days, credits }) => {
    start().account.observe(access({ per_minute: 1_000_000 }));
    await spend(credits - 2, days);
    const { account } = start();
    expect(account.left()).toEqual({ limit: name, credits: 2 });
    expect(account.known()).toMatchObject({ leftOfServiceDay: 2 });
    expect(account.known().periods).toContainEqual({ days, credits, spent: credits - 2 });
    await spend(2, 1);
    expect(account.left()).toEqual({ limit: name, credits: 0 });
    expect(account.limitReached(name).what).toBe(`The ${name}'s ${credits} credits are spent`);
  },
);

const spendings = CREDIT_PERIODS.flatMap(({ name, days, credits }) => [
  { name, credits, how: 'each day alike', onDays: days },
  { name, credits, how: 'on its last day', onDays: 1 },
]);

it.each(spendings)(
  'the credits of a $name that were spent $how are back when the message says, and no sooner',
  async ({ name, credits, onDays }) => {
    start().account.observe(access({ per_minute: 1_000_000 }));
    await spend(credits, onDays);
    const { what, until = 0 } = start().account.limitReached(name);
    const ask = () => send(start(), clock).then(() => 'answered', String);
    clock.set(until - MINUTE);
    expect(await ask(), 'a minute before').toContain(what);
    clock.set(until);
    expect(await ask(), 'at that time').toBe('answered');
  },
);

it.each(CREDIT_PERIODS)(
  'the stand-in refuses what exceeds the credits of a $name',
  async ({ name, days, credits }) => {
    const machine = new TestClock(NOW);
    sandbox = await startSandbox({ now: () => machine.now(), cards: 3 });
    const run = (...args: string[]) =>
      runHere(args, { home, clock: machine, env: sandbox?.env ?? {} });
    const first = NOW - (days - 1) * DAY;
    await machine.sleep(first - NOW);
    for (let day = 0; day < days; day += 1) {
      const share = Math.floor(credits / days) + (day === 0 ? credits % days : 0);
      sandbox.spend(share - Number(day === days - 1));
      if (day < days - 1) await machine.sleep(DAY);
    }
    expect((await run('snapshot')).code).toBe(0);
    const refused = await run('snapshot');
    expect(refused.code, refused.stderr).toBe(7);
    expect(refused.stderr).toContain(`${credits} credits per ${name}`);
  },
);

it.each(CREDIT_PERIODS)(
  'every page that says what is left today reckons with the credits of a $name',
  async ({ days, credits }) => {
    const machine = new TestClock(NOW);
    await machine.sleep(-(days - 1) * DAY);
    sandbox = await startSandbox({ now: () => machine.now(), cards: 30 });
    const { baseUrl, key, env } = sandbox;
    const run = (...args: string[]) => runHere(args, { home, clock: machine, env });
    expect((await run('signals', 'export', '--max-credits', '0')).code).toBe(0);
    const { account } = startProcess(machine, home.state, { baseUrl, key, allowances: {} });
    // After the last of them two credits are left.
    for (let day = 0; day < days; day += 1) {
      const share = Math.floor((credits - 3) / days) + (day === 0 ? (credits - 3) % days : 0);
      sandbox.spend(share);
      for (let n = 0; n < share; n += 5) {
        const turn = await account.gate.enter(request('/signal-stats', Math.min(5, share - n)));
        turn.settle({ status: 200 });
      }
      await machine.sleep(day < days - 1 ? DAY : 2 * MINUTE);
    }
    const { stderr } = await run('snapshot');
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
    const plan = await json('snapshot', '--plan');
    const today = (await json('today')).credits;
    const { day: ofExport } = await json('signals', 'export', '--plan');
    const { stdout: access } = await run('access');
    expect({
      afterACommand: /(\d+) left today/.exec(stderr)?.[1],
      plan: plan.day_limit - plan.spent_today,
      today: today.day_limit - today.spent_today,
      export: ofExport.limit - ofExport.spent,
      access: /^Today .* (\d+) left$/m.exec(access)?.[1],
    }).toEqual({ afterACommand: '2', plan: 2, today: 2, export: 2, access: '2' });
  },
);
