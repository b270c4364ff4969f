/** Which type exports should buy first, and why no stricter setting of a type is of use. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import {
  cardsBeforeMonth,
  type Focus,
  focusOf,
  hindranceOf,
  isFocusNew,
} from '../../src/outcomes/focus.ts';
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
function purchases(bought: number, due = 1794): NonNullable<Standing['groupFigures']> {
  const horizons = byHorizon(() => ({ btc_sample: Math.max(0, bought - 3) }));
  return { bought, due, horizons } as unknown as NonNullable<Standing['groupFigures']>;
}

const LATER = '2026-12-20T00:00:00Z';

/** No type had cards before this month. */
const NONE_BEFORE = new Map<string, number>();

/** A type that is below the others, and perhaps below BTC, too. */
function below(group: string, more: Partial<Standing> = {}): Standing {
  return standing(group, {
    verdict: 'below',
    groupFigures: purchases(91),
    ...more,
  });
}

/** A type whose last change hurt. */
const HURT = {
  change: {
    changedAt: Date.UTC(2026, 8, 10, 6),
    verdict: 'lower' as const,
    isNewlyFound: true,
    keptUntil: undefined,
  },
};

interface Case {
  readonly case: string;
  readonly questions: readonly NumberQuestion[];
  /** Cards of each type before this month; none unless given. */
  readonly before?: readonly (readonly [string, number])[];
  readonly standings?: readonly Standing[];
  readonly type: string | undefined;
}

it.each([
  {
    case: 'the one with the most cards before this month, whatever its date and its cards are today',
    questions: [waiting('a'), waiting('b', { focus_brings_by: LATER, cards: 29 })],
    standings: [
      standing('a', { groupFigures: { due: 901 } as Standing['groupFigures'] }),
      standing('b', { groupFigures: { due: 900 } as Standing['groupFigures'] }),
    ],
    before: [
      ['a', 640],
      ['b', 641],
    ],
    type: 'b',
  },
  {
    case: 'of two with equally many the first by name',
    questions: [waiting('b', { cards: 31 }), waiting('a')],
    type: 'a',
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
      standing('a', { verdict: 'below' }),
      standing('b', { silentDays: 19 }),
      standing('c', { off: { since: AT - DAY, isRemoved: false } }),
      standing('d'),
    ],
    type: 'd',
  },
] satisfies Case[])('buys first $case', ({ questions, standings, before = [], type }: Case) => {
  const all = standings ?? ['a', 'b'].map((group) => standing(group));
  expect(focusOf(all, () => questions, new Map(before))?.type).toBe(type);
});

it('counts the cards of each type until the month began', () => {
  const begins = Date.UTC(2026, 10, 1);
  const times = [begins - 30 * DAY, begins - 1, begins];
  const cards = [...times.map((at) => ({ type: 'a', at })), { type: 'b', at: begins + DAY }];
  const onDay = (day: number) => Object.fromEntries(cardsBeforeMonth(cards, begins + day * DAY));
  expect([onDay(0), onDay(29), onDay(30)]).toEqual([{ a: 2 }, { a: 2 }, { a: 3, b: 1 }]);
});

it('has the count, the need and the date of the number that lacks the fewest', () => {
  const questions = [waiting('a', { key: 'y', needed: 200 }), waiting('a', { cards: 41 })];
  expect(focusOf([standing('a')], () => questions, NONE_BEFORE)).toEqual({
    why: 'tune',
    type: 'a',
    isUnderWay: false,
    outcomes: 41,
    needed: 150,
    by: Date.UTC(2026, 11, 3),
    comesAnyway: false,
  });
});

