import { expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import { latelySection } from '../../src/report/lately.ts';
import { standing } from '../support/standing.ts';

it('a part has the colour of the verdict if it is on its side of zero, and a line if it has an interval', () => {
  const part = (median: number) => ({
    percentage_points: median,
    interval_95: { low: median - 1, high: median + 1 },
  });
  const without = { difference_percentage_points: 1, interval_95: null, cards: 3 };
  const figures = { last_30_days: part(-0.5), before: part(2.5), since_then: without };
  const above = standing('a', { word: 'above', figures: figures as Standing['figures'] });
  const text = latelySection([above])?.text ?? '';
  const [, ...rows] = text.split(/<li[ >]/);
  const looks = rows.map((row) => /<g( class="\w+")?>/.exec(row)?.[1]?.trim());
  // What came since has no interval yet: it has no line.
  expect(looks).toEqual([undefined, 'class="above"']);
});
