/** What the notebook has of numbers at the trigger, day by day, and what `tune` says beside it. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { cutToTry, freshCuts } from '../../src/outcomes/cuts.ts';
import type { Finding, NumberFinding } from '../../src/outcomes/findings.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { adviceInNotebook, judgeNumbers } from '../../src/outcomes/judge-numbers.ts';
import { type NumberTest, numberTests } from '../../src/outcomes/numbers.ts';
import { presentRate } from '../../src/outcomes/rate.ts';
import { type TuneEvidence, tuningOf } from '../../src/outcomes/tune.ts';
import { checkOfAdvice } from '../../src/outcomes/tune-types.ts';
import { normalOf, randomOf } from '../support/history.ts';

const FIRST = Date.UTC(2026, 5, 1);

/** What the number of a card of type `told` adds to its move, percentage points. */
type Effect = (number: number, day: number) => number;

/** @param numberOf a number at the trigger, from a normal one; normal unless given */
function rowsOf(
  days: number,
  effect: Effect,
  numberOf = (normal: number) => normal,
): HistoryCard[] {
  const random = randomOf(5);
  const normal = normalOf(random);
  return Array.from({ length: days }, (_, day) => {
    const market = normal();
    return Array.from({ length: 24 }, (_, i) => {
      const type = i % 2 === 0 ? 'told' : 'other';
      const telling = numberOf(normal());
      const more = type === 'told' ? effect(telling, day) : 0;
      const outcome = { state: 'available', move: 2 * market + 3 * normal() + more, btc: market };
      return {
        id: day * 24 + i + 1,
        symbol: `S${Math.floor(random() * 20)}`,
        type,
        at: FIRST + day * DAY + i * HOUR,
        isBought: true,
        outcomes: byHorizon(() => outcome),
        context: { telling },
      };
    });
  }).flat();
}

function evidenceOf(
  cards: readonly HistoryCard[],
  now: number,
  more: Partial<TuneEvidence> = {},
): TuneEvidence {
  const times = { now, until: now, dueUntil: now - DAY };
  return { cards, settingsSince: new Map(), findings: undefined, ...times, ...more };
}

function linesAt(cards: readonly HistoryCard[], now: number, findings: readonly Finding[]) {
  const evidence = { ...evidenceOf(cards, now), findings, settled: cards };
  return judgeNumbers(evidence, now);
}

/** A run every third day, from what it had then. */
function notebookOf(rows: readonly HistoryCard[], days: number): NumberFinding[] {
  const findings: NumberFinding[] = [];
  for (let day = 20; day <= days; day += 3) {
    const now = FIRST + day * DAY + 9 * HOUR;
    const known = rows.filter(({ at }) => at <= now - DAY - 9 * HOUR);
    findings.push(...linesAt(known, now, findings));
  }
  return findings;
}

const ofTold = { type: 'told', key: 'telling', absolute: false } as const;

