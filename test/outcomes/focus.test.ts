/** Which type exports should buy first, and why no stricter setting of a type is of use. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import { focusOf, hindranceOf } from '../../src/outcomes/focus.ts';
import type { Standing } from '../../src/outcomes/standing.ts';
import type { NumberQuestion } from '../../src/outcomes/tune-types.ts';
import type { Interval } from '../../src/statistics/quantile.ts';
import { AT, standing, sure } from '../support/standing.ts';
import { questionAt } from '../support/tune.ts';

/** A number that lacks outcomes, which come soon if its type is bought first. */
function waiting(type: string, more: Partial<NumberQuestion> = {}): NumberQuestion {
  return questionAt({
    type,
    cards: 30,
    would_show: null,
    needs: 'outcomes',
    needed: 150,
    focus_brings_by: '2026-12-03T00:00:00Z',
    ...more,
  });
}

/** @param bought three of these have no figure */
function purchases(
  bought: number,
  due = 1794,
  cards_per_day = 20,
): NonNullable<Standing['groupFigures']> {
  const horizons = byHorizon(() => ({ btc_sample: Math.max(0, bought - 3) }));
  return { bought, due, cards_per_day, horizons } as unknown as NonNullable<
    Standing['groupFigures']
  >;
}

const LATER = '2026-12-20T00:00:00Z';

/** Exports buy 20 outcomes a day. */
const PACE = { now: AT, outcomesPerDay: 20 };

/** Of 91 bought outcomes; the service says how far below BTC the type is, so that 570 outcomes would be enough. */
const VS_BTC = {
  btc_sample: 91,
  median_vs_btc_interval_95: { low: -3, high: 0.8 },
} as NonNullable<Standing['figures']>;
const below1_5 = { ...sure, vsBtc: -1.5 };

/** A type that is below the others, and perhaps below BTC, too. */
function below(group: string, more: Partial<Standing> = {}): Standing {
  return standing(group, {
    word: 'below',
    groupFigures: purchases(91),
    figures: VS_BTC,
    base: below1_5,
    ...more,
  });
}

interface Case {
  readonly case: string;
  readonly questions: readonly NumberQuestion[];
  readonly standings?: readonly Standing[];
  readonly type: string | undefined;
}

it.each([
  {
    case: 'the soonest',
    questions: [waiting('a', { focus_brings_by: LATER }), waiting('b')],
    type: 'b',
  },
  {
    case: 'of two on the same day the one with more outcomes',
    questions: [waiting('a'), waiting('b', { cards: 31 })],
    type: 'b',
  },
  {
    case: 'the one with the most cards, whatever its date is today',
    questions: [waiting('a', { focus_brings_by: LATER, cards: 29 }), waiting('b')],
    standings: [
      standing('a', { groupFigures: { due: 901 } as Standing['groupFigures'] }),
      standing('b', { groupFigures: { due: 900 } as Standing['groupFigures'] }),
    ],
    type: 'a',
  },
  {
    case: 'the date of the number that lacks the fewest',
    questions: [
      waiting('a', { focus_brings_by: LATER }),
      waiting('a', { key: 'y', needed: 200 }),
      waiting('b', { focus_brings_by: '2026-12-10T00:00:00Z' }),
    ],
    type: 'b',
  },
  {
    case: 'none that has its advice',
    questions: [waiting('a'), questionAt({ type: 'a', key: 'y', verdict: 'higher' })],
    type: undefined,
  },
  {
    case: 'none that waits for days, or for more cards a day',
    questions: [waiting('a', { needs: 'days' }), waiting('b', { needs: 'cards_a_day' })],
    type: undefined,
  },
  {
    case: 'none for which buying first is not proposed',
    questions: [waiting('a', { focus_brings_by: null })],
    type: undefined,
  },
  {
    case: 'none that is behind, silent or switched off',
    questions: ['a', 'b', 'c', 'd'].map((type) => waiting(type)),
    standings: [
      standing('a', { word: 'below' }),
      standing('b', { silentDays: 19 }),
      standing('c', { off: { since: AT - DAY, isRemoved: false } }),
      standing('d'),
    ],
    type: 'd',
  },
] satisfies Case[])('buys first $case', ({ questions, standings, type }: Case) => {
  const all = standings ?? ['a', 'b'].map((group) => standing(group));
  expect(focusOf(all, () => questions, PACE)?.type).toBe(type);
});

it('has the count, the need and the date of the number that lacks the fewest', () => {
  const questions = [waiting('a', { key: 'y', needed: 200 }), waiting('a', { cards: 41 })];
  expect(focusOf([standing('a')], () => questions, PACE)).toEqual({
    why: 'tune',
    type: 'a',
    isUnderWay: false,
    outcomes: 41,
    needed: 150,
    by: Date.UTC(2026, 11, 3),
  });
});

