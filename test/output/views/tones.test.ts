/** Colours tell good from bad, and what is neither stays dim. */
import { expect, it } from 'vitest';
import type { Access } from '../../../src/api/contract/resources.ts';
import { DOCUMENTED_ALLOWANCES } from '../../../src/api/limits.ts';
import { OPERATION_NAMES } from '../../../src/api/operations.ts';
import { withLimits } from '../../../src/credits/credit-ceiling.ts';
import { accessView } from '../../../src/output/views/access.ts';
import { toneOf } from '../../../src/output/views/verdict-names.ts';
import type { Verdict } from '../../../src/statistics/rule.ts';
import { it as test } from '../../support/fixtures.ts';
import { outputTo } from '../written.ts';

it.each<{ verdict: Verdict | null; tone: string }>([
  { verdict: 'above', tone: 'good' },
  { verdict: 'below', tone: 'bad' },
  { verdict: 'small', tone: 'dim' },
  { verdict: 'unclear', tone: 'dim' },
  { verdict: 'too_few_days', tone: 'dim' },
  { verdict: null, tone: 'dim' },
])('a group with the word $word is $tone', ({ verdict, tone }) => {
  expect(toneOf({ verdict })).toBe(tone);
});

const GREEN = '\x1b[32m';
const DIM = '\x1b[2m';

const GREEN_BAR = '\x1b[32m[';
const YELLOW_BAR = '\x1b[33m[';
const RED_BAR = '\x1b[31m[';

it.each([
  { used: 799, limit: 1000, bar: GREEN_BAR },
  { used: 800, limit: 1000, bar: YELLOW_BAR },
  { used: 949, limit: 1000, bar: YELLOW_BAR },
  { used: 950, limit: 1000, bar: RED_BAR },
  { used: 0, limit: 0, bar: GREEN_BAR },
])('the bar of the credits warns from 80 % on: $used of $limit', async ({ used, limit, bar }) => {
  const access: Access = {
    beta: false,
    plan: 'PRO',
    expires_at: '2026-12-31T00:00:00Z',
    credits: { used, limit, remaining: limit - used, resets_at: '2026-12-01T00:00:00Z' },
    operations: [...OPERATION_NAMES],
    ...DOCUMENTED_ALLOWANCES,
  };
  const forecast = {
    perDay: 31,
    isGone: false,
    goneAt: undefined,
    keep: 0,
    affordable: 95,
    daysToReset: 11,
    leftAtReset: 0,
  };
  const known = {
    today: withLimits({ requests: 0, charged: 0, uncertain: 0 }, { dailyLimitOfService: 150 }),
    periods: [],
    windows: [],
    elsewhere: { credits: 0, since: 0 },
    forecast,
    days: [],
    monthLeft: undefined,
    command: 'screener access',
  };
  const { context, output } = outputTo('table', { env: { FORCE_COLOR: '1' } });
  await output.one(accessView(known), access);
  const bars = [GREEN_BAR, YELLOW_BAR, RED_BAR].filter((start) =>
    context.stdout.text.includes(start),
  );
  expect(bars).toEqual([bar]);
});

test('a number that tells is green in the table of numbers, the others are dim', async ({
  here,
}) => {
  const words = ['--demo', 'tune', 'oi_growth', '--detail'];
  const { stdout } = await here(words, { env: { FORCE_COLOR: '1' } });
  const lineOf = (number: string) =>
    stdout.split('\n').find((line) => line.startsWith(`${number} `)) ?? '';
  expect(lineOf('oi_change_pct')).toContain(GREEN);
  expect(lineOf('funding')).toContain(DIM);
});
