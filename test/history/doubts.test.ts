/** A doubt about a verdict begins, and ends, once judgements of two UTC days say so; pages and news tell it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import { type Cron, startCron } from './cron.ts';
import { cardOf, DAY } from './support.ts';

const START = Date.UTC(2026, 10, 20, 18, 5);
/** Days before `START`: the first card, the verdict, and the days on which the edge was gone. */
const FIRST = 60;
const FOUND = 40;
const ENDED = 20;
/** Days after `START` on which the edge is back. */
const BACK = 4;

/** Eight cards a day, half of them of a type that is 2.4 pp better while its edge lives. */
const details: readonly SignalDetail[] = Array.from({ length: 8 * (FIRST + 40) }, (_, i) => {
  const card = cardOf(i + 1, 0);
  const at = START - FIRST * DAY + (i * DAY) / 8;
  const isEdge = i % 2 === 0;
  const isAlive = at < START - ENDED * DAY || at > START + BACK * DAY;
  const noise = ((i * 7919) % 101) / 8 - 6.25;
  return {
    ...card,
    source_bot_type: isEdge ? 'edge' : 'plain',
    source_symbol: `S${(i * 31) % 17}USDT`,
    created_at: new Date(at).toISOString(),
    outcome: card.outcome && {
      ...card.outcome,
      move_24h_pct: noise + (isEdge && isAlive ? 2.4 : 0),
      btc_move_24h_pct: ((i * 13) % 7) / 10,
    },
  };
});

const ABOVE: Finding = {
  at: formatApiTime(START - FOUND * DAY),
  about: 'type',
  type: 'edge',
  verdict: 'above',
  to: 'others',
  vs_btc: 'above',
  difference_percentage_points: 5,
  interval_95: { low: 4, high: 6 },
  sample: 80,
  source: 'bought',
  settings_since: null,
  least: 1,
  weak: false,
  shows_at: null,
};

async function exportIn(cron: Cron): Promise<void> {
  expect(await cron.export('--all-credits', '--no-stats', '--no-screeners')).toMatchObject({
    code: 0,
  });
}

async function runAfter(cron: Cron, days: number): Promise<void> {
  await cron.clock.sleep(days * DAY);
  await exportIn(cron);
}

const doubtsIn = (cron: Cron) =>
  cron
    .notebook()
    .filter((line) => line.about === 'doubt')
    .map(({ at, type, verdict, of }) => ({ day: at.slice(0, 10), type, verdict, of }));

/** What pages say of the type: the first word of `today` and of `stats`, and its fields in JSON. */
async function saidOf(cron: Cron) {
  const today = (await cron.command('today')).stdout;
  const stats = (await cron.command('stats', '--local', '--by', 'type')).stdout;
  const json = JSON.parse((await cron.command('today', '--json')).stdout);
  const type = json.by_type.find(
    ({ screener_type }: { screener_type: string }) => screener_type === 'edge',
  );
  return {
    today: /^(Wait|Keep) +edge/m.exec(today)?.[1],
    stats: /^(Wait|Keep) +edge/m.exec(stats)?.[1],
    toDo: type.to_do,
    holds: type.still_holds,
  };
}

it('is written on the second day that says so, told once, and stays until two days say that it is over', async () => {
  const cron = await startCron({
    details,
    start: START,
    monthCredits: 100_000,
    dayCredits: 100_000,
  });
  await exportIn(cron);
  appendFileSync(join(cron.dir, 'findings.ndjson'), `${JSON.stringify(ABOVE)}\n`);
  await runAfter(cron, 1);
  expect({ doubts: doubtsIn(cron), said: await saidOf(cron) }).toEqual({
    doubts: [],
    said: { today: 'Keep', stats: 'Keep', toDo: 'keep', holds: 'too_few' },
  });
  await cron.command('today', '--changes');
  await runAfter(cron, 1);
  const begun = { day: '2026-11-22', type: 'edge', verdict: 'in_doubt', of: 'above' };
  expect({ doubts: doubtsIn(cron), said: await saidOf(cron) }).toEqual({
    doubts: [begun],
    said: { today: 'Wait', stats: 'Wait', toDo: null, holds: 'not_clear' },
  });
  const news = await cron.command('today', '--changes');
  expect(news.stdout).toContain(
    'It may have stopped working: do not act on its cards until newer ones show it again.',
  );
  expect((await cron.command('today', '--changes')).stdout).toBe('');
  // Two weeks after the edge came back, its newest cards show it again. The first day alone does not end the doubt.
  await runAfter(cron, 20);
  expect(doubtsIn(cron)).toEqual([begun]);
  await runAfter(cron, 1);
  expect({ doubts: doubtsIn(cron), said: await saidOf(cron) }).toEqual({
    doubts: [begun, { day: '2026-12-13', type: 'edge', verdict: 'cleared', of: 'above' }],
    said: { today: 'Keep', stats: 'Keep', toDo: 'keep', holds: 'yes' },
  });
  expect((await cron.command('today', '--changes')).stdout).toContain('It works again.');
});
