import { expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import { latelySection } from '../../src/report/lately.ts';
import { standing } from '../support/standing.ts';

it('a part on the other side of zero does not have the colour of the verdict', () => {
  const part = (median: number) => ({
    percentage_points: median,
    interval_95: { low: median - 1, high: median + 1 },
  });
  const figures = { last_30_days: part(-0.5), before: part(2.5), since_then: null };
  const above = standing('a', { word: 'above', figures: figures as Standing['figures'] });
  const text = latelySection([above])?.text ?? '';
  const [, ...rows] = text.split(/<li[ >]/);
  const looks = rows.map((row) => /<g( class="\w+")?>/.exec(row)?.[1]?.trim());
  expect({ lately: looks[0], before: looks[1] }).toEqual({
    lately: undefined,
    before: 'class="above"',
  });
});
