/** Whether a verdict still holds: all pages have the answer from one place. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import { lastDaysOf, type Standing } from '../../src/outcomes/standing.ts';
import { type Doubt, doubtOf, stillHolds } from '../../src/outcomes/still-holds.ts';
import { actionsOf } from '../../src/output/views/actions.ts';
import { actionLines } from '../../src/output/views/actions-words.ts';
import { typeLineText } from '../../src/output/views/to-do-words.ts';
import { latelySection } from '../../src/report/lately.ts';
import { AT, judged, sure } from '../support/standing.ts';

const NOW = AT + 60 * DAY;

interface Figures {
  /** Each is a difference in percentage points and half of the width of its 95 % interval. */
  readonly last30Days?: readonly [number, number];
  readonly newest?: readonly [number, number];
  readonly inLast15Days?: number;
  readonly outcomes?: number;
}

/** A type above or below with a difference of 2 pp, and of that size before the last 30 days. */
function typeWith(
  verdict: 'above' | 'below',
  { last30Days = [2, 0.5], newest, inLast15Days, outcomes = 60 }: Figures,
  more: Partial<Standing> = {},
): Standing {
  const sign = verdict === 'above' ? 1 : -1;
  const partOf = ([points, half]: readonly [number, number]) => ({
    percentage_points: sign * points,
    interval_95: { low: sign * points - half, high: sign * points + half },
  });
  const figures = { last_30_days: partOf(last30Days), before: partOf([2, 0.4]) };
  const cards = newest && {
    since: AT,
    outcomes,
    ...partOf(newest),
    last15Days: {
      outcomes: Math.min(30, outcomes),
      ...partOf(inLast15Days === undefined ? newest : [inLast15Days, 1]),
    },
  };
  return judged('pump', verdict, {
    figures: figures as Standing['figures'],
    newest: cards,
    base: { ...sure, median: sign * 2, vsOthers: sign * 2, ...more.base },
    verdictVsBtc: verdict,
    ...more,
  });
}

const PAST = { record: [], days: 40, endedAt: undefined, lastCards: new Map<string, number>() };

const OF_SERVICE = { ...sure, median: 2, vsOthers: 2, source: 'service', askedAt: NOW } as const;

const CASES: readonly {
  readonly what: string;
  readonly figures: Figures;
  readonly more?: Partial<Standing>;
  readonly doubt: Doubt['cards'] | undefined;
  readonly holds: ReturnType<typeof stillHolds>;
}[] = [
  {
    what: 'newer cards that show it',
    figures: { newest: [1.6, 1] },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: 'newer cards that show more than half of it, but touch 0',
    figures: { newest: [1.6, 2] },
    doubt: undefined,
    holds: 'too_few',
  },
  { what: 'no newer cards', figures: {}, doubt: undefined, holds: 'too_few' },
  {
    what: 'last 30 days that all came after it and show it',
    figures: {},
    more: { areLastDaysNewer: true, hasEnoughOthersInTime: true },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: 'last 30 days under half of what was before, that touch 0',
    figures: { last30Days: [0.7, 0.8], newest: [1.6, 1] },
    doubt: 'last_30_days',
    holds: 'not_clear',
  },
  {
    what: 'last 30 days under half of what was before, but beyond 0',
    figures: { last30Days: [0.7, 0.6], newest: [1.6, 1] },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: 'last 15 days under half, where the newer cards confirm it',
    figures: { newest: [1.6, 1], inLast15Days: 0.9 },
    doubt: 'last_15_days',
    holds: 'not_clear',
  },
  {
    what: 'last 30 days under half, that reach both 0 and what was before',
    figures: { last30Days: [0.7, 1.5], newest: [1.6, 1] },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: 'newer cards under half, too few to tell them from what was before',
    figures: { newest: [-0.3, 2.5], outcomes: 32 },
    more: { base: OF_SERVICE },
    doubt: undefined,
    holds: 'too_few',
  },
  {
    what: 'newer cards that reach what is known of all days, but not what was before',
    figures: { newest: [0.1, 1], outcomes: 150 },
    more: { base: { ...OF_SERVICE, median: 1, vsOthers: 1 } },
    doubt: 'since_verdict',
    holds: 'not_clear',
  },
  {
    what: 'last 15 days over half',
    figures: { newest: [1.6, 1], inLast15Days: 1.1 },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: 'the service that confirms it, and 30 newer cards that show nothing of it',
    figures: { newest: [0.1, 1], outcomes: 30 },
    more: { base: OF_SERVICE, areLastDaysNewer: true },
    doubt: 'since_verdict',
    holds: 'not_clear',
  },
  {
    what: 'the service that confirms it, and 29 newer cards that show nothing of it',
    figures: { newest: [0.1, 1], outcomes: 29 },
    more: { base: OF_SERVICE, areLastDaysNewer: true },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: "30 newer cards that show it, where the service's last 30 days do not",
    figures: { last30Days: [0.1, 0.5], newest: [1.6, 1], outcomes: 30 },
    more: { base: OF_SERVICE },
    doubt: undefined,
    holds: 'yes',
  },
  {
    what: "29 newer cards that show it, where the service's last 30 days do not",
    figures: { last30Days: [0.1, 0.5], newest: [1.6, 1], outcomes: 29 },
    more: { base: OF_SERVICE },
    doubt: 'last_30_days',
    holds: 'not_clear',
  },
];

it.each(
  CASES.flatMap((about) => [
    { ...about, verdict: 'above' as const },
    { ...about, verdict: 'below' as const },
  ]),
)('a type $verdict with $what: $holds', ({ verdict, figures, more, doubt, holds }) => {
  const base =
    more?.base && verdict === 'below'
      ? { ...more.base, median: -(more.base.median ?? 0), vsOthers: -(more.base.median ?? 0) }
      : more?.base;
  const standing = typeWith(verdict, figures, { ...more, ...(base && { base }) });
  expect({ doubt: doubtOf(standing)?.cards, holds: stillHolds(standing) }).toEqual({
    doubt,
    holds,
  });
  expect(doubtOf({ ...standing, verdict: 'unclear' })).toBeUndefined();
});

it.each(CASES)('today and the report doubt the same: $what', ({ figures, more, doubt }) => {
  const standings = [typeWith('above', figures, more)];
  const [first] = actionLines(actionsOf(standings, undefined));
  const report = latelySection(standings, PAST)?.text ?? '';
  expect({
    label: first?.label,
    line: typeLineText(standings[0] as Standing, { last30Days: false, wait: false }),
    report: report.includes('pump: not clear<'),
  }).toEqual(
    doubt === undefined
      ? { label: 'Keep', line: 'worth keeping: above since 20 Nov', report: false }
      : {
          label: 'Wait',
          line: 'above since 20 Nov; may have stopped working: wait',
          report: true,
        },
  );
});

it.each(CASES)(
  'the last 15 days have a row if they cast doubt: $what',
  ({ figures, more, doubt }) => {
    const standing = typeWith('above', figures, more);
    const report = latelySection([standing], PAST)?.text ?? '';
    expect(report.includes('newer cards, last 15 days')).toBe(doubt === 'last_15_days');
  },
);

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