describe('before the numbers comes a type that may be below BTC, too', () => {
  const inLastDays = (interval_95: Interval | null) =>
    ({
      ...VS_BTC,
      last_30_days: { percentage_points: -0.5, interval_95 },
    }) as Standing['figures'];
  const off = { since: undefined, isRemoved: false };
  const noQuestions = () => [];

  it.each<{ case: string; standings: readonly Standing[]; type: string | undefined }>([
    { case: 'of which few outcomes are bought', standings: [standing('a'), below('b')], type: 'b' },
    {
      case: 'also with too few days vs BTC',
      standings: [below('a', { wordVsBtc: 'too_few_days' })],
      type: 'a',
    },
    {
      case: 'the first that was found below, not the one that is furthest below today',
      standings: [
        below('a', { wordSince: AT, base: { ...below1_5, vsOthers: -2 } }),
        below('b', { wordSince: AT - DAY, base: { ...below1_5, vsOthers: -1.2 } }),
        below('c', { wordSince: undefined, base: { ...below1_5, vsOthers: -3 } }),
      ],
      type: 'b',
    },
    {
      case: 'of two found at once the one with more cards',
      standings: [below('a'), below('b', { groupFigures: purchases(91, 1795) })],
      type: 'b',
    },
    {
      case: 'none that its last 30 days alone do not show below',
      standings: [
        below('a', { figures: inLastDays({ low: -1.1, high: 0.4 }) }),
        below('b', { figures: inLastDays({ low: -1.1, high: 0 }) }),
      ],
      type: undefined,
    },
    {
      case: 'one that they show below, or of which they are too few days',
      standings: [
        below('a', { wordSince: AT + DAY, figures: inLastDays({ low: -2, high: -0.1 }) }),
        below('b', { figures: inLastDays(null) }),
      ],
      type: 'b',
    },
    {
      case: 'none of which nine in ten are bought',
      standings: [below('a', { groupFigures: purchases(90, 100) })],
      type: undefined,
    },
    {
      case: 'just fewer, if it sends many more cards',
      standings: [
        below('a', { groupFigures: purchases(89, 100, 10) }),
        below('b', { groupFigures: purchases(89, 100, 5) }),
      ],
      type: 'a',
    },
    {
      case: 'none for which 90 days of purchases are too few',
      standings: [
        below('a', { base: { ...sure, vsBtc: -0.6 } }),
        below('b', { base: { ...sure, vsBtc: 0.3 } }),
      ],
      type: undefined,
    },
    {
      case: 'none that is surely below BTC, above it, or near it',
      standings: (['below', 'above', 'small'] as const).map((wordVsBtc) =>
        below(wordVsBtc, { wordVsBtc }),
      ),
      type: undefined,
    },
    {
      case: 'none that is compared with BTC alone, silent, switched off, or without cards',
      standings: [
        below('a', { comparedWith: 'btc' }),
        below('b', { silentDays: 19 }),
        below('c', { off }),
        below('d', { groupFigures: null }),
      ],
      type: undefined,
    },
  ])('$case', ({ standings, type }) => {
    expect(focusOf(standings, noQuestions, PACE)?.type).toBe(type);
  });

  it('and no other advice while it has too few days for a date', () => {
    const young = { ...VS_BTC, median_vs_btc_interval_95: null };
    const questions = () => [waiting('b')];
    expect({
      young: focusOf([below('a', { figures: young }), standing('b')], questions, PACE),
      older: focusOf([below('a', { base: { ...sure, vsBtc: 0 } }), standing('b')], questions, PACE)
        ?.type,
    }).toEqual({ young: undefined, older: 'b' });
  });

  it('none where its verdict is foreseen anyway, and none on another type, which would delay it', () => {
    const foreseen = below('a', { waitVsBtc: { wordExpected: Date.parse(LATER), wouldShow: 2 } });
    const types = [foreseen, standing('b')];
    const questions = () => [waiting('b')];
    expect({
      none: focusOf(types, questions, PACE),
      underWay: focusOf(types, questions, PACE, new Set(['a']))?.type,
    }).toEqual({ none: undefined, underWay: 'a' });
  });

  it('none at all if the credits soon cover all outcomes, unless exports buy it first', () => {
    const types = [below('a'), standing('b')];
    const questions = () => [waiting('b')];
    expect({
      none: focusOf(types, questions, PACE, new Set(), true),
      underWay: focusOf(types, questions, PACE, new Set(['a']), true)?.type,
    }).toEqual({ none: undefined, underWay: 'a' });
  });

  it('with what is bought and has a figure, as the columns N and OUTCOMES count, what is due, and when the answer is likely', () => {
    const focus = { why: 'vs_btc', type: 'a', isUnderWay: false, due: 1794, bought: 88 };
    const found = focusOf([below('a')], () => [waiting('b')], PACE);
    expect(found).toMatchObject(focus);
    // 91 outcomes × (1.85 × 1.9 pp / 1.4 pp)² are 574: 483 more, 20 a day.
    const days = found?.by === undefined ? Number.NaN : (found.by - AT) / DAY;
    expect(days).toBe(25);
  });

  it('with a later answer if it sends too few cards', () => {
    const few = below('a', { groupFigures: purchases(91, 374, 4) });
    const found = focusOf([few], noQuestions, PACE);
    const days = found?.by === undefined ? Number.NaN : (found.by - AT) / DAY;
    expect(days).toBe(50);
  });
});