describe('a number at the trigger', () => {
  it('is found once with its cut, and withdrawn when its effect is gone', () => {
    const rows = rowsOf(90, (number, day) => (day < 40 ? 1.5 : -2) * number);
    const findings = notebookOf(rows, 90);
    const lines = findings.filter(({ number }) => number === 'telling');
    expect(lines).toMatchObject([
      { type: 'told', verdict: 'higher', cut: { at_least: expect.any(Number) } },
      { type: 'told', verdict: 'unclear', cut: null },
    ]);
    const advice = {
      ...ofTold,
      direction: 'at_least',
      value: lines[0]?.cut?.at_least,
      since: Date.parse(lines[0]?.at ?? ''),
    };
    expect(adviceInNotebook(findings.slice(0, 1), new Map())).toEqual([advice]);
    expect(adviceInNotebook(findings, new Map())).toEqual([]);
    expect(adviceInNotebook(findings.slice(0, 1), new Map([['told', FIRST + 60 * DAY]]))).toEqual(
      [],
    );
  });

  it('is found only with a cut that clearly helps', () => {
    // Ranks within a day tell more than medians of what would be kept and dropped.
    const rows = rowsOf(40, (number) => 0.8 * number);
    const now = FIRST + 40 * DAY;
    const tests = numberTests({ ...evidenceOf(rows, now), findings: [], settled: rows }, '24h');
    const passing = tests.filter(({ estimate }) => (estimate.adjusted?.p ?? 1) < 0.05);
    expect(passing.map(({ type, key }) => ({ type, key }))).toEqual([
      { type: 'told', key: 'telling' },
    ]);
    expect(freshCuts(passing[0] as NumberTest, 'higher').map((cut) => cut.is_advice)).not.toContain(
      true,
    );
    expect(linesAt(rows, now, [])).toEqual([]);
    const { questions, cuts } = tuningOf(evidenceOf(rows, now), { horizon: '24h' });
    expect(questions.map(({ verdict }) => verdict)).not.toContain('higher');
    expect(cuts).toEqual([]);
  });

  it('is what every screen names: the word, its date and the cut, and what came since', () => {
    const rows = rowsOf(60, (number) => 1.5 * number);
    const findings = notebookOf(rows, 40);
    const [line] = findings;
    const now = FIRST + 60 * DAY;
    const { questions, cuts } = tuningOf(evidenceOf(rows, now, { findings }), {});
    const found = questions.filter(({ verdict }) => verdict === 'higher');
    const dates = new Map(found.map(({ horizon, verdict_since }) => [horizon, verdict_since]));
    expect(dates).toEqual(
      new Map([
        ['24h', line?.at],
        ['1h', null],
      ]),
    );
    const later = rows.filter(
      ({ type, at }) => type === 'told' && at >= Date.parse(line?.at ?? ''),
    ).length;
    const advised = cuts.filter((cut) => cut.horizon === '24h' && cut.is_advice);
    expect(advised).toMatchObject([
      { value: line?.cut?.at_least, verdict_since: line?.at, since_then: { cards: later } },
    ]);
    // An empty notebook has no word, a question of one's own has no date.
    const empty = evidenceOf(rows, now, { findings: [] });
    expect(tuningOf(empty, { horizon: '24h' }).cuts).toEqual([]);
    const look = tuningOf(evidenceOf(rows, now), { horizon: '24h' });
    expect(cutToTry(look.cuts)).toMatchObject({ verdict_since: null, since_then: null });
  });

  it('stands until a judgement withdraws it, and newer cards that disagree are told', () => {
    const rows = rowsOf(90, (number, day) => (day < 40 ? 1.5 : -2) * number);
    const [line] = notebookOf(rows, 40);
    const findings = line === undefined ? [] : [line];
    const now = FIRST + 90 * DAY;
    const pageWith = (notebook: readonly Finding[]) => {
      const page = tuningOf(evidenceOf(rows, now, { findings: notebook }), { horizon: '24h' });
      const question = page.questions.find(({ type, key }) => type === 'told' && key === 'telling');
      const advice = page.cuts.find(({ is_advice }) => is_advice);
      return { question, advice };
    };
    const before = pageWith(findings);
    expect(before.question?.p, 'p of the question').toBeGreaterThan(0.05);
    expect(before.question).toMatchObject({ verdict: 'higher', verdict_since: line?.at });
    expect(before.advice?.value).toBe(line?.cut?.at_least);
    expect(checkOfAdvice(before.advice?.since_then ?? null)).toBe('opposite');
    const after = pageWith([...findings, ...linesAt(rows, now, findings)]);
    expect(after.question).toMatchObject({ verdict: 'unclear', verdict_since: null });
    expect(after.advice).toBeUndefined();
  });

  it('counts as found no more when an earlier program wrote it without a cut', () => {
    const rows = rowsOf(60, () => 0);
    const now = FIRST + 60 * DAY;
    const [line] = notebookOf(
      rowsOf(60, (number) => 1.5 * number),
      40,
    );
    const old = [{ ...(line as NumberFinding), cut: null }];
    expect(adviceInNotebook(old, new Map())).toEqual([]);
    expect(linesAt(rows, now, old)).toEqual([]);
    const { questions } = tuningOf(evidenceOf(rows, now, { findings: old }), { horizon: '24h' });
    expect(questions.map(({ verdict }) => verdict)).not.toContain('higher');
  });

  it('of earlier settings counts no more', () => {
    const rows = rowsOf(45, (number) => 1.5 * number);
    const settingsSince = new Map([['told', FIRST + 41 * DAY]]);
    const findings = notebookOf(rows, 40);
    const evidence = evidenceOf(rows, FIRST + 45 * DAY, { settingsSince, findings });
    const { questions } = tuningOf(evidence, { horizon: '24h' });
    expect(questions.map(({ verdict }) => verdict)).not.toContain('higher');
  });

  it('of earlier settings that tells under the present ones, too, is found anew, and not withdrawn', () => {
    const rows = rowsOf(90, (number) => 1.5 * number);
    const settingsSince = new Map([['told', FIRST + 41 * DAY]]);
    const findings = notebookOf(rows, 40);
    const now = FIRST + 90 * DAY;
    const evidence = { ...evidenceOf(rows, now, { settingsSince }), findings, settled: rows };
    const lines = judgeNumbers(evidence, now);
    expect(lines.map(({ type, number, verdict }) => ({ type, number, verdict }))).toEqual([
      { type: 'told', number: 'telling', verdict: 'higher' },
    ]);
  });

  it('is cut in two digits, and at 0 if a fifth of its values lie on each side', () => {
    const rows = rowsOf(60, (number) => 1.5 * number);
    const positive = rowsOf(
      60,
      (number) => 14 * number,
      (normal) => Math.exp(normal / 3) / 4,
    );
    const cutsOn = (cards: readonly HistoryCard[]) =>
      tuningOf(evidenceOf(cards, FIRST + 60 * DAY), { horizon: '24h', type: 'told' }).cuts;
    const signed = cutsOn(rows).filter(({ absolute }) => !absolute);
    expect(signed.map(({ value }) => value)).toContain(0);
    expect(cutsOn(positive)).toHaveLength(3);
    for (const { value } of [...signed, ...cutsOn(positive)])
      expect(value, 'is rounded to two digits').toBe(Number(value.toPrecision(2)));
  });
});

