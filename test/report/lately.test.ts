/** Which comparison the picture of the last 30 days is of. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import type { PastVerdict, Standing } from '../../src/outcomes/standing.ts';
import { latelySection } from '../../src/report/lately.ts';
import { AT, judged, sure } from '../support/standing.ts';

const NOW = Date.UTC(2026, 10, 28, 6);
const PAST = {
  record: [],
  days: 40,
  endedAt: undefined,
};

const figures = {
  last_30_days: { percentage_points: 1, interval_95: { low: 0.5, high: 1.5 } },
  before: { percentage_points: 2, interval_95: { low: 1.5, high: 2.5 } },
} as Standing['figures'];

/** Of a type below 0: further from it in the last 30 days. */
const risen = {
  last_30_days: { percentage_points: -2, interval_95: { low: -2.5, high: -1.5 } },
  before: { percentage_points: -1, interval_95: { low: -1.4, high: -0.5 } },
} as Standing['figures'];

const besideOthers = judged('pump', 'above', { figures, base: { ...sure, median: 1.5 } });
const besideBtc = judged('rare', 'above', { comparedWith: 'btc', verdictVsBtc: 'above', figures });

it.each([
  {
    what: 'other cards',
    standings: [besideOthers],
    said: ['Each type is compared with your other cards.', 'vs other cards'],
    names: ['pump'],
  },
  {
    what: 'BTC',
    standings: [besideBtc],
    said: ['Each type is compared with BTC.', 'vs BTC'],
    names: ['rare'],
  },
  {
    what: 'other cards or BTC',
    standings: [besideOthers, besideBtc],
    said: [
      'Each type is compared with your other cards, or with BTC where that is named.',
      'vs other cards or BTC',
    ],
    names: ['pump', 'rare (vs BTC)'],
  },
])('the picture is compared with $what', ({ standings, said, names }) => {
  const text = (latelySection(standings, PAST)?.text ?? '').replaceAll(/<[^>]*>/g, '|');
  for (const words of [...said, ...names]) expect(text).toContain(words);
});

/** A type whose last 30 days and the time before have these 95 % intervals. */
function inTwoParts(
  group: string,
  verdict: 'above' | 'below',
  last: { low: number; high: number },
  before: { low: number; high: number },
): Standing {
  const partOf = (interval: { low: number; high: number }) => ({
    percentage_points: (interval.low + interval.high) / 2,
    interval_95: interval,
  });
  const figures = { last_30_days: partOf(last), before: partOf(before) } as Standing['figures'];
  const median = (last.low + last.high + before.low + before.high) / 4;
  return judged(group, verdict, { figures, base: { ...sure, median } });
}

/** The same, with cards that came since the verdict, whose 95 % interval is this. */
function withLaterCards(
  standing: Standing,
  later: { low: number; high: number },
  outcomes = 22,
  doubt?: Standing['doubt'],
): Standing {
  const newest = {
    since: AT,
    isSinceVerdict: false,
    outcomes,
    percentage_points: (later.low + later.high) / 2,
    interval_95: later,
    interval_99: null,
    earlier: standing.base.median ?? undefined,
  };
  return { ...standing, newest, doubt };
}

/** A type below 0 whose last 30 days are as before. */
const steadyBelow = judged('dump', 'below', { figures: risen, base: { ...sure, median: -1.5 } });
const confirmed = withLaterCards(besideOthers, { low: 0.2, high: 2 });

/** A type whose verdict was taken back on 2 Nov. */
const withdrawn = (group: string, more: Partial<Standing> = {}) => {
  const until = Date.UTC(2026, 10, 2, 6);
  const verdict = {
    verdict: 'above',
    comparedWith: 'others',
    from: until - 50 * DAY,
    until,
  } as const;
  return judged(group, 'unclear', { withdrawn: verdict, ...more });
};
/** Of a type below 0: nearer to it in the last 30 days. */
const nearer = {
  last_30_days: { percentage_points: -0.5, interval_95: { low: -0.9, high: -0.1 } },
  before: { percentage_points: -2, interval_95: { low: -2.5, high: -1.5 } },
} as Standing['figures'];
const less = {
  last30Days: figures?.last_30_days,
  earlier: figures?.before,
} as Standing['lessLately'];

