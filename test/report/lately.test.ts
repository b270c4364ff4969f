/** Which comparison the picture of the last 30 days is of. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import type { Standing } from '../../src/outcomes/standing.ts';
import { latelySection } from '../../src/report/lately.ts';
import { judged } from '../support/standing.ts';

const figures = {
  last_30_days: { percentage_points: 1, interval_95: { low: 0.5, high: 1.5 } },
  before: { percentage_points: 2, interval_95: { low: 1.5, high: 2.5 } },
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
  const text = (latelySection(standings)?.text ?? '').replaceAll(/<[^>]*>/g, '|');
  for (const words of [...said, ...names]) expect(text).toContain(words);
});

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
    heading: 'Do these verdicts still hold? Nothing has surely changed',
  },
  {
    what: 'one was taken back',
    standings: [
      besideOthers,
      judged('dump', 'below', { figures }),
      withdrawn('spike', { figures }),
    ],
    heading: '1 of 3 verdicts no longer holds: spike, since 2 Nov',
    first: 'spike, above from 13 Sep to 2 Nov',
  },
  {
    what: 'all were taken back, and nothing is known of the last 30 days',
    standings: [withdrawn('spike'), withdrawn('rare')],
    heading: '2 of 2 verdicts no longer hold: spike, since 2 Nov; rare, since 2 Nov',
  },
  {
    what: 'the only one was taken back',
    standings: [withdrawn('spike')],
    heading: 'The only verdict no longer holds: spike, since 2 Nov',
  },
  {
    what: 'one was taken back, and one does less',
    standings: [withdrawn('spike'), judged('pump', 'above', { figures, lately: less })],
    heading:
      '1 of 2 verdicts no longer holds: spike, since 2 Nov. pump: less in the last 30 days than before',
  },
])('the heading says that $what', ({ standings, heading, first = '' }) => {
  const text = latelySection(standings)?.text ?? '';
  const [, title] = /<h2[^>]*>(.*)<\/h2>/.exec(text) ?? [];
  expect(title?.replaceAll(/<[^>]*>/g, '')).toBe(heading);
  expect(text.replaceAll(/<[^>]*>/g, '')).toContain(first);
});
