/** The day's credits are spent, as this machine knows: nothing billable is sent that the service would only refuse. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/base/units.ts';
import { TestClock } from '../support/context.ts';
import { errorLine } from '../support/fixtures.ts';
import { createHome, type Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../support/sandbox.ts';
import { request, startProcess } from './world.ts';

const BEGIN = Date.UTC(2026, 10, 20, 10);

let home: Home;
let clock: TestClock;
let sandbox: Sandbox;
beforeEach(() => {
  home = createHome();
  clock = new TestClock(BEGIN);
});
afterEach(async () => {
  await sandbox.close();
  home.remove();
});

const run = (...args: string[]) => runHere(args, { home, clock, env: sandbox.env });

/** Serves an account that has spent the day's credits of the document, as its ledger on this machine knows. */
async function spendTheDay(options: SandboxOptions = {}, spent = 150): Promise<void> {
  sandbox = await startSandbox({
    cards: 60,
    allowances: { per_minute: 10_000 },
    now: () => clock.now(),
    ...options,
  });
  const { baseUrl, key } = sandbox;
  const { account } = startProcess(clock, home.state, { baseUrl, key, allowances: {} });
  // One request of so many credits is the same to the ledger as many that cost as much together.
  const turn = await account.gate.enter(request('/signal-stats', spent));
  turn.settle({ status: 200 });
  sandbox.spend(spent);
  const isDocumented = options.monthCredits === undefined;
  const credits = isDocumented ? `${spent} of 150 used, ${150 - spent} left` : `${spent} used`;
  expect((await run('access')).stdout).toContain(` ${credits}\n`);
}

/** Paths of what was sent while the command ran. */
async function sentBy(command: () => ReturnType<typeof run>) {
  const before = sandbox.requests.length;
  const ran = await command();
  const paths = sandbox.requests.slice(before).map(({ path }) => path);
  return { ...ran, paths };
}

describe.each([
  { words: ['signals', 'ls'] },
  { words: ['signals', 'ls', '--all'] },
  { words: ['signals', 'show', '1'] },
  { words: ['snapshot'] },
  { words: ['screeners'] },
])('screener $words', ({ words }) => {
  it('says so, sends nothing, and names what is free and when there are credits again', async () => {
    await spendTheDay();
    const { code, stderr, paths } = await sentBy(() => run(...words, '--json'));
    expect({ code, paths }, stderr).toEqual({ code: 7, paths: [] });
    const { message, hint, retry_at } = errorLine(stderr);
    expect({ message, hint, retry_at }).toEqual({
      message: "The day's 150 credits are spent. Nothing billable was sent.",
      hint: expect.stringMatching(
        /^Wait until 2026-11-21 00:00:00 UTC, in 1\d hours.*\. With --local, `signals`, `screeners` and `stats` read your history for free\.$/,
      ),
      retry_at: '2026-11-21T00:00:00.000Z',
    });
    await clock.sleep(DAY);
    expect((await run('snapshot')).code, 'on the next day').toBe(0);
  });
});

it.each([
  { words: ['signals', 'ls', '-n', '200'] },
  { words: ['signals', 'ls', '--outcomes', '-n', '20'] },
])(
  'that the day ends within screener $words is said once, and not that nothing was sent',
  async ({ words }) => {
    await spendTheDay({ cards: 2000 }, 145);
    const { code, stderr, paths } = await sentBy(() => run(...words, '--json'));
    const { message } = errorLine(stderr);
    const billable = paths.filter((path) => !path.endsWith('/access'));
    expect({ code, billable: billable.length, message }, stderr).toEqual({
      code: 7,
      billable: 5,
      message: "The day's 150 credits are spent.",
    });
    expect(stderr).not.toContain('No outcome for card');
  },
);

