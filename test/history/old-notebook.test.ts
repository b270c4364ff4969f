/** A notebook of version 0.1: its words stand until the first judgement by the new rule, which says once what it changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { type Cron, startCron } from './cron.ts';
import { cardOf, DAY } from './support.ts';

const START = Date.UTC(2026, 10, 20, 18, 5);
const DAYS = 30;
const FOUND = '2026-11-01T06:00:00Z';

/** What the cards of each type have more than BTC, percentage points. */
const LEVELS = { good: 6, plain: 0, bad: -6 };

const TYPES = Object.keys(LEVELS) as (keyof typeof LEVELS)[];

/** Four cards of each type on each day. */
const details: readonly SignalDetail[] = Array.from({ length: 12 * (DAYS + 3) }, (_, i) => {
  const one = cardOf(i + 1, 0);
  const type = TYPES[i % 3] ?? 'plain';
  const noise = ((i * 7919) % 101) / 25 - 2;
  return {
    ...one,
    source_bot_type: type,
    source_symbol: `S${(i * 31) % 17}USDT`,
    created_at: new Date(START - DAYS * DAY + (i * DAY) / 12).toISOString(),
    outcome: one.outcome && {
      ...one.outcome,
      move_24h_pct: noise + LEVELS[type],
      btc_move_24h_pct: ((i * 13) % 7) / 10,
    },
  };
});

/** As version 0.1 wrote them: `none` in place of `small`, without `least`, `weak` and `shows_at`. */
const oldLine = (type: string, verdict: string, vsBtc: string) => ({
  at: FOUND,
  about: 'type',
  type,
  verdict,
  to: 'others',
  vs_btc: vsBtc,
  difference_percentage_points: 0.2,
  interval_95: { low: -0.5, high: 0.9 },
  sample: 90,
  source: 'bought',
  settings_since: null,
});

/** An account whose outcomes are bought, with what another version wrote down. */
async function oldAccount(lines: readonly object[]): Promise<Cron> {
  const cron = await startCron({
    details,
    start: START,
    monthCredits: 100_000,
    dayCredits: 100_000,
  });
  await exportAll(cron);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(cron.dir, 'findings.ndjson'), text);
  return cron;
}

async function exportAll(cron: Cron): Promise<void> {
  const ran = await cron.export('--all-credits', '--no-stats', '--no-screeners');
  expect(ran).toMatchObject({ code: 0 });
}

async function nextDay(cron: Cron): Promise<void> {
  await cron.clock.sleep(DAY);
  await exportAll(cron);
}

/** Each type's word and its day, as `stats` says them. */
async function wordsOf(cron: Cron) {
  const { stdout } = await cron.command('stats', '--local', '--by', 'type', '--json');
  const words: Record<string, string> = {};
  for (const { group, horizons } of JSON.parse(stdout).items) {
    const { shown_verdict: word, verdict_since: since } = horizons['24h'];
    words[group] = `${word} since ${since.slice(0, 10)}`;
  }
  return words;
}

const linesOf = (cron: Cron, type: string) =>
  cron
    .notebook()
    .filter((line) => line.about === 'type' && line.type === type)
    .map((line) => ('verdict' in line ? `${line.at.slice(0, 10)} ${line.verdict}` : ''));

it('stands until an export judges; then what is changed is written and told once, with its reason', async () => {
  const cron = await oldAccount([
    oldLine('good', 'none', 'none'),
    oldLine('plain', 'above', 'above'),
    oldLine('bad', 'below', 'below'),
  ]);
  expect(await wordsOf(cron)).toEqual({
    good: 'small since 2026-11-01',
    plain: 'above_others since 2026-11-01',
    bad: 'below_others since 2026-11-01',
  });
  await cron.command('today', '--changes');
  await nextDay(cron);
  // To lose a word takes two days.
  expect(await wordsOf(cron)).toEqual({
    good: 'above_others since 2026-11-21',
    plain: 'above_others since 2026-11-01',
    bad: 'below_others since 2026-11-01',
  });
  const news = (await cron.command('today', '--changes')).stdout;
  expect(news).toMatch(/^good: above your other cards since 21 Nov \(.*, by the rule of 0\.2\)/m);
  expect(news).not.toMatch(/plain|bad/);
  // The word that stays is written once more by the new rule, so that later changes are not taken for the rule's.
  expect(linesOf(cron, 'bad')).toEqual(['2026-11-01 below', '2026-11-21 below']);
  await nextDay(cron);
  expect((await wordsOf(cron)).plain).toMatch(/^(small|unclear) since 2026-11-22$/);
  const later = (await cron.command('today', '--changes')).stdout;
  expect(later).toMatch(
    /^plain: since 22 Nov no longer above.* \(.* then, by the rule of 0\.2\)\./m,
  );
  expect(later).not.toMatch(/good|bad/);
  expect(linesOf(cron, 'bad')).toHaveLength(2);
});
