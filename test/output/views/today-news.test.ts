/** What to do about news of a type. */
import { expect, it } from 'vitest';
import type {
  ChangeFinding,
  DoubtFinding,
  LatelyFinding,
  NumberFinding,
  TypeFinding,
} from '../../../src/outcomes/findings.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import { belowVsBtcSentence } from '../../../src/output/views/to-do-words.ts';
import { newsWords } from '../../../src/output/views/today-news.ts';
import { typeFinding as finding, inDoubt, judged } from '../../support/standing.ts';

/** The sentences after the finding, which ends with its figure in brackets. */
function adviceOf(line: TypeFinding): string {
  const words = newsWords({ line, before: undefined });
  return words.slice(words.indexOf(').') + 2).trim();
}

it.each(['above', 'below', 'small', 'unclear'] as const)(
  'of a type below the others is what its verdict says, if it is %s against BTC',
  (vsBtc) => {
    const below = { verdict: 'below', comparedWith: 'others', verdictVsBtc: vsBtc } as const;
    const line = { ...finding, verdict: 'below', vs_btc: vsBtc } as const;
    expect(adviceOf(line)).toBe(belowVsBtcSentence(below, null));
  },
);

it('of a type found below the others say how it stands to BTC today, as its row does', () => {
  const line = { ...finding, verdict: 'below', vs_btc: 'unclear' } as const;
  const endOf = (standing?: Standing) =>
    newsWords({ line, before: undefined }, standing).split('). ')[1];
  const sentenceOf = (verdictVsBtc: 'small' | 'unclear') =>
    belowVsBtcSentence({ verdict: 'below', comparedWith: 'others', verdictVsBtc }, null);
  expect({
    unknown: endOf(),
    small: endOf(judged('pump', 'below', { verdictVsBtc: 'small' })),
    noLongerBelow: endOf(judged('pump', 'unclear', { verdictVsBtc: 'small' })),
  }).toEqual({
    unknown: sentenceOf('unclear'),
    small: sentenceOf('small'),
    noLongerBelow: sentenceOf('unclear'),
  });
});

it.each([
  { vsBtc: 'below', advice: 'There is no reason to drop it any more.' },
  { vsBtc: 'above', advice: 'Keep it.' },
  { vsBtc: 'unclear', advice: 'Keep it.' },
] as const)(
  'of a type that is below the others no more speaks of dropping only where that was the advice: $vsBtc BTC',
  ({ vsBtc, advice }) => {
    const before = { ...finding, verdict: 'below', vs_btc: vsBtc } as const;
    const line = { ...finding, verdict: 'unclear', at: '2026-11-25T12:00:00Z' } as const;
    const words = newsWords({ line, before });
    const what = 'pump: since 25 Nov no longer below (+2.31 pp then).';
    expect(words).toBe(`${what} ${advice}`);
  },
);

it('of a type that is below no more say to keep it only while it sends cards', () => {
  const before = { ...finding, verdict: 'below', vs_btc: 'unclear' } as const;
  const line = { ...finding, verdict: 'unclear', at: '2026-11-25T12:00:00Z' } as const;
  const endOf = (standing?: Standing) =>
    newsWords({ line, before }, standing).endsWith(' Keep it.');
  const belowBtc = { ...before, to: 'btc', vs_btc: 'below' } as const;
  expect({
    sending: endOf(judged('pump', 'unclear')),
    unknown: endOf(),
    silent: endOf(judged('pump', 'unclear', { silentDays: 20 })),
    belowBtcAlone: newsWords({ line: { ...line, to: 'btc' }, before: belowBtc }),
  }).toEqual({
    sending: true,
    unknown: true,
    silent: false,
    belowBtcAlone: expect.stringMatching(/There is no reason to drop it any more\.$/),
  });
});

it('of a type above the others is to keep it, and of a type above BTC alone is nothing', () => {
  expect(adviceOf(finding)).toMatch(/keep/i);
  expect(adviceOf({ ...finding, to: 'btc' })).toBe('');
});

