/** Whether a verdict still holds: all pages have the answer from one place. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { lastDaysOf, type Standing } from '../../src/outcomes/standing.ts';
import { isInDoubt, stillHolds } from '../../src/outcomes/still-holds.ts';
import { actionsOf } from '../../src/output/views/actions.ts';
import { actionLines } from '../../src/output/views/actions-words.ts';
import { typeLineText } from '../../src/output/views/to-do-words.ts';
import { latelySection } from '../../src/report/lately.ts';
import { AT, judged, sure } from '../support/standing.ts';

const NOW = AT + 60 * DAY;

interface Figures {
  /** A difference in percentage points and half of the width of its 95 % interval. */
  readonly newest?: readonly [number, number];
  /** Whether exports found them to cast doubt on the verdict. */
  readonly isDoubted?: boolean;
  /** Whether the last 30 days show it by themselves. */
  readonly isShownIn30Days?: boolean;
}

/** A type above or below with a difference of 2 pp. */
function typeWith(
  verdict: 'above' | 'below',
  { newest, isDoubted = false, isShownIn30Days = true }: Figures,
  more: Partial<Standing> = {},
): Standing {
  const sign = verdict === 'above' ? 1 : -1;
  const partOf = ([points, half]: readonly [number, number]) => ({
    percentage_points: sign * points,
    interval_95: { low: sign * points - half, high: sign * points + half },
  });
  const last30Days: readonly [number, number] = isShownIn30Days ? [2, 0.5] : [0.4, 0.5];
  const figures = { last_30_days: partOf(last30Days), before: partOf([2, 0.4]) };
  return judged('pump', verdict, {
    figures: figures as Standing['figures'],
    newest: newest && {
      since: AT,
      isSinceVerdict: false,
      outcomes: 60,
      ...partOf(newest),
      interval_99: null,
      earlier: sign * 2,
    },
    doubt: isDoubted ? { before: sign * 2 } : undefined,
    base: { ...sure, median: sign * 2, vsOthers: sign * 2 },
    verdictVsBtc: verdict,
    ...more,
  });
}

const PAST = { record: [], days: 40, endedAt: undefined };

const CASES: readonly {
  readonly what: string;
  readonly figures: Figures;
  readonly more?: Partial<Standing>;
  readonly holds: ReturnType<typeof stillHolds>;
}[] = [
  { what: 'newer cards that show it', figures: { newest: [1.6, 1] }, holds: 'yes' },
  {
    what: 'newer cards that show more than half of it, but touch 0',
    figures: { newest: [1.6, 2] },
    holds: 'too_few',
  },
  { what: 'no newer cards', figures: {}, holds: 'too_few' },
  {
    what: 'last 30 days that all came after it and show it',
    figures: {},
    more: { areLastDaysNewer: true },
    holds: 'yes',
  },
  {
    what: 'last 30 days that all came after it and do not show it',
    figures: { isShownIn30Days: false },
    more: { areLastDaysNewer: true },
    holds: 'too_few',
  },
  {
    what: 'newer cards that cast doubt on it',
    figures: { newest: [0.7, 0.8], isDoubted: true },
    holds: 'not_clear',
  },
  {
    what: 'newer cards that show it today, while the doubt goes on',
    figures: { newest: [1.6, 1], isDoubted: true },
    more: { areLastDaysNewer: true },
    holds: 'not_clear',
  },
  {
    what: 'newer cards that show nothing of it, where exports found that it does less',
    figures: { newest: [0.1, 1], isDoubted: true },
    more: {
      lessLately: {
        last30Days: { percentage_points: 0.2, interval_95: null },
        earlier: { percentage_points: 2, interval_95: null },
      },
    },
    holds: 'less',
  },
];

it.each(
  CASES.flatMap((about) => [
    { ...about, verdict: 'above' as const },
    { ...about, verdict: 'below' as const },
  ]),
)('a type $verdict with $what: $holds', ({ verdict, figures, more, holds }) => {
  const standing = typeWith(verdict, figures, more);
  expect({ isInDoubt: isInDoubt(standing), holds: stillHolds(standing) }).toEqual({
    isInDoubt: holds === 'not_clear',
    holds,
  });
});

it.each(CASES)('today and the report say the same: $what', ({ figures, more, holds }) => {
  const standing = typeWith('above', figures, more);
  const [first] = actionLines(actionsOf([standing], undefined));
  const report = latelySection([standing], PAST)?.text ?? '';
  const mayHaveStopped = holds === 'not_clear' || holds === 'less';
  expect({
    label: first?.label,
    line: typeLineText(standing),
    isNotClear: report.includes('pump: perhaps not any more<'),
    isLess: report.includes('pump: less than before<'),
  }).toEqual({
    label: mayHaveStopped ? 'Wait' : 'Keep',
    line: mayHaveStopped
      ? 'above since 20 Nov; may have stopped working: wait'
      : 'worth keeping: above since 20 Nov',
    isNotClear: holds === 'not_clear',
    isLess: holds === 'less',
  });
});

it.each([
  { what: 'bought cards', askedAt: undefined, foundBefore: 32, isNewer: true, isLongAgo: false },
  { what: 'bought cards', askedAt: undefined, foundBefore: 31, isNewer: false, isLongAgo: false },
  {
    what: 'the service, asked lately',
    askedAt: NOW - 3 * DAY,
    foundBefore: 35,
    isNewer: true,
    isLongAgo: false,
  },
  {
    what: 'the service, asked long ago',
    askedAt: NOW - 4 * DAY,
    foundBefore: 35,
    isNewer: false,
    isLongAgo: true,
  },
])('the last 30 days of $what test a verdict found $foundBefore days ago: $isNewer', (about) => {
  const { askedAt, foundBefore, isNewer, isLongAgo } = about;
  expect(lastDaysOf(NOW - foundBefore * DAY, askedAt, NOW)).toEqual({
    areLastDaysNewer: isNewer,
    lastDaysUntil: isLongAgo ? askedAt : undefined,
  });
});