it.each([
  {
    what: 'all hold',
    standings: [confirmed, judged('open', 'unclear')],
    heading: 'Do these verdicts still hold? pump: yes',
  },
  {
    what: 'all of several hold',
    standings: [confirmed, withLaterCards(steadyBelow, { low: -2, high: -0.1 })],
    heading: 'Do these verdicts still hold? Both: yes',
  },
  {
    what: 'newer cards of one are too few',
    standings: [confirmed, withLaterCards(steadyBelow, { low: -2, high: 0.1 })],
    heading: 'Do these verdicts still hold? pump: yes; dump: newer cards cannot tell yet',
  },
  {
    what: 'there are no newer cards',
    standings: [besideOthers],
    heading: 'Do these verdicts still hold? pump: newer cards cannot tell yet',
  },
  {
    what: 'newer cards confirm it, if all of the last 30 days are newer',
    standings: [{ ...besideOthers, areLastDaysNewer: true }],
    heading: 'Do these verdicts still hold? pump: yes',
  },
  {
    what: 'newer cards confirm none',
    standings: [
      withLaterCards(besideOthers, { low: -0.2, high: 2 }),
      withLaterCards(steadyBelow, { low: -1.74, high: 1.93 }),
    ],
    heading: 'Do these verdicts still hold? Both: newer cards cannot tell yet',
  },
  {
    what: 'newer cards do not confirm the only one',
    standings: [withLaterCards(steadyBelow, { low: -1.74, high: 1.93 })],
    heading: 'Do these verdicts still hold? dump: newer cards cannot tell yet',
  },
  {
    what: 'one perhaps does not any more, if exports found that newer cards cast doubt on it',
    standings: [
      withLaterCards(besideOthers, { low: -0.9, high: 1.2 }, 30, { before: 2 }),
      withLaterCards(steadyBelow, { low: -2, high: -0.1 }),
    ],
    heading: 'Do these verdicts still hold? dump: yes; pump: perhaps not any more',
  },
  {
    what: 'several perhaps do not any more',
    standings: [
      withLaterCards(steadyBelow, { low: -0.9, high: 0.3 }, 30, { before: -1.5 }),
      withLaterCards(besideOthers, { low: -0.9, high: 1.2 }, 30, { before: 2 }),
    ],
    heading: 'Do these verdicts still hold? Both: perhaps not any more',
  },
  {
    what: 'newer cards confirm it, if the last 30 days are less than half, but beyond 0',
    standings: [
      withLaterCards(inTwoParts('pump', 'above', { low: 0.2, high: 1 }, { low: 0.9, high: 2.4 }), {
        low: 0.1,
        high: 1.6,
      }),
    ],
    heading: 'Do these verdicts still hold? pump: yes',
  },
  {
    what: 'one is less far below, and another does less',
    standings: [
      judged('pump', 'above', { figures, lessLately: less }),
      judged('dump', 'below', { figures: nearer, lessLately: less }),
    ],
    heading:
      'Do these verdicts still hold? pump: less than before; dump: less far below than before',
  },
  {
    what: 'one was taken back',
    standings: [
      besideOthers,
      judged('dump', 'below', { figures: risen }),
      withdrawn('spike', { figures }),
    ],
    heading:
      'Do these verdicts still hold? pump and dump: newer cards cannot tell yet; spike: no (withdrawn)',
    first: 'spike, above from 13 Sep to 2 Nov',
  },
  {
    what: 'all were taken back, and nothing is known of the last 30 days',
    standings: [withdrawn('spike'), withdrawn('rare')],
    heading: 'Do these verdicts still hold? Both: no (withdrawn)',
    first:
      'The last 30 days cannot be compared with the time before yet: too few outcomes of types that kept their settings.',
  },
  {
    what: 'the only one was taken back',
    standings: [withdrawn('spike')],
    heading: 'Do these verdicts still hold? spike: no (withdrawn)',
  },
  {
    what: 'one was taken back, and one does less',
    standings: [withdrawn('spike'), judged('pump', 'above', { figures, lessLately: less })],
    heading: 'Do these verdicts still hold? pump: less than before; spike: no (withdrawn)',
  },
])('the heading says that $what', ({ standings, heading, first = '' }) => {
  const text = latelySection(standings, PAST)?.text ?? '';
  const [, title] = /<h2[^>]*>(.*)<\/h2>/.exec(text) ?? [];
  expect(title?.replaceAll(/<[^>]*>/g, '')).toBe(heading);
  expect(text.replaceAll(/<[^>]*>/g, '')).toContain(first);
});