it('a cut keeps its part of the cards a day that every page tells, also on the first day after a break', () => {
  const rows = rowsOf(60, (number) => 1.5 * number);
  const now = FIRST + 60 * DAY;
  const isBack = now - 12 * HOUR;
  const duringBreak = ({ type, at }: HistoryCard) =>
    type === 'told' && at >= isBack - 2 * DAY && at < isBack;
  const cards = rows.filter((row) => !duringBreak(row));
  const inUseSince = new Map([['told', isBack]]);
  const evidence = { ...evidenceOf(cards, now), inUseSince };
  const { cuts } = tuningOf(evidence, { horizon: '24h', type: 'told' });
  const told = cards.filter(({ type }) => type === 'told');
  const { perDay, isFromBeforeChange } = presentRate(told, now, {
    historyBegins: FIRST,
    inUseSince: isBack,
  });
  expect(isFromBeforeChange).toBe(true);
  for (const { cards_per_day, quantile } of cuts)
    expect(cards_per_day / perDay, `kept from ${quantile} on`).toBeCloseTo(1 - quantile, 1);
  expect(cuts.length).toBeGreaterThan(0);
});

it('a number without its sign keeps all three cuts: none is moved to 0, below which nothing lies', () => {
  const rows = rowsOf(60, (number) => 2 * Math.abs(number));
  const { cuts } = tuningOf(evidenceOf(rows, FIRST + 60 * DAY), { horizon: '24h', type: 'told' });
  expect(cuts.filter(({ absolute }) => absolute)).toHaveLength(3);
});

describe('a type that fires both ways', () => {
  const twice = (normal: number) => Math.sign(normal) * (3 + Math.abs(normal));
  const rows = rowsOf(60, (number) => 1.2 * Math.sign(number), twice);
  const now = FIRST + 60 * DAY;

  it('is advised to keep one direction, not a part of the other one', () => {
    const { cuts } = tuningOf(evidenceOf(rows, now), { horizon: '24h', type: 'told' });
    const advice = cutToTry(cuts.filter(({ absolute }) => !absolute));
    expect(advice).toMatchObject({ direction: 'at_least', value: 0 });
    const looser = cuts.filter(({ value }) => value < 0);
    expect(looser.map(({ is_advice }) => is_advice)).toEqual([false]);
    expect(advice?.kept_vs_others, 'what is kept, vs others').toBeGreaterThan(0.6);
    expect(advice?.dropped_vs_others, 'what is dropped, vs others').toBeLessThan(-0.6);
    expect(advice?.kept_vs_dropped).toBeCloseTo(
      (advice?.kept_vs_others ?? 0) - (advice?.dropped_vs_others ?? 0),
      9,
    );
  });
});

describe('a number that needs more outcomes', () => {
  /** Of each day's cards of `told` the first ones were bought, of the others all. */
  const rowsBought = (aDay: number) =>
    rowsOf(30, () => 0).map((row, i) => {
      const isBought = row.type !== 'told' || i % 24 < 2 * aDay;
      return { ...row, isBought, ...(isBought ? {} : { outcomes: undefined, context: undefined }) };
    });
  const now = FIRST + 30 * DAY;
  const questionOf = (cards: readonly HistoryCard[], more: Partial<TuneEvidence> = {}) =>
    tuningOf({ ...evidenceOf(cards, now), ...more }, { horizon: '24h', type: 'told' }).questions[0];

  it('says when buying the type first brings them, if exports buy another type first', () => {
    const isLeft = ({ type, at }: HistoryCard) =>
      type === 'told' ? (at - FIRST) % (6 * DAY) >= DAY : type === 'other' && at < FIRST + DAY;
    const every = rowsBought(1).map((row) =>
      isLeft(row) ? { ...row, isBought: false, outcomes: undefined, context: undefined } : row,
    );
    // Of the 24 cards a day, exports buy as many as of this type alone come.
    const question = questionOf(every, { boughtPerDay: 5, inFocus: new Set(['other']) });
    expect(question).toMatchObject({
      cards: 5,
      too_little: 'few_cards',
      needs: 'outcomes',
      enough_by: null,
    });
    const days = (Date.parse(question?.focus_brings_by ?? '') - now) / DAY;
    const toBuy = (question?.needed ?? Number.NaN) - 5;
    // What is needed is rounded up to 50.
    expect(Math.abs(days * 5 - toBuy), 'outcomes more than needed').toBeLessThan(50);
  });

  it('says nothing where the sample brings them, or nothing does', () => {
    const soon = questionOf(rowsBought(3).filter(({ at }) => at >= FIRST + 12 * DAY));
    expect(soon).toMatchObject({
      cards: 54,
      too_little: 'few_cards',
      needs: 'outcomes',
      enough_by: expect.any(String),
      focus_brings_by: null,
    });
    const few = rowsOf(20, () => 0).filter(({ type, at }) => type !== 'told' || at < FIRST + DAY);
    const never = questionOf(few);
    expect(never).toMatchObject({
      cards: 12,
      too_little: 'few_cards',
      enough_by: null,
      focus_brings_by: null,
    });
  });
});
