/** Which comparison the picture of the last 30 days is of. */
import { expect, it } from 'vitest';
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
