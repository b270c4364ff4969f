/** What to do about news of a type. */
import { expect, it } from 'vitest';
import type { TypeFinding } from '../../../src/outcomes/findings.ts';
import { newsWords } from '../../../src/output/views/today-news.ts';
import { belowWords } from '../../../src/output/views/verdict.ts';

const finding: TypeFinding = {
  at: '2026-11-20T12:00:00Z',
  about: 'type',
  type: 'pump',
  verdict: 'above',
  to: 'others',
  vs_btc: 'above',
  difference_percentage_points: 2.31,
  interval_95: null,
  sample: 90,
  source: 'bought',
  settings_since: null,
  least: 1,
  weak: false,
  shows_at: null,
  vs_btc_shows_at: null,
};

/** The sentences after the finding, which ends with its figure in brackets. */
function adviceOf(line: TypeFinding): string {
  const words = newsWords({ line, before: undefined });
  return words.slice(words.indexOf(').') + 2).trim();
}

it.each(['above', 'below', 'small', 'unclear'] as const)(
  'of a type below the others is what its verdict says, if it is %s against BTC',
  (vsBtc) => {
    const below = { word: 'below', comparedWith: 'others', wordVsBtc: vsBtc } as const;
    const line = { ...finding, verdict: 'below', vs_btc: vsBtc } as const;
    expect(adviceOf(line)).toBe(belowWords(below, null));
  },
);

it.each([
  { vsBtc: 'below', advice: 'There is no reason to drop it any more.' },
  { vsBtc: 'above', advice: '' },
  { vsBtc: 'unclear', advice: '' },
] as const)(
  'of a type that is below the others no more speaks of dropping only where that was the advice: $vsBtc BTC',
  ({ vsBtc, advice }) => {
    const before = { ...finding, verdict: 'below', vs_btc: vsBtc } as const;
    const line = { ...finding, verdict: 'unclear', at: '2026-11-25T12:00:00Z' } as const;
    const words = newsWords({ line, before });
    const what = 'pump: no longer below (25 Nov): now unclear.';
    expect(words).toBe(`${what} ${advice}`.trimEnd());
  },
);

it('of a type above the others is to keep it, and of a type above BTC alone is nothing', () => {
  expect(adviceOf(finding)).toMatch(/keep/i);
  expect(adviceOf({ ...finding, to: 'btc' })).toBe('');
});