describe('before the numbers comes a type that may be below BTC, too', () => {
  const part = { percentage_points: -0.5, interval_95: null };
  const off = { since: undefined, isRemoved: false };
  const noQuestions = () => [];

  it.each<{ case: string; standings: readonly Standing[]; type: string | undefined }>([
    { case: 'of which few outcomes are bought', standings: [standing('a'), below('b')], type: 'b' },
    {
      case: 'also with too few days vs BTC',
      standings: [below('a', { verdictVsBtc: 'too_few_days' })],
      type: 'a',
    },
    {
      case: 'the first that was found below, not the one that is furthest below today',
      standings: [
        below('a', { verdictSince: AT, base: { ...sure, vsOthers: -2 } }),
        below('b', { verdictSince: AT - DAY, base: { ...sure, vsOthers: -1.2 } }),
        below('c', { verdictSince: undefined, base: { ...sure, vsOthers: -3 } }),
      ],
      type: 'b',
    },
    {
      case: 'of two found at once the first by name, as neither has cards before this month',
      standings: [below('b', { groupFigures: purchases(91, 1795) }), below('a')],
      type: 'a',
    },
    {
      case: 'none that the notebook says is better lately',
      standings: [below('a', { lessLately: { last30Days: part, earlier: part } })],
      type: undefined,
    },
    {
      case: 'none of which nine in ten are bought',
      standings: [below('a', { groupFigures: purchases(90, 100) })],
      type: undefined,
    },
    {
      case: 'one of which just fewer are',
      standings: [below('a', { groupFigures: purchases(89, 100) })],
      type: 'a',
    },
    {
      case: 'none that is surely below BTC, above it, or near it',
      standings: (['below', 'above', 'small'] as const).map((verdictVsBtc) =>
        below(verdictVsBtc, { verdictVsBtc }),
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
    expect(focusOf(standings, noQuestions, NONE_BEFORE)?.type).toBe(type);
  });

  it('the same one, whatever its outcomes so far say of BTC', () => {
    const figuresAt = (median_vs_btc_interval_95: Interval | null) =>
      ({ btc_sample: 88, median_vs_btc_interval_95 }) as Standing['figures'];
    const mornings = [
      below('a', { figures: figuresAt(null) }),
      below('a', { figures: figuresAt({ low: -3, high: 0.8 }), base: { ...sure, vsBtc: -1.5 } }),
      below('a', { figures: figuresAt({ low: -0.9, high: 1 }), base: { ...sure, vsBtc: 0.02 } }),
    ];
    const questions = () => [waiting('b')];
    const focusOn = (type: Standing) =>
      focusOf([type, standing('b')], questions, NONE_BEFORE)?.type;
    expect(mornings.map(focusOn)).toEqual(['a', 'a', 'a']);
  });

  it('none at all if the credits soon cover all outcomes, unless exports buy it first', () => {
    const types = [below('a'), standing('b')];
    const questions = () => [waiting('b')];
    expect({
      none: focusOf(types, questions, NONE_BEFORE, new Set(), true),
      underWay: focusOf(types, questions, NONE_BEFORE, new Set(['a']), true)?.type,
    }).toEqual({ none: undefined, underWay: 'a' });
  });

  it('with what is bought and has a figure, as the columns N and OUTCOMES count, and with what is due', () => {
    const found = below('a', { verdictSince: AT });
    expect(focusOf([found], () => [waiting('b')], NONE_BEFORE)).toEqual({
      why: 'vs_btc',
      type: 'a',
      isUnderWay: false,
      belowSince: AT,
      due: 1794,
      measured: 88,
    });
  });
});

describe('a type that exports buy first already', () => {
  /** As the need of a type that exports buy now stands: what they buy comes by `enough_by`. */
  const coming = (type: string, more: Partial<NumberQuestion> = {}) =>
    waiting(type, { enough_by: LATER, focus_brings_by: null, ...more });
  const ofMoreCards = standing('b', { groupFigures: purchases(0, 9000) });
  const part = { percentage_points: -0.5, interval_95: null };

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
      standings: [below('a', { verdictSince: AT }), below('b', { verdictSince: AT - DAY })],
      focus: { type: 'a', isUnderWay: true, why: 'vs_btc' },
    },
    {
      case: 'stays while it is unsure vs BTC, also if it is better lately',
      standings: [below('a', { lessLately: { last30Days: part, earlier: part } }), below('b')],
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
      standings: [below('a', { verdictVsBtc: 'below', toDo: 'drop' }), below('b')],
      questions: [coming('a')],
      focus: { type: 'b', isUnderWay: false, why: 'vs_btc' },
    },
    {
      case: 'goes on to its numbers once it is known not to be below BTC, too',
      standings: [below('a', { verdictVsBtc: 'small' }), below('b')],
      questions: [coming('a')],
      focus: { type: 'a', isUnderWay: true, why: 'tune' },
    },
    {
      case: 'is over once nine in ten of its outcomes are bought',
      standings: [below('a', { groupFigures: purchases(90, 100) }), below('b')],
      focus: { type: 'b', isUnderWay: false, why: 'vs_btc' },
    },
  ])('$case', ({ standings = [standing('a'), standing('b')], questions = [], focus }) => {
    expect(focusOf(standings, () => questions, NONE_BEFORE, new Set(['a']))).toMatchObject(focus);
  });
});