it('a type that is compared with the other cards from now on has not lost its place against BTC', () => {
  const before = { ...finding, to: 'btc' } as const;
  const at = '2026-11-29T12:00:00Z';
  const line = { ...finding, at, verdict: 'unclear' } as const;
  const lost = { ...line, vs_btc: 'unclear' } as const;
  expect({
    still: newsWords({ line, before }),
    lost: newsWords({ line: lost, before }),
  }).toEqual({
    still: 'pump: still above BTC. It is compared with your other cards from 29 Nov on: unclear.',
    lost: 'pump: since 29 Nov no longer above BTC (+2.31 pp then). That alone is no reason to drop it.',
  });
});

it('a verdict that was taken back has the figure of that day, if its line has it', () => {
  const before = finding;
  const line: TypeFinding = {
    ...finding,
    at: '2026-11-29T12:00:00Z',
    verdict: 'unclear',
    difference_percentage_points: 0.7,
    interval_95: { low: -0.2, high: 1.6 },
  };
  const newsOf = (change: Partial<TypeFinding>) =>
    newsWords({ line: { ...line, ...change }, before });
  const advice = 'That alone is no reason to drop it.';
  expect({
    unclear: newsOf({}),
    ofBtc: newsOf({ to: 'btc' }),
    small: newsOf({ verdict: 'small' }),
    withoutFigure: newsOf({ verdict: null, difference_percentage_points: null, interval_95: null }),
  }).toEqual({
    unclear: `pump: since 29 Nov no longer above (+0.70 pp then). ${advice}`,
    ofBtc: `pump: since 29 Nov no longer above (+0.70 pp vs BTC then). ${advice}`,
    small: `pump: since 29 Nov no longer above; now within 1 pp (+0.70 pp then). ${advice}`,
    withoutFigure: `pump: since 29 Nov no longer above; now nothing measured. ${advice}`,
  });
});

it('a type that was below the others, and is below BTC now, is not below BTC, too', () => {
  const before = { ...finding, verdict: 'below', vs_btc: 'unclear' } as const;
  const line = {
    ...finding,
    at: '2026-11-29T12:00:00Z',
    verdict: 'below',
    vs_btc: 'below',
    to: 'btc',
    difference_percentage_points: -2,
  } as const;
  const words = (now: TypeFinding) => newsWords({ line: now, before });
  expect({ ofBtc: words(line), ofOthers: words({ ...line, to: 'others' }) }).toEqual({
    ofBtc: 'pump: below BTC since 29 Nov (-2.00 pp then, perhaps nearer to 0).',
    ofOthers: 'pump: below BTC, too, since 29 Nov: worth dropping.',
  });
});

it('only a type that was above may have stopped working', () => {
  const part = { percentage_points: 0, interval_95: null };
  const less = (before: number, now: number): LatelyFinding => ({
    at: '2026-11-20T12:00:00Z',
    about: 'lately',
    type: 'pump',
    verdict: 'less',
    last_30_days: { ...part, percentage_points: now },
    before: { ...part, percentage_points: before },
  });
  const newsOf = (line: LatelyFinding, before?: LatelyFinding) => newsWords({ line, before });
  const above = less(2.2, 0.5);
  const below = less(-2.9, -0.6);
  // Its last 30 days are above the days before them.
  const asBefore = { ...less(-2.1, -2), verdict: 'as_before' } as const;
  expect({
    above: newsOf(above),
    below: newsOf(below),
    aboveAgain: newsOf(asBefore, above),
    belowAgain: newsOf(asBefore, below),
    // The line before says `as_before`. Its figures say nothing of this verdict.
    aboveOnceMore: newsOf(above, asBefore),
    belowOnceMore: newsOf(below, { ...less(2, 1.9), verdict: 'as_before' }),
    afterDoubt: newsWords(
      { line: above, before: undefined },
      judged('pump', 'above', inDoubt(0.5, 2.2)),
    ),
  }).toEqual({
    above:
      'pump: +0.50 in the last 30 days, +2.20 before (found on 20 Nov). It may have stopped working: do not act on its cards until newer ones show it again.',
    below:
      'pump: -0.60 in the last 30 days, -2.90 before (found on 20 Nov). It may be less bad by now.',
    aboveAgain: 'pump: no longer surely less (20 Nov): -2.00 in the last 30 days, -2.10 before.',
    belowAgain:
      'pump: no longer surely less bad (20 Nov): -2.00 in the last 30 days, -2.10 before.',
    aboveOnceMore:
      'pump: +0.50 in the last 30 days, +2.20 before (found on 20 Nov). It may have stopped working: do not act on its cards until newer ones show it again.',
    belowOnceMore:
      'pump: -0.60 in the last 30 days, -2.90 before (found on 20 Nov). It may be less bad by now.',
    afterDoubt:
      'pump: +0.50 in the last 30 days, +2.20 before, vs your other cards (found on 20 Nov). That it does less is sure by now.',
  });
});

