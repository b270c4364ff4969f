/**
 * What `tune` and a change of settings say of random histories, against numpy and scipy (`tune.py`).
 * `SCREENER_HEAVY=1` takes 300 histories.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { FAMILY_LEVEL } from '../../src/outcomes/holm.ts';
import { type ComparedPeriods, settingsDifferences } from '../../src/outcomes/settings-change.ts';
import { tuningOf } from '../../src/outcomes/tune.ts';
import type { Cut, Question } from '../../src/outcomes/tune-types.ts';
import { normalOf, randomOf } from '../outcomes/placebo.ts';
import { detailOf, rowsOf, writeCards } from '../outcomes/support.ts';
import { findPython, judge, near } from './python.ts';

const HISTORIES = process.env.SCREENER_HEAVY === '1' ? 300 : 12;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);

const root = mkdtempSync(join(tmpdir(), 'tune-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Few or many days and symbols, keys that tell and others, some seldom given, some with names that nobody expects. */
function randomHistory(seed: number): { cards: SignalDetail[]; changes: number[] } {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const days = 15 + Math.floor(random() * 80);
  const perDay = 2 + random() * 20;
  const symbols = 5 + Math.floor(random() * 25);
  const digits = Math.floor(random() * 5);
  const lasting = Array.from({ length: symbols }, normal);
  const cards: SignalDetail[] = [];
  let mood = 0;
  for (let day = days; day > 0; day -= 1) {
    mood = 0.7 * mood + normal();
    const market = random() < 0.5 ? mood : normal();
    for (let i = Math.floor(perDay * Math.exp(0.5 * normal())); i > 0; i -= 1) {
      const symbol = Math.floor(random() ** 1.5 * symbols);
      const telling = normal();
      const ofDay = Math.sin(day);
      const told = [telling, -telling, -Math.abs(telling)][seed % 3] ?? 0;
      const own = normal() + 0.4 * (lasting[symbol] ?? 0) + 0.5 * told;
      const btc = Number((0.5 * market).toFixed(digits));
      const move = symbol === 0 ? btc : Number((btc + market + own).toFixed(digits));
      const one = { state: random() < 0.03 ? 'missing' : 'available', move, btc };
      const card = detailOf({
        id: cards.length + 1,
        symbol: symbol === 0 ? 'BTCUSDT' : `S${symbol}USDT`,
        type: `type_${Math.floor(random() ** 2 * 3)}`,
        at: NOW - day * DAY + Math.floor(random() * DAY),
        isBought: true,
        measured: { '1h': { ...one, move: Number((move / 3).toFixed(3)) }, '24h': one },
      });
      cards.push({
        ...card,
        entry_context: {
          telling,
          ofDay,
          symbol: lasting[symbol] ?? 0,
          tied: random() < 0.8 ? 0 : Number(normal().toFixed(1)),
          ...(random() < 0.45 ? { seldom: telling } : {}),
          constructor: Number((telling + normal()).toFixed(1)),
        },
      });
    }
  }
  const changes = [0.3, 0.6].map((share) => NOW - Math.floor(share * days * DAY)).toSorted((a, b) => a - b);
  return { cards, changes };
}

const python = findPython();

it.skipIf(python === undefined)(`${HISTORIES} random histories give the answers of numpy and scipy`, () => {
  const histories = Array.from({ length: HISTORIES }, (_, i) => randomHistory(i + 1));
  const lines = histories.map(({ cards, changes }, i) =>
    [writeCards(join(root, `${i}`), cards), ...changes].join('\t'),
  );
  const judged = judge(python ?? '', ['tune.py'], lines);
  expect(judged).toHaveLength(histories.length);
  const seen = new Set<string>();
  for (const [i, { cards, changes }] of histories.entries()) {
    const rows = rowsOf(cards);
    const { questions, cuts } = tuningOf(rows, { now: NOW, until: Math.max(...rows.map(({ at }) => at)) });
    const theirs: Judged[] = (judged[i] as never as { tune: Judged[] }).tune;
    expect(questions).toHaveLength(theirs.length);
    for (const one of theirs) {
      const isSame = (other: Question | Cut) =>
        (['type', 'key', 'absolute', 'horizon'] as const).every((name) => other[name] === one[name]);
      const where = `history ${i + 1} ${one.type} ${one.key} ${one.absolute} ${one.horizon}`;
      seen.add(compareQuestion(questions.find(isSame), one, where));
      // A word that was given before stays while p is below .05: its cuts are not judged here.
      const isKept = one.p_holm >= FAMILY_LEVEL && cuts.some(isSame);
      if (isKept) expect(one.p).toBeLessThan(0.05);
      else compareCuts(cuts.filter(isSame), one.cuts, where);
    }
    const others = new Set(rows.map(({ type }) => type).filter((type) => type !== 'type_0'));
    const edges = [Number.NEGATIVE_INFINITY, ...changes, Number.POSITIVE_INFINITY];
    const periods = changes.map((_, at): ComparedPeriods => {
      const period = (from: number) => ({
        since: edges[from] ?? 0,
        until: from + 2 === edges.length ? Number.POSITIVE_INFINITY : (edges[from + 1] ?? 0) - DAY,
      });
      return { before: period(at), after: period(at + 1), control: others };
    });
    for (const horizon of HORIZON_NAMES) {
      const ours = settingsDifferences(rows, 'type_0', periods, horizon, 1);
      for (const [at, one] of ours.entries()) {
        const expected = (judged[i] as never as { changes: Record<string, Judged[]> }).changes[horizon]?.[at];
        const where = `history ${i + 1}, change ${at + 1} ${horizon}`;
        near(one.difference_percentage_points, expected?.difference, `${where}: difference`);
        near(one.difference_interval_95, expected?.interval, `${where}: interval`);
        near(one.p_holm, expected?.p_holm, `${where}: p`);
        near(one.verdict, expected?.verdict, where);
        seen.add(`change ${one.verdict}`);
      }
    }
  }
  const expected = ['higher', 'lower', 'unclear', 'constant_within_days', 'rarely_given', 'change unclear'];
  expect([...seen]).toEqual(expect.arrayContaining(expected));
});

// biome-ignore lint/suspicious/noExplicitAny: it is JSON of another program.
type Judged = Record<string, any>;

/** @returns what was said */
function compareQuestion(ours: Question | undefined, theirs: Judged, where: string): string {
  if (ours === undefined) throw new Error(`${where}: not asked`);
  near(ours.cards, theirs.cards, `${where}: cards`);
  if (theirs.why !== undefined) {
    expect([where, ours.too_little ?? ours.verdict]).toEqual([where, theirs.why]);
    return theirs.why;
  }
  near(ours.correlation, theirs.correlation, `${where}: correlation`);
  near(ours.correlation_interval_95, theirs.interval, `${where}: interval`);
  near(ours.p, theirs.p, `${where}: p`);
  near(ours.p_holm, theirs.p_holm, `${where}: p_holm`);
  near(ours.would_show, theirs.would_show, `${where}: would_show`);
  return ours.verdict;
}

function compareCuts(ours: readonly Cut[], theirs: readonly Judged[], where: string): void {
  const byValue = (a: { value: number }, b: { value: number }) => a.value - b.value;
  expect([where, ours.length]).toEqual([where, theirs.length]);
  for (const [i, cut] of ours.toSorted(byValue).entries()) {
    for (const [name, expected] of Object.entries(theirs.toSorted(byValue as never)[i] ?? {})) {
      near(cut[name as keyof Cut], expected, `${where}: cut ${i + 1} ${name}`);
    }
  }
}