it.each([{ options: [] }, { options: ['--max-credits', '120'] }])(
  'an export that runs past midnight spends what it said, and no more: $options',
  async ({ options }) => {
    await spendTheDay({ cards: 2000, allowances: {} }, 105);
    await clock.sleep(13 * HOUR + 59 * MINUTE);
    const args = ['signals', 'export', '--all-credits', ...options];
    const first = await run(...args, '--json');
    expect(first.stderr).toContain(
      'This first export may cost up to 45 of the 45 credits left today',
    );
    const { credits, stopped_by } = JSON.parse(first.stdout);
    expect({
      code: first.code,
      midnight: clock.now() > BEGIN + 14 * HOUR,
      credits,
      stopped_by,
    }).toEqual({
      code: 0,
      midnight: true,
      credits: { charged: 45, uncertain: 0 },
      stopped_by: 'run',
    });
    expect(first.stderr).toContain(
      'The credits that were left when this run began are spent. The next run continues from here.',
    );
    const ofNext = ['signals', 'export', '--all-credits', '--max-credits', '60', '--json'];
    const next = JSON.parse((await run(...ofNext)).stdout);
    expect(next, 'the next run has the new day').toMatchObject({ credits: { charged: 60 } });
  },
);

it('asks /access, which is free, if its last answer is older than five minutes', async () => {
  await spendTheDay();
  await clock.sleep(6 * MINUTE);
  const first = await sentBy(() => run('signals', 'ls'));
  const second = await sentBy(() => run('signals', 'ls'));
  expect([first, second].map(({ code, paths }) => ({ code, paths }))).toEqual([
    { code: 7, paths: [expect.stringMatching(/\/access$/)] },
    { code: 7, paths: [] },
  ]);
});

describe('an account whose month is larger than the document says: nobody knows its day', () => {
  it.each([
    { words: ['signals', 'ls'], credits: 1 },
    { words: ['signals', 'ls', '--all'], credits: 3 },
    { words: ['snapshot'], credits: 1 },
    { words: ['stats', 'breakout', '--yes'], credits: 5 },
    { words: ['signals', 'export', '--max-credits', '20'], credits: 20 },
  ])('is left to the service by screener $words', async ({ words, credits }) => {
    await spendTheDay({ dayCredits: 500, monthCredits: 5000 });
    await clock.sleep(6 * MINUTE);
    const { code, stderr } = await run(...words);
    expect({ code, day: sandbox.quota.day }, stderr).toEqual({ code: 0, day: 150 + credits });
    expect(stderr).not.toContain('left today');
    expect(stderr).not.toContain('Infinity');
  });

  it.each([
    { words: ['access'], says: /^Today +150 used$/m },
    { words: ['today'], says: /^Credits +4850 of 5000 left, reset .*; 150 spent today$/m },
    { words: ['snapshot', '--plan'], says: /^Spent today +150 used, as recorded/m },
    { words: ['signals', 'export', '--plan'], says: /^Left after it +this month: at least 0$/m },
  ])('screener $words names no limit of the day', async ({ words, says }) => {
    await spendTheDay({ dayCredits: 500, monthCredits: 5000 });
    if (words[0] === 'today') await run('signals', 'export', '--max-credits', '0');
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringMatching(says) });
    expect(stdout + stderr).not.toContain('of 150');
    const { stdout: json } = await run(...words, '--json');
    expect(json).not.toMatch(/"(day_)?limit": *150/);
  });

  it('SCREENER_DAILY limits it all the same, and every page says so', async () => {
    await spendTheDay({ dayCredits: 500, monthCredits: 5000 });
    const env = { ...sandbox.env, SCREENER_DAILY: '200' };
    const here = (...args: string[]) => runHere(args, { home, clock, env });
    expect((await here('access')).stdout).toContain('150 of 200 used, 50 left (SCREENER_DAILY)');
    expect((await here('snapshot', '--plan')).stdout).toMatch(
      /^Spent today +150 used \(SCREENER_DAILY: 200\), as recorded/m,
    );
    expect((await here('signals', 'export', '--plan')).stdout).toContain('of 200 today');
  });

  it('a watch reckons with the month alone', async () => {
    await spendTheDay({ dayCredits: 5000, monthCredits: 50_000 });
    const { code, stderr } = await run('signals', 'watch', '--every', '1m', '--plan');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Exports share the month's credits.");
    expect(stderr).not.toContain('they last for a look every');
  });

  it('an export spends its share of the month, and the service ends it', async () => {
    await spendTheDay({ cards: 2000, dayCredits: 160, monthCredits: 5000 });
    const plan = await run('signals', 'export', '--plan');
    expect(plan.stdout).toContain('up to 4850');
    const { code, stdout, stderr } = await run('signals', 'export', '--all-credits', '--json');
    expect({ code, day: sandbox.quota.day }, stderr).toEqual({ code: 0, day: 160 });
    expect(JSON.parse(stdout)).toMatchObject({ stopped_by: 'day', credits: { charged: 10 } });
    expect(stderr).toContain(
      'This first export may cost up to 4850 of the 4850 credits left this month;',
    );
    await clock.sleep(DAY);
    const next = await run('signals', 'export', '--all-credits', '--max-credits', '20');
    expect({ code: next.code, day: sandbox.quota.day }, next.stderr).toEqual({ code: 0, day: 20 });
  });
});