const WITHDRAWN: NumberFinding = {
  at: '2026-09-02T06:00:00Z',
  about: 'number',
  type: 'pump',
  number: 'oi_change_pct',
  absolute: false,
  verdict: 'unclear',
  cut: null,
  cards_per_day: null,
  kept_vs_btc: null,
  kept_vs_dropped: null,
  settings_since: null,
};

it('tells of a doubt what newer cards show, and what to do', () => {
  const line: DoubtFinding = {
    at: '2026-09-29T06:00:00Z',
    about: 'doubt',
    type: 'pump',
    verdict: 'in_doubt',
    of: 'above',
    newer: { percentage_points: 0.7, interval_95: { low: -0.4, high: 1.6 } },
    newer_since: '2026-09-09T00:00:00Z',
    before: 3,
  };
  const cleared = { ...line, verdict: 'cleared' } as const;
  const below = { ...line, of: 'below', before: -3 } as const;
  expect(
    [line, cleared, below, { ...below, verdict: 'cleared' } as const].map((of) =>
      newsWords({ line: of, before: undefined }),
    ),
  ).toEqual([
    'pump: +0.70 pp from 9 Sep to 29 Sep, +3.00 before. It may have stopped working: do not act on its cards until newer ones show it again.',
    'pump: +0.70 pp from 9 Sep to 29 Sep. It works again.',
    'pump: +0.70 pp from 9 Sep to 29 Sep, -3.00 before. It may be less bad by now.',
    'pump: +0.70 pp from 9 Sep to 29 Sep. It is as bad as before again.',
  ]);
});

it('takes a number back without saying that its effect is gone', () => {
  expect(newsWords({ line: { ...WITHDRAWN, absolute: true }, before: undefined })).toBe(
    'pump: it is no longer sure that |oi_change_pct| tells good cards from bad (2 Sep).',
  );
});

it.each<{ cut: NumberFinding['cut']; tried: string }>([
  { cut: { at_least: 3.9 }, tried: ' Act only on cards with oi_change_pct at 3.9 or more.' },
  {
    cut: { at_least: 0 },
    tried: ' Act only on cards with oi_change_pct at 0 or more (the oi rose).',
  },
  {
    cut: { at_least: -3.5 },
    tried: ' Skip cards with oi_change_pct below -3.5.',
  },
  {
    cut: { at_most: -3.5 },
    tried: ' Skip cards with oi_change_pct above -3.5.',
  },
  { cut: null, tried: '' },
])('says what a number that tells advises: %j', ({ cut, tried }) => {
  const line: NumberFinding = { ...WITHDRAWN, verdict: 'higher', cut };
  expect(newsWords({ line, before: undefined })).toBe(
    `pump: the higher oi_change_pct, the better (found on 2 Sep).${tried}`,
  );
});

/** Advised on 13 Aug, withdrawn on 2 Sep. */
const ADVISED: NumberFinding = {
  ...WITHDRAWN,
  at: '2026-08-13T06:00:00Z',
  verdict: 'higher',
  cut: { at_least: 0 },
};

