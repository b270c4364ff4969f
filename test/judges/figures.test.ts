/**
 * The figures of random histories against numpy and scipy (`figures.py`). `SCREENER_HEAVY=1` takes 300 histories. On a
 * machine of one's own without numpy or scipy it is skipped; in CI it fails.
 */

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { STATS_FILE } from '../../src/history/store/layout.ts';
import { type GroupFigures, HORIZON_TABLE } from '../../src/outcomes/figure-table.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { quantile } from '../../src/outcomes/quantile.ts';
import type { ServiceAnswer } from '../../src/outcomes/service-answers.ts';
import { DAY, HOUR } from '../../src/runtime/units.ts';
import { bare } from '../history/support.ts';
import { normalOf, randomOf } from '../outcomes/placebo.ts';
import { detailOf, rowsOf, writeCards } from '../outcomes/support.ts';
import { stats } from '../support/samples.ts';
import { findPython, judge, near } from './python.ts';

const HISTORIES = process.env.SCREENER_HEAVY === '1' ? 300 : 20;
const NOW = Date.UTC(2026, 10, 20);

/** Where a median comes from; the median itself is judged. */
const NOT_JUDGED = ['vs_others_from', 'service_windows', 'service_sample'];

const root = mkdtempSync(join(tmpdir(), 'figures-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A history of odd shape: few or many days, uneven, with ties, gaps and states of all kinds. */
function randomHistory(seed: number): SignalDetail[] {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const isLong = seed % 5 === 0;
  const days = isLong ? 45 : 1 + Math.floor(random() ** 2 * 60);
  const perDay = isLong ? 12 : Math.exp(random() * 3);
  const digits = Math.floor(random() * 5);
  const broken = isLong || random() < 0.5 ? 0.02 : 0.3;
  const symbols = 1 + Math.floor(random() * 25);
  const hasBtc = random() < 0.3;
  // Days that go together, now and then.
  const memory = random() < 0.5 ? 0 : 0.8;
  const spread = isLong ? 1 : 3;
  const effects = isLong ? [2, -2] : [];
  let market = 0;
  const cards: SignalDetail[] = [];
  for (let day = 0; day < days; day += 1) {
    market = memory * market + normal();
    const count = Math.floor(perDay * Math.exp(normal() * random()));
    for (let i = 0; i < count; i += 1) {
      const symbol = Math.floor(symbols * random() ** 2);
      const type = Math.floor(random() * 4);
      const isBtc = hasBtc && symbol === 0;
      const measured = () => {
        const btc = Number((0.5 * market).toFixed(digits));
        const move = isBtc ? btc : Number((btc + market + spread * normal() + (effects[type] ?? 0)).toFixed(digits));
        const lot = random();
        if (lot < broken / 2)
          return { state: ['pending', 'missing', 'novel'][Math.floor(random() * 3)], move: null, btc };
        return { state: 'available', move: lot < broken * 0.6 ? null : move, btc: lot > 0.97 ? null : btc };
      };
      const card = detailOf({
        id: cards.length + 1,
        symbol: `S${symbol}USDT`,
        type: `type_${type}`,
        at: NOW - day * DAY - Math.floor(random() * DAY),
        isBought: true,
        measured: { '1h': measured(), '24h': measured() },
      });
      const lot = random();
      cards.push(lot < 0.05 ? (bare(card) as SignalDetail) : lot < 0.1 ? { ...card, outcome: null } : card);
    }
  }
  return cards;
}

/** What the service may have said of these cards in one or two windows of 30 days; now and then it is wrong. */
function randomAnswers(cards: readonly SignalDetail[], seed: number): ServiceAnswer[] {
  const random = randomOf(seed + 7777);
  return [...new Set(cards.map((card) => card.source_bot_type))].flatMap((type) =>
    [NOW, NOW - 30 * DAY, NOW - Math.floor(random() * 40) * DAY].map((end) => {
      const at = end - Math.floor(random() * HOUR);
      const own = cards.filter((card) => {
        const time = Date.parse(card.created_at);
        return card.source_bot_type === type && time > at - 30 * DAY && time <= at;
      });
      const horizon = (name: '1h' | '24h') => {
        const moves = own.flatMap(({ outcome }) => {
          const [move, btc] = [outcome?.[`move_${name}_pct`] ?? null, outcome?.[`btc_move_${name}_pct`] ?? null];
          return move === null || btc === null ? [] : [move - btc];
        });
        const off = random() < 0.1 ? 20 : (random() - 0.5) / 5;
        const median =
          moves.length === 0
            ? null
            : quantile(
                moves.sort((a, b) => a - b),
                0.5,
              ) + off;
        return {
          sample: random() < 0.1 ? own.length * 2 : own.length,
          pending: 0,
          missing: 0,
          median_move_pct: null,
          btc_sample: moves.length,
          median_vs_btc_percentage_points: median,
        };
      };
      const limited = random() < 0.1 ? { sample_limited: true, sampled_rows: Math.floor(own.length * 0.95) } : {};
      const said = { screener_type: type, horizons: { '1h': horizon('1h'), '24h': horizon('24h') }, ...limited };
      return { at, type, stats: stats({ ...said, stale: random() < 0.1 }) };
    }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: it is JSON of another program.
type Judged = Record<string, any>;

/** When the settings of type_0 changed; in two of three histories never. */
const changed = (history: number): number[] => (history % 3 === 0 ? [NOW - (10 + (history % 20)) * DAY] : []);

const python = findPython();

it.skipIf(python === undefined)('every figure is judged, or named as one that is not', () => {
  const directory = writeCards(join(root, 'keys'), randomHistory(1));
  const [judged] = judge(python ?? '', ['figures.py', String(NOW)], [directory]) as Judged[];
  const told = Object.values(judged?.type as Judged).flatMap((one) => Object.keys(one['24h']));
  const untold = Object.keys(HORIZON_TABLE).filter((figure) => !told.includes(figure) && !NOT_JUDGED.includes(figure));
  expect(untold, 'not in figures.py, nor in NOT_JUDGED of figures.test.ts').toEqual([]);
});

it.skipIf(python === undefined)(`${HISTORIES} random histories give the figures of numpy and scipy`, () => {
  const histories = Array.from({ length: HISTORIES }, (_, i) => randomHistory(i + 1)).filter(
    (cards) => cards.length > 0,
  );
  const directories = histories.map((cards, i) => writeCards(join(root, String(i)), cards));
  const answers = histories.map((cards, i) => (i % 2 === 0 ? randomAnswers(cards, i) : []));
  for (const [i, directory] of directories.entries()) {
    for (const answer of answers[i] ?? [])
      appendFileSync(
        join(directory, STATS_FILE),
        `${JSON.stringify({ asked_at: new Date(answer.at).toISOString(), type: answer.type, stats: answer.stats })}\n`,
      );
  }
  const judged: Judged[] = judge(
    python ?? '',
    ['figures.py', String(NOW)],
    directories.map((one, i) => [one, ...changed(i)].join('\t')),
  );
  expect(judged).toHaveLength(histories.length);
  const verdicts = new Set<string>();
  let intervals = 0;
  let fromService = 0;
  for (const [i, cards] of histories.entries()) {
    const rows = rowsOf(cards);
    const [all] = figuresOf(rows, { now: NOW }).groups;
    intervals += compare(all, judged[i]?.all, `history ${i + 1}`);
    for (const by of ['type', 'symbol', 'month'] as const) {
      const settingsSince = new Map(changed(i).map((time) => ['type_0', time]));
      for (const group of figuresOf(rows, { by, now: NOW, answers: answers[i], settingsSince }).groups) {
        fromService += HORIZON_NAMES.filter((name) => group.horizons[name].vs_others_from === 'service').length;
        const { shown_verdict: verdict, since_then: since } = group.horizons['24h'];
        if (by === 'type') verdicts.add(String(verdict)).add(since === null ? '' : 'since then');
        intervals += compare(group, judged[i]?.[by][String(group.group)], `history ${i + 1}, ${group.group}`);
      }
    }
  }
  expect([...verdicts]).toEqual(
    expect.arrayContaining(['above_others', 'below_others', 'none', 'unclear', 'too_few_days', 'since then']),
  );
  expect(intervals).toBeGreaterThan(HISTORIES);
  expect(fromService).toBeGreaterThan(HISTORIES / 10);
});

/** @returns how many intervals there were */
function compare(ours: GroupFigures | undefined, theirs: Judged, where: string): number {
  expect([where, ours?.rows]).toEqual([where, theirs.rows]);
  near(ours?.bought_share, theirs.bought_share, `${where}: bought_share`);
  let intervals = 0;
  for (const name of HORIZON_NAMES) {
    const figures = (ours?.horizons[name] ?? {}) as unknown as Record<string, unknown>;
    for (const [key, expected] of Object.entries(theirs[name] as Judged)) {
      intervals += Array.isArray(expected) ? 1 : 0;
      const ours = figures[key];
      near(
        key === 'verdict_since' && ours !== null ? Date.parse(String(ours)) : ours,
        expected,
        `${where}: ${name} ${key}`,
      );
    }
  }
  return intervals;
}