it('is left to the service if it is another day for it: this machine’s clock is behind', async () => {
  // The service's day turned two hours ago, by its Date header.
  const ahead = 14 * HOUR + 2 * HOUR;
  await spendTheDay();
  const port = Number(new URL(sandbox.baseUrl).port);
  await sandbox.close();
  sandbox = await startSandbox({
    port,
    cards: 2000,
    now: () => clock.now() + ahead,
  });
  await clock.sleep(6 * MINUTE);
  const { code, stderr } = await run('snapshot');
  expect({ code, day: sandbox.quota.day }, stderr).toEqual({ code: 0, day: 1 });
});

it('is left to the service by each command, not only by the one that asked /access', async () => {
  await spendTheDay();
  const port = Number(new URL(sandbox.baseUrl).port);
  await sandbox.close();
  sandbox = await startSandbox({ port, cards: 60, now: () => clock.now() + 14 * HOUR });
  await clock.sleep(6 * MINUTE);
  const codes: number[] = [];
  const asked: number[] = [];
  for (let minute = 0; minute < 12; minute += 1) {
    const { code, paths } = await sentBy(() => run('snapshot'));
    codes.push(code);
    if (paths.some((path) => path.endsWith('/access'))) asked.push(minute);
    await clock.sleep(MINUTE);
  }
  expect({ codes, asked }).toEqual({ codes: codes.map(() => 0), asked: [0, 5, 10] });
});

it('goes on by the ledger if /access is refused', async () => {
  await spendTheDay();
  await clock.sleep(6 * MINUTE);
  sandbox.addFault('access:*:500');
  const { code, stderr } = await run('snapshot');
  expect({ code, day: sandbox.quota.day }, stderr).toEqual({ code: 7, day: 150 });
  expect(stderr).toContain("The day's 150 credits are spent.");
});

it.each([
  { others: 2, left: '3 credits are left today' },
  { others: 4, left: '1 credit is left today' },
])('what is left is said if it is less than a request costs: $left', async ({ others, left }) => {
  await spendTheDay({}, 145);
  const { baseUrl, key } = sandbox;
  const process = () => startProcess(clock, home.state, { baseUrl, key, allowances: {} }).account;
  // Another program on this machine spends after a command has seen that 5 credits are left.
  const account = process();
  expect(account.left()).toEqual({ limit: 'day', credits: 5 });
  for (let credits = 0; credits < others; credits += 1) {
    const turn = await process().gate.enter(request());
    turn.settle({ status: 200 });
  }
  await expect(account.gate.enter(request('/signal-stats', 5))).rejects.toMatchObject({
    code: 'quota_exhausted',
    message: `${left}, and this costs 5. Nothing billable was sent.`,
    hint: expect.stringMatching(/^Wait until 2026-11-21 00:00:00 UTC/),
  });
});