it('says why no stricter setting of a type is of use', () => {
  const off = { since: undefined, isRemoved: false };
  const noLongerSure = { ...HURT, change: { ...HURT.change, verdict: 'unclear' as const } };
  const helped = { ...HURT, change: { ...HURT.change, verdict: 'higher' as const } };
  expect([
    hindranceOf(standing('a')),
    hindranceOf(standing('a', { verdict: 'small', toDo: 'behind_btc' })),
    hindranceOf(standing('a', { verdict: 'below' })),
    hindranceOf(standing('a', { verdict: 'below', verdictVsBtc: 'small' })),
    hindranceOf(
      standing('a', {
        verdict: 'below',
        verdictVsBtc: 'above',
        toDo: 'behind_others_ahead_of_btc',
      }),
    ),
    hindranceOf(standing('a', { verdict: 'below', verdictVsBtc: 'below', toDo: 'drop' })),
    hindranceOf(standing('a', { verdict: 'below', comparedWith: 'btc', toDo: 'behind_btc' })),
    hindranceOf(standing('a', { verdict: 'above', doubt: { before: 2 } })),
    hindranceOf(standing('a', { verdict: 'above' })),
    hindranceOf(standing('a', { verdict: 'below', silentDays: 14 })),
    hindranceOf(standing('a', { verdict: 'below', off, silentDays: 14 })),
    hindranceOf(standing('a', { verdict: 'below', off: { ...off, isRemoved: true } })),
    hindranceOf(standing('a', HURT)),
    hindranceOf(standing('a', noLongerSure)),
    hindranceOf(standing('a', helped)),
    hindranceOf(standing('a', { ...HURT, silentDays: 9 })),
    hindranceOf(standing('a', { ...HURT, verdict: 'below' })),
  ]).toEqual([
    undefined,
    undefined,
    { why: 'may_be_below_btc' },
    undefined,
    undefined,
    { why: 'to_drop' },
    { why: 'to_drop' },
    { why: 'may_have_stopped' },
    undefined,
    { why: 'silent', days: 14 },
    { why: 'switched_off' },
    { why: 'removed' },
    { why: 'change_hurt', changedAt: Date.UTC(2026, 8, 10, 6) },
    undefined,
    undefined,
    { why: 'silent', days: 9 },
    { why: 'may_be_below_btc' },
  ]);
});

it('is no type whose last change is to be undone', () => {
  const focusWith = (more: Partial<Standing>) => {
    const questions = () => [waiting('a')];
    return {
      numbers: focusOf([standing('a', more)], questions, NONE_BEFORE)?.type,
      vsBtc: focusOf([below('b', more)], () => [], NONE_BEFORE)?.type,
    };
  };
  const noLongerSure = { ...HURT, change: { ...HURT.change, verdict: 'unclear' as const } };
  expect({ sure: focusWith(HURT), noLongerSure: focusWith(noLongerSure) }).toEqual({
    sure: { numbers: undefined, vsBtc: undefined },
    noLongerSure: { numbers: 'a', vsBtc: 'b' },
  });
});

it('is new for a week after its type was found below the others, and for the first week of a month', () => {
  const vsBtc = (belowSince: number): Focus => ({
    why: 'vs_btc',
    type: 'a',
    isUnderWay: false,
    belowSince,
    due: 200,
    measured: 40,
  });
  const ofNumbers: Focus = {
    why: 'tune',
    type: 'a',
    isUnderWay: false,
    outcomes: 30,
    needed: 150,
    by: AT + 20 * DAY,
    comesAnyway: false,
  };
  const firstOfMonth = Date.UTC(2026, 10, 1);
  expect({
    justFound: isFocusNew(vsBtc(AT - 6 * DAY), AT),
    foundLongAgo: isFocusNew(vsBtc(AT - 7 * DAY), AT),
    ofNumbers: isFocusNew(ofNumbers, AT),
    inFirstWeek: [vsBtc(AT - 60 * DAY), ofNumbers].map((focus) =>
      isFocusNew(focus, firstOfMonth + 6.9 * DAY),
    ),
    afterIt: isFocusNew(ofNumbers, firstOfMonth + 7 * DAY),
  }).toEqual({
    justFound: true,
    foundLongAgo: false,
    ofNumbers: false,
    inFirstWeek: [true, true],
    afterIt: false,
  });
});
