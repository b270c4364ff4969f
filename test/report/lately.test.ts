/** Which comparison the picture of the last 30 days is of. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import type { PastVerdict, Standing } from '../../src/outcomes/standing.ts';
import { latelySection } from '../../src/report/lately.ts';
import { judged, sure } from '../support/standing.ts';

const PAST = { record: [], days: 40, endedAt: undefined };

const figures = {
  last_30_days: { percentage_points: 1, interval_95: { low: 0.5, high: 1.5 } },
  before: { percentage_points: 2, interval_95: { low: 1.5, high: 2.5 } },
} as Standing['figures'];

/** Of a type below 0: further from it in the last 30 days. */
const risen = {
  last_30_days: { percentage_points: -2, interval_95: { low: -2.5, high: -1.5 } },
  before: { percentage_points: -1, interval_95: { low: -1.4, high: -0.5 } },
} as Standing['figures'];

const besideOthers = judged('pump', 'above', { figures });
const besideBtc = judged('rare', 'above', { comparedWith: 'btc', wordVsBtc: 'above', figures });

it.each([
  {
    what: 'other cards',
    standings: [besideOthers],
    said: ['The same comparison with your other cards, in parts', 'vs other cards'],
    names: ['pump'],
  },
  {
    what: 'BTC',
    standings: [besideBtc],
    said: ['The same comparison with BTC, in parts', 'vs BTC'],
    names: ['rare'],
  },
  {
    what: 'other cards or BTC',
    standings: [besideOthers, besideBtc],
    said: [
      'The same comparison with your other cards, or with BTC where that is named, in parts',
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
  word: 'above' | 'below',
  last: { low: number; high: number },
  before: { low: number; high: number },
): Standing {
  const partOf = (interval: { low: number; high: number }) => ({
    percentage_points: (interval.low + interval.high) / 2,
    interval_95: interval,
  });
  const figures = { last_30_days: partOf(last), before: partOf(before) } as Standing['figures'];
  return judged(group, word, { figures });
}

/** A type whose verdict was taken back on 2 Nov. */
const withdrawn = (group: string, more: Partial<Standing> = {}) => {
  const until = Date.UTC(2026, 10, 2, 6);
  const verdict = { verdict: 'above', to: 'others', from: until - 50 * DAY, until } as const;
  return judged(group, 'unclear', { withdrawn: verdict, ...more });
};
const less = { last30Days: figures?.last_30_days, earlier: figures?.before } as Standing['lately'];

it.each([
  {
    what: 'all hold',
    standings: [besideOthers, judged('open', 'unclear')],
    heading: 'Do these verdicts still hold? Yes, the 1 found',
  },
  {
    what: 'all of several hold',
    standings: [besideOthers, judged('dump', 'below', { figures: risen })],
    heading: 'Do these verdicts still hold? Yes, all 2',
  },
  {
    what: 'one may have fallen',
    standings: [inTwoParts('pump', 'above', { low: 0.5, high: 1.7 }, { low: 1.8, high: 3 })],
    heading: 'Do these verdicts still hold? Perhaps not pump',
  },
  {
    what: 'one was taken back',
    standings: [
      besideOthers,
      judged('dump', 'below', { figures }),
      withdrawn('spike', { figures }),
    ],
    heading: 'Do these verdicts still hold? 1 of 3 ended: spike on 2 Nov',
    first: 'spike, above from 13 Sep to 2 Nov',
  },
  {
    what: 'all were taken back, and nothing is known of the last 30 days',
    standings: [withdrawn('spike'), withdrawn('rare')],
    heading: 'Do these verdicts still hold? 2 of 2 ended: spike on 2 Nov and rare on 2 Nov',
    first: 'The last 30 days cannot be compared with the time before yet.',
  },
  {
    what: 'the only one was taken back',
    standings: [withdrawn('spike')],
    heading: 'Do these verdicts still hold? The 1 found ended: spike on 2 Nov',
  },
  {
    what: 'one was taken back, and one does less',
    standings: [withdrawn('spike'), judged('pump', 'above', { figures, lately: less })],
    heading:
      'Do these verdicts still hold? 1 of 2 ended: spike on 2 Nov. pump: less in the last 30 days than before',
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
  return says.replaceAll('&#39;', "'").split('The same comparison')[0]?.trim() ?? '';
}

it.each([
  {
    what: 'nothing, if the two lines touch',
    standings: [inTwoParts('pump', 'above', { low: 0.5, high: 2 }, { low: 1.9, high: 3 })],
    says: '',
  },
  {
    what: 'that a type fell, not surely, if they do not touch',
    standings: [inTwoParts('pump', 'above', { low: 0.5, high: 1.7 }, { low: 1.8, high: 3 })],
    says: 'pump did worse in the last 30 days than before; that is not sure yet. It may be the other types: a type looks worse beside types that do better than they did.',
  },
  {
    what: 'that a type below 0 came nearer to it',
    standings: [inTwoParts('dump', 'below', { low: -1.7, high: -0.5 }, { low: -3, high: -1.8 })],
    says: 'dump did better in the last 30 days than before; that is not sure yet. It may be the other types: a type looks better beside types that do worse than they did.',
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
    says: 'dump was above 0 in the last 30 days, but is still called below: a verdict is of all days together, and ends once their thick line reaches 0.',
  },
])('the section says $what', ({ standings, says }) => {
  expect(saysOf(standings)).toBe(says);
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
    const since_then = {
      cards: 22,
      difference_percentage_points: 2.2,
      interval_95: { low: -1.1, high: 4.7 },
    };
    const pump = judged('pump', 'above', {
      base: { ...sure, source },
      figures: { ...figures, since_then } as Standing['figures'],
    });
    const text = (latelySection([pump], PAST)?.text ?? '').replaceAll('&#39;', "'");
    const said = [...text.matchAll(/<span class="range">([^<]*(?:outcomes|bought)[^<]*)</g)].map(
      ([, words]) => words,
    );
    expect([...new Set(said)]).toEqual(sizes);
  },
);

it('says no more than that it is too early where only the cards since the verdict can be compared', () => {
  const later = {
    since_then: {
      cards: 81,
      difference_percentage_points: 2,
      interval_95: { low: 0.4, high: 3 },
    },
  } as Standing['figures'];
  const standings = [judged('pump', 'above', { figures: later, wordSince: Date.UTC(2026, 8, 10) })];
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? Too early to say<');
  expect(text).toContain(
    'The same comparison with your other cards, of the cards since the verdict was found. They had no part in the verdict: they test it.',
  );
  expect(text).not.toMatch(/less lately|30 days/);
});

it('of a history that ended it speaks as of that day', () => {
  const endedAt = Date.UTC(2026, 9, 8, 6);
  const fallen = inTwoParts('dump', 'above', { low: 0.5, high: 1.7 }, { low: 1.8, high: 3 });
  const text = latelySection([besideOthers, fallen], { ...PAST, endedAt })?.text ?? '';
  expect(text).toContain('Did these verdicts still hold on 8 Oct? Perhaps not dump');
  expect(text).toContain('30 days to 8 Oct');
  expect(text).toContain(
    'dump did worse in the 30 days to 8 Oct than before; that was not sure yet.',
  );
  expect(text).not.toContain('last 30 days');
});

it('explains no mark that the picture of all types explains', () => {
  const text = latelySection([besideOthers], PAST)?.text ?? '';
  expect(text.replaceAll('\u00a0', ' ')).not.toContain('95 % sure');
});

it.each([
  { what: 'below the picture', withdrawnTypes: 0, recorded: 2, isSaid: true },
  {
    what: 'not again, if the heading says that all hold',
    withdrawnTypes: 0,
    recorded: 1,
    isSaid: false,
  },
  {
    what: 'not again, if the heading has counted them all',
    withdrawnTypes: 1,
    recorded: 2,
    isSaid: false,
  },
  {
    what: 'below the picture, if the heading has not',
    withdrawnTypes: 1,
    recorded: 3,
    isSaid: true,
  },
])('verdicts that were found are counted $what', ({ withdrawnTypes, recorded, isSaid }) => {
  const others = Array.from({ length: withdrawnTypes }, () => withdrawn('spike', { figures }));
  const stands: PastVerdict = { type: 'pump', ending: 'stands', endedAt: undefined };
  const record = Array.from({ length: recorded }, () => stands);
  const text = latelySection([besideOthers, ...others], { ...PAST, record })?.text ?? '';
  expect(text.includes('found in these 40 days')).toBe(isSaid);
});