it('is watched through: the next look comes when there are credits', async () => {
  await spendTheDay();
  const interruptAt = (millis: number) => millis > 10 * HOUR;
  const { code, stderr } = await runHere(['signals', 'watch'], {
    home,
    clock,
    env: sandbox.env,
    interruptAt,
  });
  expect(code, stderr).toBe(130);
  expect(stderr).toContain("The day's 150 credits are spent.");
  expect(stderr).toContain('The watch continues.');
});

describe('what is only possibly charged', () => {
  /** So many credits are charged, the last of them to an export. Then a snapshot fails, which may have cost two. */
  async function spendPossibly(charged: number): Promise<void> {
    const ofExport = charged % 5;
    await spendTheDay({ cards: 2000, faults: ['snapshot:*:500'] }, charged - ofExport);
    const options = ['--all-credits', '--max-credits', `${ofExport}`];
    const ran = await run('signals', 'export', ...options, '--json');
    expect(JSON.parse(ran.stdout).credits, ran.stderr).toEqual({ charged: ofExport, uncertain: 0 });
    expect((await run('snapshot')).code).toBe(8);
  }

  it('is told apart on every page', async () => {
    await spendPossibly(147);
    expect(await pages()).toEqual({
      plan: { month: '853 (2 of them possibly spent)', day: '149 of 150 used (2 only possibly)' },
      json: { remaining: 851, possibly_spent: 2, spent_today: 149, possibly_spent_today: 2 },
      today:
        '853 of 1000 left (2 of them possibly spent), 149 of 150 spent today (2 only possibly)',
    });
  });

  it('never goes beyond the day’s credits', async () => {
    await spendPossibly(149);
    const { stdout } = await run('today');
    expect(stdout).toContain('; 150 of 150 spent today (1 only possibly)');
  });

  it('is given back once `/access` says that it was not charged', async () => {
    await spendPossibly(148);
    const { stdout } = await run('access');
    expect(dayOfAccess(stdout)).toBe('148 of 150 used, 2 left');
    expect(await pages()).toMatchObject({
      plan: { month: '852', day: '148 of 150 used' },
      json: { remaining: 852, possibly_spent: 0, spent_today: 148, possibly_spent_today: 0 },
    });
  });

  it('counts as charged once `/access` says so', async () => {
    await spendPossibly(148);
    sandbox.spend(1);
    const { stdout } = await run('access');
    expect(dayOfAccess(stdout)).toBe('149 of 150 used, 1 left');
  });

  it('does not end a list as long as the credits last: `/access` is asked first', async () => {
    await spendPossibly(148);
    const { paths } = await sentBy(() => run('signals', 'ls', '--all', '--json'));
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['access', 'signals', 'signals']);
  });

  it('ends such a list if `/access` does not answer', async () => {
    await spendPossibly(148);
    sandbox.addFault('access:*:500');
    const { stderr } = await run('signals', 'ls', '--all', '--json');
    expect(errorLine(stderr).message).toBe(
      "The day's 150 credits are spent (2 only possibly). Nothing billable was sent.",
    );
  });
});

/** What the page of `access` says of the day. */
function dayOfAccess(page: string): string | undefined {
  return /^Today +\[.*\] (.*)$/m.exec(page)?.[1];
}

/** The credits as the pages say them that send nothing. */
async function pages() {
  const { stdout: plan } = await run('snapshot', '--plan');
  const { stdout: today } = await run('today');
  const { stdout: json } = await run('today', '--json');
  const { remaining, possibly_spent, spent_today, possibly_spent_today } =
    json === '' ? {} : JSON.parse(json).credits;
  const [, left = '', spent = ''] = /^Credits +(.*), reset .*?; (.*)$/m.exec(today) ?? [];
  return {
    plan: {
      month: /^Left this month +(.*), as of/m.exec(plan)?.[1],
      day: /^Spent today +(.*), as recorded/m.exec(plan)?.[1],
    },
    json: { remaining, possibly_spent, spent_today, possibly_spent_today },
    today: `${left}, ${spent}`,
  };
}