it('of an advice that is withdrawn say what to do with the cards now', () => {
  const withdrawnWith = (before: NumberFinding, standing?: Standing) =>
    newsWords({ line: WITHDRAWN, before }, standing, [before, WITHDRAWN]);
  const finding =
    'pump: it is no longer sure that oi_change_pct tells good cards from bad (2 Sep).';
  expect({
    advised: withdrawnWith(ADVISED),
    withoutCut: withdrawnWith({ ...ADVISED, cut: null }),
    sending: withdrawnWith(ADVISED, judged('pump', 'unclear')),
    silent: withdrawnWith(ADVISED, judged('pump', 'unclear', { silentDays: 20 })),
    toDrop: withdrawnWith(ADVISED, judged('pump', 'below')),
    otherSettings: withdrawnWith({ ...ADVISED, settings_since: '2026-08-10T06:00:00Z' }),
  }).toEqual({
    advised: `${finding} There is no reason to leave cards out any more.`,
    withoutCut: finding,
    sending: `${finding} There is no reason to leave cards out any more.`,
    silent: finding,
    toDrop: finding,
    otherSettings:
      'pump: its settings have changed, so the advice on oi_change_pct has ended (2 Sep).',
  });
});

it('of an advice that takes the place of another name the other one', () => {
  const wordsOf = (cut: NumberFinding['cut'], ...earlier: readonly NumberFinding[]) => {
    const line: NumberFinding = { ...ADVISED, at: '2026-09-19T06:00:00Z', cut };
    const words = newsWords({ line, before: earlier.at(-1) }, undefined, [...earlier, line]);
    return words.slice(words.search(/Act only|Skip/));
  };
  const belowZero: NumberFinding = { ...ADVISED, cut: { at_least: -4 } };
  expect({
    other: wordsOf({ at_least: -3.5 }, ADVISED, WITHDRAWN),
    same: wordsOf({ at_least: 0 }, ADVISED, WITHDRAWN),
    instead: wordsOf({ at_least: 3 }, belowZero, WITHDRAWN),
    ofOtherSettings: wordsOf(
      { at_least: 3 },
      { ...ADVISED, settings_since: '2026-08-10T06:00:00Z' },
      WITHDRAWN,
    ),
    ofOtherNumber: wordsOf({ at_least: 3 }, { ...ADVISED, number: 'funding' }),
  }).toEqual({
    other:
      'Skip cards with oi_change_pct below -3.5, instead of 0 or more (advised on 13 Aug, withdrawn on 2 Sep).',
    same: 'Act only on cards with oi_change_pct at 0 or more (the oi rose), again (advised on 13 Aug, withdrawn on 2 Sep).',
    instead:
      'Act only on cards with oi_change_pct at 3 or more, instead of skipping those below -4 (advised on 13 Aug, withdrawn on 2 Sep).',
    ofOtherSettings: 'Act only on cards with oi_change_pct at 3 or more.',
    ofOtherNumber: 'Act only on cards with oi_change_pct at 3 or more.',
  });
});

it.each<{ before: ChangeFinding['verdict']; silentDays?: number; words: string }>([
  {
    before: 'lower',
    words:
      'pump: it is no longer sure that your change of 1 Nov hurt. There is no reason to undo it any more.',
  },
  {
    before: 'lower',
    silentDays: 19,
    words: 'pump: it is no longer sure that your change of 1 Nov hurt.',
  },
  { before: 'higher', words: 'pump: it is no longer sure that your change of 1 Nov helped.' },
])('are that it is no longer sure what a change did: %j', ({ before, silentDays, words }) => {
  const line: ChangeFinding = {
    at: '2026-11-19T12:00:00Z',
    about: 'change',
    type: 'pump',
    settings_since: '2026-11-01T06:00:00Z',
    verdict: 'unclear',
    difference_percentage_points: -0.4,
    interval_95: { low: -2, high: 1.2 },
  };
  const news = { line, before: { ...line, verdict: before } };
  expect(newsWords(news, judged('pump', 'unclear', { silentDays }))).toBe(words);
});
