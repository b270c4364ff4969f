/** `npm run lives`: what it leaves of a life, and that it finds a verdict that the truth contradicts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { accountOf } from './accounts.ts';
import { type Claim, claimsOf } from './claims.ts';
import { lineOf, live, lookAgain, runsOf } from './live.ts';
import { truthOf } from './truth.ts';
import { createLivedWorld } from './world.ts';

const SEED = 15;

const SCREENS = ['today.txt', 'stats.json', 'access.txt', 'screeners.txt'];

const folder = mkdtempSync(path.join(tmpdir(), 'screener-lives-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (...names: string[]) => readFileSync(path.join(folder, ...names), 'utf8');

it('leaves what the screens of an account said, and finds a verdict that is not true', async () => {
  const account = accountOf('small', SEED);
  const runs = await live({ account, seed: SEED, mornings: 3, days: [2], directory: folder });
  expect(runs.filter(({ truth }) => truth.against !== null)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual([
    'day-02',
    'mornings',
    'news.txt',
    'truth.txt',
    'verdicts.txt',
  ]);
  expect(readdirSync(path.join(folder, 'mornings'))).toEqual(['00.txt', '01.txt', '02.txt']);
  expect(readdirSync(path.join(folder, 'day-02')).sort()).toEqual([
    'access.txt',
    'page-oi.txt',
    'page-price.txt',
    'picked.txt',
    'picks.ids',
    'report.html',
    'report.txt',
    'saved',
    'screeners.txt',
    'stats.json',
    'stats.txt',
    'today.json',
    'today.txt',
    'tune-price.txt',
    'tune.txt',
  ]);
  expect(read('day-02', 'today.txt')).toBe(read('mornings', '02.txt'));
  expect(read('day-02', 'stats.txt')).toMatch(/^\$ screener stats --local --by type$/m);
  expect(read('day-02', 'stats.txt')).toMatch(/^ {2}oi /m);
  expect(read('day-02', 'picked.txt')).toMatch(/^Picks +\d+ ids/m);
  expect(read('day-02', 'report.html')).toContain('<svg');
  expect(read('truth.txt')).toMatch(/^-24 to 2 +price +1\.2 +\+0\.00 +\+0\.00$/m);

  // What the same program says of the same morning.
  const said = SCREENS.map((name) => read('day-02', name));
  for (const name of SCREENS) rmSync(path.join(folder, 'day-02', name));
  await lookAgain({ account, seed: SEED, mornings: 3, days: [2], directory: folder });
  expect(SCREENS.map((name) => read('day-02', name))).toEqual(said);

  const today = JSON.parse(read('day-02', 'today.json'));
  const stats = JSON.parse(read('day-02', 'stats.json'));
  const [planted] = stats.items;
  planted.horizons['24h'].shown_verdict = 'above_btc';
  const claims = claimsOf({ today, stats, settings: new Map(), tune: { questions: [] } });
  const { market } = createLivedWorld(account, SEED, 3);
  expect(runsOf([claims, claims], account, market).map(lineOf)).toEqual([
    `days 0 to 1: ${planted.group} above_btc; truly 0.02. FALSE`,
  ]);
});

const TRADER = accountOf('trader', SEED);
const CHANGER = accountOf('changer', SEED);

/** What the truth says to claims of each kind. */
const CLAIMS: readonly {
  readonly claim: Claim;
  readonly account: typeof TRADER;
  readonly day: number;
  readonly against: 'false' | 'outlived' | null;
}[] = [
  ...(['above_others', 'below_others'] as const).map((verdict) => ({
    claim: { about: 'others' as const, type: 'momentum_break', verdict },
    account: TRADER,
    day: 30,
    against: verdict === 'above_others' ? null : ('false' as const),
  })),
  {
    claim: { about: 'others', type: 'oi_surge', verdict: 'small' },
    account: TRADER,
    day: 30,
    against: 'false',
  },
  {
    claim: { about: 'others', type: 'price_spike', verdict: 'small' },
    account: TRADER,
    day: 30,
    against: null,
  },
  {
    claim: { about: 'others', type: 'momentum_break', verdict: 'above_others' },
    account: CHANGER,
    day: 40,
    against: null,
  },
  {
    claim: { about: 'others', type: 'momentum_break', verdict: 'above_others' },
    account: CHANGER,
    day: 60,
    against: 'outlived',
  },
  // The cards since the change alone are counted.
  {
    claim: { about: 'btc', type: 'breakout', verdict: 'below_btc' },
    account: CHANGER,
    day: 36,
    against: 'false',
  },
  {
    claim: { about: 'btc', type: 'breakout', verdict: 'below_btc' },
    account: CHANGER,
    day: 35,
    against: null,
  },
  {
    claim: { about: 'change', type: 'breakout', verdict: 'higher' },
    account: CHANGER,
    day: 60,
    against: null,
  },
  {
    claim: { about: 'change', type: 'price_spike', verdict: 'higher' },
    account: CHANGER,
    day: 60,
    against: 'false',
  },
  {
    claim: { about: 'lately', type: 'momentum_break', verdict: 'less' },
    account: CHANGER,
    day: 75,
    against: null,
  },
  {
    claim: { about: 'lately', type: 'momentum_break', verdict: 'less' },
    account: TRADER,
    day: 50,
    against: 'false',
  },
  {
    claim: { about: 'number', type: 'price_spike', verdict: 'higher', number: 'price_change_pct' },
    account: TRADER,
    day: 30,
    against: null,
  },
  {
    claim: { about: 'number', type: 'price_spike', verdict: 'higher', number: 'funding' },
    account: TRADER,
    day: 30,
    against: 'false',
  },
  {
    claim: { about: 'number', type: 'oi_surge', verdict: 'lower', number: 'oi_change_pct' },
    account: TRADER,
    day: 30,
    against: 'false',
  },
];

it('holds each kind of verdict against the truth', () => {
  for (const { claim, account, day, against } of CLAIMS) {
    const { market } = createLivedWorld(account, SEED, 1);
    const truth = truthOf(claim, account, market, day);
    expect({ claim, day, against: truth.against }).toEqual({ claim, day, against });
  }
});