/** The sentences between the heading and the picture. */
function saysOf(standings: readonly Standing[]): string {
  const text = latelySection(standings, PAST)?.text ?? '';
  const [, says = ''] = /<p class="says">(.*?)<\/p>/s.exec(text) ?? [];
  return says.replaceAll('&#39;', "'").split('Each type is compared')[0]?.trim() ?? '';
}

it.each([
  {
    what: 'nothing, if the two lines touch',
    standings: [inTwoParts('pump', 'above', { low: 0.5, high: 2 }, { low: 1.9, high: 3 })],
    says: '',
  },
  {
    what: 'nothing of types that moved away from 0',
    standings: [
      inTwoParts('pump', 'above', { low: 2, high: 2.8 }, { low: 1, high: 1.9 }),
      inTwoParts('dump', 'below', { low: -2.8, high: -2 }, { low: -1.9, high: -1 }),
    ],
    says: '',
  },
  {
    what: 'why a verdict stands, if the last 30 days are on the other side of 0',
    standings: [inTwoParts('dump', 'below', { low: -0.6, high: 1.5 }, { low: -2.6, high: -0.5 })],
    says: 'A verdict counts all days. It ends when its thick line in the first picture touches 0.',
  },
  {
    what: 'what newer cards show that cast doubt on a verdict, and why it stands',
    standings: [withLaterCards(besideOthers, { low: -0.9, high: 1.2 }, 30, { before: 2 })],
    says: 'pump: +0.15 since 20 Nov, +2.00 before. A verdict counts all days. It ends when its thick line in the first picture touches 0.',
  },
  {
    what: 'nothing more of types of which the heading says that they do less, or ended',
    standings: [
      { ...besideOthers, lessLately: less },
      withdrawn('spike', { figures, base: besideOthers.base }),
    ],
    says: '',
  },
])('the section says $what', ({ standings, says }) => {
  expect(saysOf(standings)).toBe(says);
});

/** Both times have too few outcomes for an interval. */
const withoutIntervals = {
  last_30_days: { percentage_points: 1, interval_95: null },
  before: { percentage_points: 2, interval_95: null },
} as Standing['figures'];

it.each([
  { what: 'says so where rows of two times are drawn', standings: [besideOthers], isSaid: true },
  {
    what: 'says nothing of it for a type in doubt, which has only the row of its newer cards',
    standings: [withLaterCards(besideOthers, { low: -0.9, high: 1.2 }, 30, { before: 2 })],
    isSaid: false,
  },
  {
    what: 'says nothing of it where neither time has an interval',
    standings: [
      withLaterCards({ ...besideOthers, figures: withoutIntervals }, { low: 0.2, high: 2 }),
    ],
    isSaid: false,
  },
])('of rows that leave out types, the section $what', ({ standings, isSaid }) => {
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text.includes('These rows leave out types')).toBe(isSaid);
  expect(text).toContain('Each type is compared with your other cards.');
});

it('a row has no colour: no verdict is given on a part', () => {
  const standings = [inTwoParts('pump', 'above', { low: 1, high: 2 }, { low: 1, high: 3 })];
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text).not.toMatch(/class="(above|below)"/);
});

it.each([
  { source: 'service', sizes: ["the service's outcomes", 'those you bought', '22 outcomes'] },
  { source: 'bought', sizes: ['22 outcomes'] },
] as const)(
  'rows say which outcomes they rest on where the figures are from: $source',
  ({ source, sizes }) => {
    const pump = withLaterCards(
      judged('pump', 'above', { base: { ...sure, source, median: 1.5 }, figures }),
      { low: -1.1, high: 4.7 },
    );
    const text = (latelySection([pump], PAST)?.text ?? '').replaceAll('&#39;', "'");
    const said = [...text.matchAll(/<span class="range">([^<]*(?:outcomes|bought)[^<]*)</g)].map(
      ([, words]) => words,
    );
    expect([...new Set(said)]).toEqual(sizes);
  },
);

