/** Of all commands that want a card's outcome at once, one pays for it. */
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockHistory } from '../../src/history/export/working-history.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createMarketWorld } from '../../src/sandbox/market/market-world.ts';
import type { World } from '../../src/sandbox/world.ts';
import { TestClock } from '../support/context.ts';
import { ageLock } from '../support/files.ts';
import { parseLines } from '../support/fixtures.ts';
import { createHome, type Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { startScreener } from '../support/run.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';

/** Cards of which outcomes are wanted. */
const WANTED = process.env.SCREENER_HEAVY === '1' ? 60 : 20;

let home: Home;
let sandbox: Sandbox;
let ids: string[];
const env = () => ({ ...sandbox.env, SCREENER_HISTORY: `${home.folder}/history` });
/** Waits really: several run at once. */
const run = (...args: string[]) => runHere(args, { home, clock: systemClock, env: env() });
const details = () =>
  sandbox.requests.filter(({ path }) => /^\/signals\/\d/.test(path)).map(({ path }) => path);

/** A market whose every card has its outcome: one without would rightly be asked for again. */
function measuredMarket(): World {
  const market = createMarketWorld(1, Date.now(), { cards: 8 * WANTED });
  const isMeasured = ({ id }: { readonly id: number }) => {
    const outcome = market.detail(id, Date.now())?.outcome;
    return outcome != null && outcome.state_24h !== 'pending';
  };
  const measured = market.index(Date.now()).filter(isMeasured);
  return { ...market, index: () => measured };
}

/** It never changes, and all tests ask it. */
const MARKET = measuredMarket();

beforeEach(async () => {
  home = createHome();
  sandbox = await startSandbox({
    world: MARKET,
    allowances: { per_minute: 100_000 },
    dayCredits: 1000,
  });
  // The pace that it allows is known from then on.
  await run('access');
  const listed = await run(
    'signals',
    'ls',
    '-n',
    `${WANTED}`,
    '--until',
    '2d',
    '--ndjson',
    '--fields',
    'id',
  );
  ids = parseLines(listed.stdout).map(({ id }) => String(id));
});
afterEach(async () => {
  await sandbox.close();
  home.remove();
});

/** Makes whoever buys a card look killed, or suspended for a minute. */
function silenceCardLocks(): void {
  const ledger = path.join(home.state, 'ledger');
  const account = path.join(ledger, ...readdirSync(ledger));
  for (const name of readdirSync(account))
    if (name.startsWith('card-')) ageLock(account, -60, name);
}

it.each([
  ['show', ['signals', 'show', 'ID', '--json']],
  ['export', ['signals', 'export']],
])(
  'a `show` that was suspended while it waited for its turn leaves the card to a later %s',
  async (_, words) => {
    const id = ids[0] ?? '';
    sandbox.addFault('signal:1:503:retry-after=2');
    const show = ['signals', 'show', id, '--json'];
    const suspended = startScreener(show, { home, env: env() });
    await expect.poll(() => details().length).toBeGreaterThan(0);
    suspended.child.kill('SIGSTOP');
    silenceCardLocks();
    // Its clock is ahead, and its waits take no time: the refusal holds it no more.
    const clock = new TestClock(Date.now() + 10_000);
    const args = words.map((word) => (word === 'ID' ? id : word));
    const later = await runHere(args, { home, clock, env: env() });
    expect(later.code, later.stderr).toBe(0);
    expect(details().filter((asked) => asked === `/signals/${id}`)).toHaveLength(2);
    const asked = details().length;
    suspended.child.kill('SIGCONT');
    const { code, stdout, stderr } = await suspended.done;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: Number(id), outcome: expect.anything() });
    expect(details()).toHaveLength(asked);
  },
);

it('a `show` keeps what it buys where another command has begun to make the history, and was stopped', async () => {
  const history = path.join(home.folder, 'history');
  mkdirSync(history);
  const stopped = lockHistory(history);
  let sleeps = 0;
  const clock = {
    ...systemClock,
    sleep: (millis: number, signal?: AbortSignal) => {
      sleeps += 1;
      if (sleeps === 3) stopped.release();
      return systemClock.sleep(millis, signal);
    },
  };
  const show = ['signals', 'show', ids[0] ?? '', '--json'];
  for (const _ of ['buys it', 'has it']) {
    const { code, stderr } = await runHere(show, { home, clock, env: env() });
    expect({ code, isKept: !stderr.includes('cannot be kept') }, stderr).toEqual({
      code: 0,
      isKept: true,
    });
  }
  expect(details()).toHaveLength(1);
});

it('no card is paid for twice by an export, two `show` and a list at once, without a history before', async () => {
  const show = ['signals', 'show', ...ids, '--json'];
  const list = ['signals', 'ls', '--until', '2d', '-n', `${WANTED}`, '--outcomes', '--json'];
  const all = await Promise.all(
    [['signals', 'export'], show, show, list].map((words) => run(...words)),
  );
  const failures = all.filter(({ code }) => code !== 0);
  expect(failures).toEqual([]);
  const [, first, second] = all.map(({ stdout }) => stdout);
  expect(JSON.parse(second ?? '')).toEqual(JSON.parse(first ?? ''));
  expect(details()).toHaveLength(new Set(details()).size);
});

it.each([['show'], ['ls', '--until', '2d', '-n', `${WANTED}`, '--outcomes']])(
  'a killed `signals %s` loses the answer in flight at most',
  async (...words) => {
    const args = ['signals', ...words, ...(words[0] === 'show' ? ids : []), '--ndjson'];
    const killed = startScreener(args, { home, env: env() });
    await expect.poll(() => details().length).toBeGreaterThanOrEqual(7);
    const gone = once(killed.child, 'close');
    killed.child.kill('SIGKILL');
    await gone;
    const before = details();
    silenceCardLocks();
    expect((await run(...args)).code).toBe(0);
    expect(
      details().length - new Set(details()).size,
      'details asked for twice',
    ).toBeLessThanOrEqual(1);
    expect(new Set(details()).size, 'cards with an outcome asked for').toBeGreaterThanOrEqual(
      before.length,
    );
  },
);
