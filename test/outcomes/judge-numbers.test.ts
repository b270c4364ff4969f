/** What the notebook has of numbers at the trigger, day by day. */
import { expect, it } from 'vitest';
import { byHorizon, HORIZON_NAMES } from '../../src/api/contract/horizons.ts';
import type { Finding, NumberFinding } from '../../src/outcomes/findings.ts';
import { advicesOf, judgeNumbers } from '../../src/outcomes/judge-numbers.ts';
import type { Row } from '../../src/outcomes/row.ts';
import { tuningOf } from '../../src/outcomes/tune.ts';
import { DAY, HOUR } from '../../src/runtime/units.ts';
import { normalOf, randomOf } from '../support/history.ts';

const FIRST = Date.UTC(2026, 5, 1);

/** Twelve cards a day of each of two types; a number of `told` tells, by percentage points a standard deviation. */
function rowsOf(days: number, effect: (day: number) => number): Row[] {
  const random = randomOf(5);
  const normal = normalOf(random);
  return Array.from({ length: days }, (_, day) => {
    const market = normal();
    return Array.from({ length: 24 }, (_, i) => {
      const type = i % 2 === 0 ? 'told' : 'other';
      const telling = normal();
      const move = 2 * market + 3 * normal() + (type === 'told' ? effect(day) * telling : 0);
      const one = { state: 'available', move, btc: market };
      return {
        id: day * 24 + i + 1,
        symbol: `S${Math.floor(random() * 20)}`,
        type,
        at: FIRST + day * DAY + i * HOUR,
        isBought: true,
        measured: byHorizon(() => one),
        context: { telling },
      };
    });
  }).flat();
}

/** A run every third day, from what it had then. */
function notebookOf(rows: readonly Row[], days: number) {
  const findings: Finding[] = [];
  for (let day = 20; day <= days; day += 3) {
    const now = FIRST + day * DAY + 9 * HOUR;
    const known = rows.filter(({ at }) => at <= now);
    findings.push(...judgeNumbers(known, { now }, findings));
  }
  return findings as NumberFinding[];
}

it('finds a number once, chooses its cut once, and withdraws both when its effect is gone', () => {
  const rows = rowsOf(90, (day) => (day < 40 ? 1.5 : -2));
  const findings = notebookOf(rows, 90);
  const told = findings.filter(({ number }) => number === 'telling');
  const said = told.map(({ type, verdict, cut }) =>
    [type, verdict, ...Object.keys(cut ?? {})].join(' '),
  );
  expect(said).toEqual(['told higher at_least', 'told unclear']);
  const value = told[0]?.cut?.at_least ?? Number.NaN;
  expect(value).toBe(Number(value.toPrecision(2)));
  const advice = { type: 'told', key: 'telling', absolute: false, direction: 'at_least', value };
  expect(advicesOf(told.slice(0, 1))).toEqual([advice]);
  expect(advicesOf(findings)).toEqual([]);
});

it('is what every screen names: the word, its date and the cut, and what came since', () => {
  const rows = rowsOf(60, () => 1.5);
  const findings = notebookOf(rows, 40);
  const [line] = findings;
  const now = FIRST + 60 * DAY;
  const { questions, cuts } = tuningOf(rows, { now, findings });
  const found = questions.filter(({ verdict }) => verdict === 'higher');
  const dates = new Map(found.map(({ horizon, verdict_since }) => [horizon, verdict_since]));
  expect([found.length, dates.get('24h'), dates.get('1h')]).toEqual([
    HORIZON_NAMES.length,
    line?.at,
    null,
  ]);
  const own = cuts.filter(({ horizon }) => horizon === '24h');
  expect(own).toHaveLength(3);
  const since = rows.filter(
    ({ type, at }) => type === 'told' && at >= Date.parse(line?.at ?? ''),
  ).length;
  expect(own.filter(({ is_advice }) => is_advice)).toMatchObject([
    { value: line?.cut?.at_least, verdict_since: line?.at, since_then: { cards: since } },
  ]);
  // An empty notebook has no word, a question of one's own has no date.
  expect(tuningOf(rows, { now, findings: [], horizon: '24h' }).cuts).toEqual([]);
  const single = tuningOf(rows, { now, horizon: '24h' });
  expect(
    single.cuts.map(({ is_advice, verdict_since, since_then }) => [
      is_advice,
      verdict_since,
      since_then,
    ]),
  ).toEqual([true, false, false].map((one) => [one, null, null]));
});

it('counts words of earlier settings no more', () => {
  const rows = rowsOf(45, () => 1.5);
  const settingsSince = new Map([['told', FIRST + 41 * DAY]]);
  const of = { now: FIRST + 45 * DAY, settingsSince, findings: notebookOf(rows, 40) };
  const { questions } = tuningOf(rows, { ...of, horizon: '24h' });
  expect(questions.every(({ verdict }) => verdict !== 'higher')).toBe(true);
});