it('counts all verdicts of three or more', () => {
  const more = withLaterCards(judged('spike', 'above', { figures }), { low: 0.2, high: 2 });
  const below = withLaterCards(steadyBelow, { low: -2, high: -0.1 });
  const open = [confirmed, more, below].map((standing) =>
    withLaterCards(standing, { low: -1, high: 1 }),
  );
  expect(latelySection([confirmed, more, below], PAST)?.text).toContain('All 3: yes<');
  expect(latelySection(open, PAST)?.text).toContain('All 3: newer cards cannot tell yet<');
});

it('of a history that ended it speaks as of that day', () => {
  const endedAt = Date.UTC(2026, 9, 8, 6);
  const doubted = { ...besideOthers, group: 'dump' };
  const other = withLaterCards(doubted, { low: -0.9, high: 1.2 }, 30, { before: 2 });
  const ended = { ...PAST, endedAt };
  const text = latelySection([besideOthers, other], ended)?.text ?? '';
  expect(text).toContain(
    'Did these verdicts still hold on 8 Oct? dump: perhaps not any more; pump: newer cards cannot tell yet<',
  );
  expect(text).toContain('>30 days to 8 Oct<');
  expect(latelySection([besideOthers], ended)?.text).toContain(
    'pump: newer cards cannot tell yet<',
  );
});

it('explains no mark that the picture of all types explains', () => {
  const text = latelySection([besideOthers], PAST)?.text ?? '';
  expect(text.replaceAll('\u00a0', ' ')).not.toContain('95 % sure');
});

it.each([
  { what: 'if one ended', standings: [confirmed], ended: ['spike'], isSaid: true },
  { what: 'not if the heading says that all hold', standings: [confirmed], isSaid: false },
  { what: 'not if newer cards are too few', standings: [besideOthers], isSaid: false },
  {
    what: 'if one was withdrawn',
    standings: [confirmed, withdrawn('spike', { figures })],
    ended: ['spike'],
    isSaid: true,
  },
])('verdicts above or below are counted $what', (about) => {
  const { standings, ended = [], isSaid } = about;
  const record: PastVerdict[] = [
    { type: 'pump', foundAt: 0, ending: 'stands', endedAt: undefined },
    ...ended.map((type) => ({ type, foundAt: 0, ending: 'withdrawn', endedAt: 0 }) as const),
  ];
  const text = latelySection(standings, { ...PAST, record })?.text ?? '';
  expect(/verdicts? above or below w(?:as|ere) found in/.test(text)).toBe(isSaid);
});

it('newer cards are too few where their interval touches 0, and no times can be compared', () => {
  const few = withLaterCards(judged('pump', 'above'), { low: -0.7, high: 4.2 });
  const text = latelySection([few], PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: newer cards cannot tell yet<');
});

it('tells when a type is said to do less, where one does', () => {
  const rule = 'That a type does less than before is said once it is 99.7\u00a0% sure.';
  const saysRule = (standing: Standing) =>
    (latelySection([standing], PAST)?.text ?? '').includes(rule);
  const fallen = judged('dump', 'below', { figures: nearer, lessLately: less });
  expect({ fallen: saysRule(fallen), steady: saysRule(besideOthers) }).toEqual({
    fallen: true,
    steady: false,
  });
});

const longAbove = judged('pump', 'above', {
  figures,
  areLastDaysNewer: true,
  base: { ...sure, source: 'service', askedAt: NOW - 12 * DAY },
});

it.each([
  {
    what: 'the service alone confirms',
    standing: withLaterCards(longAbove, { low: -0.3, high: 2 }),
  },
  {
    what: 'the bought cards confirm, too',
    standing: withLaterCards(longAbove, { low: 0.3, high: 2 }),
  },
])('a verdict that $what still holds', ({ standing }) => {
  const text = latelySection([standing], PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: yes<');
});

it('says what the rows are, each sentence where such a row is', () => {
  const sentencesOf = (standing: Standing) => {
    const text = latelySection([standing], PAST)?.text ?? '';
    return {
      twoTimes: text.includes('These rows leave out types that sent no cards'),
      test: text.includes('A verdict is tested by the cards that came after it'),
    };
  };
  const later = { low: 0.4, high: 3 };
  expect({
    times: sentencesOf(besideOthers),
    newer: sentencesOf(withLaterCards(judged('pump', 'above'), later)),
    both: sentencesOf(withLaterCards(besideOthers, later)),
  }).toEqual({
    times: { twoTimes: true, test: false },
    newer: { twoTimes: false, test: true },
    both: { twoTimes: true, test: true },
  });
});
