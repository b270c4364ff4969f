/** The page's title is its finding, or says what would be one. */
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../src/outcomes/standing.ts';
import type { SettingsHistory } from '../../src/output/views/settings-history.ts';
import { titleOf } from '../../src/report/title.ts';

const INTERVAL = { low: -1, high: 1 };

function standing(
  group: string,
  word: Standing['word'],
  {
    median = 0,
    comparedWith = 'others',
    wordVsBtc = 'below',
    lately = undefined,
  }: Partial<Standing> & { median?: number } = {},
): Standing {
  const base = { interval: INTERVAL, median, vsBtc: null } as Standing['base'];
  return { group, word, comparedWith, wordVsBtc, lately, least: 1, base } as Standing;
}

function changed(type: string, seen_by: string, verdict: string, difference: number | null) {
  const horizons = { '24h': { verdict, difference_percentage_points: difference } };
  return { type, changes: [{ seen_by, horizons }] } as unknown as SettingsHistory;
}

describe('the title', () => {
  it.each([
    {
      name: 'names the best, and whom it beats',
      standings: [standing('a', 'above', { median: 1.53 })],
      title: 'a beats your other cards',
    },
    {
      name: 'names BTC where there are no others',
      standings: [standing('a', 'below', { comparedWith: 'btc' })],
      title: 'a is behind BTC',
    },
    {
      name: 'says what both are compared with, if that is BTC',
      standings: [
        standing('a', 'above', { median: 1.53, comparedWith: 'btc' }),
        standing('b', 'below', { comparedWith: 'btc' }),
      ],
      title: 'a beats BTC; b is behind BTC',
    },
    {
      name: 'names those that are below',
      standings: [
        standing('a', 'above', { median: 1.53 }),
        standing('b', 'below'),
        standing('c', 'below', { wordVsBtc: 'unclear' }),
        standing('d', 'below', { wordVsBtc: 'small' }),
      ],
      title: 'a beats your other cards; b, c and d are below them',
    },
    {
      name: 'says so where nothing is above, too',
      standings: [standing('c', 'below', { wordVsBtc: 'unclear' })],
      title: 'c is below your other cards',
    },
    {
      name: 'names both comparisons where types have different ones',
      standings: [
        standing('a', 'above', { median: 1.53 }),
        standing('b', 'above', { median: 2.1, comparedWith: 'btc' }),
        standing('c', 'above', { median: 1.2, comparedWith: 'btc' }),
        standing('d', 'below'),
        standing('e', 'below', { comparedWith: 'btc' }),
      ],
      title:
        'a beats your other cards; b and c beat BTC; d is below your other cards; e is behind BTC',
    },
    {
      name: 'says whom it is behind, if the best beats another',
      standings: [
        standing('a', 'above', { median: 1.53 }),
        standing('e', 'below', { comparedWith: 'btc' }),
      ],
      title: 'a beats your other cards; e is behind BTC',
    },
    {
      name: 'says that the best does less lately',
      standings: [standing('a', 'above', { median: 1.53, lately: {} as Standing['lately'] })],
      title: 'a beats your other cards, but less lately',
    },
    {
      name: 'says that nothing stands out',
      standings: [standing('a', 'small'), standing('b', 'unclear')],
      title: 'No screener type stands out yet',
    },
    {
      name: 'knows that all are small',
      standings: [standing('a', 'small'), standing('b', 'small')],
      title: 'No screener type differs by 1 pp or more from your other cards',
    },
    { name: 'is plain before any day is measured', standings: [], title: 'Your screeners so far' },
  ])('$name', ({ standings, title }) => {
    expect(titleOf(standings, [])).toBe(title);
  });

  it('names the newest change that did anything, if no type is above or below', () => {
    const none = [standing('a', 'unclear')];
    const histories = [
      changed('a', '2026-10-14T06:00:00Z', 'higher', 1.63),
      changed('b', '2026-10-20T06:00:00Z', 'lower', -0.84),
      changed('c', '2026-11-01T06:00:00Z', 'unclear', 0.1),
    ];
    expect({
      none: titleOf(none, histories),
      helped: titleOf(none, histories.slice(0, 1)),
      unclear: titleOf(none, histories.slice(2)),
      beside: titleOf([standing('d', 'below')], histories),
    }).toEqual({
      none: 'Your change of b on 20 Oct hurt, by 0.8 pp',
      helped: 'Your change of a on 14 Oct helped, by 1.6 pp',
      unclear: 'No screener type stands out yet',
      beside: 'd is below your other cards',
    });
  });
});