describe('a type that exports buy first already', () => {
  /** As the need of a type that exports buy now stands: what they buy comes by `enough_by`. */
  const coming = (type: string, more: Partial<NumberQuestion> = {}) =>
    waiting(type, { enough_by: LATER, focus_brings_by: null, ...more });
  const ofMoreCards = standing('b', { groupFigures: purchases(0, 9000) });
  const denied = { low: -1.1, high: 0.4 };
  const last_30_days = { percentage_points: -0.5, interval_95: denied };

  it.each<{
    case: string;
    standings?: readonly Standing[];
    questions?: readonly NumberQuestion[];
    focus: { type: string; isUnderWay: boolean; why: 'tune' | 'vs_btc' };
  }>([
    {
      case: 'stays while its numbers lack outcomes, though another has more cards',
      standings: [standing('a'), ofMoreCards],
      questions: [coming('a'), waiting('b')],
      focus: { type: 'a', isUnderWay: true, why: 'tune' },
    },
    {
      case: 'stays while its numbers lack outcomes, though another is found below',
      standings: [standing('a'), below('b')],
      questions: [coming('a')],
      focus: { type: 'a', isUnderWay: true, why: 'tune' },
    },
    {
      case: 'stays while its outcomes are of too few days',
      questions: [coming('a', { needs: 'days', needed: 24 }), waiting('b')],
      focus: { type: 'a', isUnderWay: true, why: 'tune' },
    },
    {
      case: 'stays where it is bought beside others, which bring it later',
      questions: [coming('a', { enough_by: null, focus_brings_by: LATER }), waiting('b')],
      focus: { type: 'a', isUnderWay: true, why: 'tune' },
    },
    {
      case: 'stays while it is unsure vs BTC, though another was found below before it',
      standings: [below('a', { wordSince: AT }), below('b', { wordSince: AT - DAY })],
      focus: { type: 'a', isUnderWay: true, why: 'vs_btc' },
    },
    {
      case: 'stays while it is unsure vs BTC, whatever its last 30 days show this morning',
      standings: [
        below('a', { figures: { ...VS_BTC, last_30_days } as Standing['figures'] }),
        below('b'),
      ],
      focus: { type: 'a', isUnderWay: true, why: 'vs_btc' },
    },
    {
      case: 'is over once its numbers are tested',
      questions: [questionAt({ type: 'a' }), waiting('b')],
      focus: { type: 'b', isUnderWay: false, why: 'tune' },
    },
    {
      case: 'is over once a number of it tells',
      questions: [coming('a'), questionAt({ type: 'a', key: 'y', verdict: 'lower' }), waiting('b')],
      focus: { type: 'b', isUnderWay: false, why: 'tune' },
    },
    {
      case: 'is over if it needs more than two months',
      questions: [coming('a', { enough_by: null }), waiting('b')],
      focus: { type: 'b', isUnderWay: false, why: 'tune' },
    },
    {
      case: 'is over once it sends no cards',
      standings: [standing('a', { silentDays: 15 }), standing('b')],
      questions: [coming('a'), waiting('b')],
      focus: { type: 'b', isUnderWay: false, why: 'tune' },
    },
    {
      case: 'is over once it is surely below BTC, too',
      standings: [below('a', { wordVsBtc: 'below' }), below('b')],
      questions: [coming('a')],
      focus: { type: 'b', isUnderWay: false, why: 'vs_btc' },
    },
    {
      case: 'is over once nine in ten of its outcomes are bought',
      standings: [below('a', { groupFigures: purchases(90, 100) }), below('b')],
      focus: { type: 'b', isUnderWay: false, why: 'vs_btc' },
    },
  ])('$case', ({ standings = [standing('a'), standing('b')], questions = [], focus }) => {
    expect(focusOf(standings, () => questions, PACE, new Set(['a']))).toMatchObject(focus);
  });
});

it('says why no stricter setting of a type is of use', () => {
  const off = { since: undefined, isRemoved: false };
  expect([
    hindranceOf(standing('a')),
    hindranceOf(standing('a', { word: 'small', toDo: 'behind_btc' })),
    hindranceOf(standing('a', { word: 'below' })),
    hindranceOf(standing('a', { word: 'below', silentDays: 14 })),
    hindranceOf(standing('a', { word: 'below', off, silentDays: 14 })),
    hindranceOf(standing('a', { word: 'below', off: { ...off, isRemoved: true } })),
  ]).toEqual([
    undefined,
    undefined,
    { why: 'behind', comparedWith: 'others' },
    { why: 'silent', days: 14 },
    { why: 'switched_off' },
    { why: 'removed' },
  ]);
});
