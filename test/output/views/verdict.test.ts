/** What screens say of a standing: its word, how long it may take, what to do, and what the figures rest on. */
import { describe, expect, it } from 'vitest';
import type { Base, Standing } from '../../../src/outcomes/standing.ts';
import { type ToDo, toDoOf } from '../../../src/outcomes/to-do.ts';
import type { RenderContext } from '../../../src/output/types.ts';
import { baseNote, mediansText } from '../../../src/output/views/base-note.ts';
import { nothingFound } from '../../../src/output/views/head-lines.ts';
import { axisOf, intervalLine, marksShown } from '../../../src/output/views/interval-axis.ts';
import { missingNotes } from '../../../src/output/views/missing-outcomes.ts';
import { betaNotes, standingNotes, unclearNote } from '../../../src/output/views/standing-notes.ts';
import { belowNote, toDoTitle, typeLineText } from '../../../src/output/views/to-do-words.ts';
import { shortVerdict, verdictText } from '../../../src/output/views/verdict.ts';
import { pictureRules } from '../../../src/output/views/verdict-rule.ts';
import type { Verdict } from '../../../src/statistics/rule.ts';
import { AT, inDoubt, judged, standing, sure } from '../../support/standing.ts';

const DAY = 86_400_000;

const lost = { missing_share: 0.05 } as Standing['figures'];

const WITHDRAWN: NonNullable<Standing['withdrawn']> = {
  verdict: 'above',
  comparedWith: 'others',
  from: AT - 50 * DAY,
  until: AT,
};
const NOW_SMALLER = {
  last_30_days: { percentage_points: 0.19, interval_95: null },
  before: { percentage_points: 1.6, interval_95: null },
} as Standing['figures'];

it.each<{ said: string; short?: string; of: Partial<Standing> }>([
  {
    said: 'unclear; a verdict is likely by the end of Dec',
    short: 'unclear',
    of: { verdictExpected: AT + 18 * DAY },
  },
  {
    said: 'unclear: 5 % have no figure; a verdict is likely by the end of Dec',
    short: 'unclear',
    of: { verdictExpected: AT + 40 * DAY, isUnclearByMissing: true, figures: lost, wouldShow: 2 },
  },
  {
    said: 'unclear: 5 % have no figure',
    short: 'unclear',
    of: { isUnclearByMissing: true, figures: lost },
  },
  {
    said: "unclear: other types' outcomes have no figure",
    short: 'unclear',
    of: { isUnclearByMissing: true, figures: { missing_share: 0 } as Standing['figures'] },
  },
  {
    // The service counts outcomes without a figure that are not bought.
    said: 'unclear: some outcomes have no figure',
    short: 'unclear',
    of: {
      isUnclearByMissing: true,
      figures: { missing_share: 0 } as Standing['figures'],
      base: { ...sure, source: 'service' },
    },
  },
  {
    said: 'unclear: some outcomes have no figure',
    short: 'unclear',
    of: { isUnclearByMissing: true, figures: { missing_share: 0.004 } as Standing['figures'] },
  },
  {
    said: 'unclear: 3 pp or more would likely show',
    short: 'unclear',
    of: { wouldShow: 2.77 },
  },
  {
    // The size beside it would contradict the figure.
    said: 'not sure yet',
    short: 'unclear',
    of: { wouldShow: 1.52, base: { ...sure, median: -1.52 } },
  },
  { said: 'unclear', of: {} },
  {
    said: 'above until 20 Nov; no longer sure',
    short: 'unclear',
    of: { withdrawn: WITHDRAWN, figures: NOW_SMALLER, verdictVsBtc: 'above', wouldShow: 2 },
  },
  {
    said: 'above BTC until 20 Nov; no longer sure',
    short: 'unclear',
    of: { withdrawn: { ...WITHDRAWN, comparedWith: 'btc' }, comparedWith: 'btc' },
  },
  // It is still above BTC, and is compared with the other cards by now.
  {
    said: 'unclear',
    of: { withdrawn: { ...WITHDRAWN, comparedWith: 'btc' }, verdictVsBtc: 'above' },
  },
  { said: 'unclear', of: { withdrawn: WITHDRAWN, toDo: 'behind_btc' } },
  { said: 'within 1 pp', of: { withdrawn: WITHDRAWN, verdict: 'small' } },
  { said: 'no card for 20 days', of: { withdrawn: WITHDRAWN, silentDays: 20 } },
  {
    said: 'no card for 20 days',
    of: { silentDays: 20, verdictExpected: AT + DAY, wouldShow: 2 },
  },
  {
    said: 'above since 20 Nov, from few days (22)',
    of: { verdict: 'above', isWeak: true, figures: { distinct_days: 22 } as Standing['figures'] },
  },
  { said: 'above', of: { verdict: 'above', verdictSince: undefined } },
  { said: 'below BTC since 20 Nov', of: { verdict: 'below', comparedWith: 'btc' } },
  { said: 'within 1 pp', of: { verdict: 'small' } },
  { said: 'within 0.25 pp, few days bought', of: { verdict: 'small', least: 0.25, isWeak: true } },
  {
    said: 'too few days (3 of 12)',
    of: {
      verdict: 'too_few_days',
      figures: { distinct_days: 3, cluster_days: 2 } as Standing['figures'],
    },
  },
  { said: '–', of: { verdict: null } },
  {
    said: 'no outcome yet',
    of: {
      verdict: null,
      base: { ...sure, sample: 0 },
      groupFigures: { settings_since: '2026-11-19T00:00:00Z' } as Standing['groupFigures'],
    },
  },
])('a verdict says how long it takes where it is unclear: $said', ({ said, short = said, of }) => {
  expect(verdictText(standing('a', of))).toBe(said);
  expect(shortVerdict(standing('a', of))).toBe(short);
});

it('outcomes without a figure that decide are said once where a page has that note', () => {
  const held = standing('d', { isUnclearByMissing: true, figures: lost });
  const notes = {
    alone: standingNotes([held], 'type'),
    beside: standingNotes([held], 'type', { hasSections: true }),
  };
  const sentence = 'Outcomes without a figure could decide either way.';
  expect({
    alone: notes.alone.includes(sentence),
    beside: notes.beside.includes(sentence),
  }).toEqual({ alone: true, beside: false });
});

it('a share of bought outcomes without a figure is named only where bought outcomes decide', () => {
  const notesOf = (source: Standing['base']['source']) =>
    missingNotes([
      standing('d', {
        base: { ...sure, source },
        figures: { missing_share: 0.11 } as Standing['figures'],
        groupFigures: { bought: 40 } as Standing['groupFigures'],
      }),
    ]).join('');
  expect({ bought: notesOf('bought'), service: notesOf('service') }).toEqual({
    bought: 'Outcomes without a figure: d (11 %).',
    service: '',
  });
});

const NEEDS = 'To be called above or below, it must be 99.7 % sure that it is outside ±0.1 pp.';
const vsBtc = (low: number, high: number) =>
  ({ median_vs_btc_interval_95: { low, high } }) as Standing['figures'];

it.each<{ about: string; of: Partial<Standing>; unclear: string; missing: string }>([
  {
    about: 'its 95 % interval leaves out 0',
    of: { base: { ...sure, interval: { low: 0.1, high: 2 } } },
    unclear: NEEDS,
    missing: '',
  },
  { about: 'nothing is odd', of: {}, unclear: '', missing: '' },
  {
    about: 'its 95 % interval vs BTC leaves out 0',
    of: { figures: vsBtc(-2, -0.05) },
    unclear: NEEDS,
    missing: '',
  },
  {
    about: 'its 95 % interval vs BTC leaves out 0, and it is above the others',
    of: { figures: vsBtc(0.05, 2), verdict: 'above' },
    unclear: '',
    missing: '',
  },
  {
    about: 'its 95 % interval vs BTC leaves out 0, and it is below the others',
    of: { figures: vsBtc(-2, -0.05), verdict: 'below' },
    unclear: NEEDS,
    missing: '',
  },
  {
    about: 'its 95 % interval vs BTC has 0',
    of: { figures: vsBtc(-2, 0.05) },
    unclear: '',
    missing: '',
  },
  {
    about: 'its verdict vs BTC is known',
    of: { figures: vsBtc(0.1, 2), verdictVsBtc: 'above' },
    unclear: '',
    missing: '',
  },
  {
    about: 'it has no others',
    of: { figures: vsBtc(0.1, 2), comparedWith: 'btc' },
    unclear: '',
    missing: '',
  },
  {
    about: 'outcomes are missing',
    of: { base: { ...sure, interval: { low: 0.1, high: 2 } }, isUnclearByMissing: true },
    unclear: '',
    missing: 'Outcomes without a figure could decide either way.',
  },
  {
    about: 'it is silent, which comes first',
    of: { isUnclearByMissing: true, silentDays: 20 },
    unclear: '',
    missing: '',
  },
])('what an unclear type needs is said if $about', ({ of, unclear, missing }) => {
  const standings = [standing('a', of)];
  expect({
    unclear: unclearNote(standings),
    missing: missingNotes(standings).join(''),
  }).toEqual({ unclear, missing });
});

it.each<{ takenOff: number; btcMove: number; said: string[] }>([
  {
    takenOff: 0.62,
    btcMove: 1.5,
    said: [
      "a: BTC's rise alone made its cards 0.6 pp better than your other cards. The figure vs others leaves that out.",
    ],
  },
  {
    // They move less than the others: a fall is what they gain from.
    takenOff: 0.62,
    btcMove: -1.5,
    said: [
      "a: BTC's fall alone made its cards 0.6 pp better than your other cards. The figure vs others leaves that out.",
    ],
  },
  {
    takenOff: -0.4,
    btcMove: -1.5,
    said: [
      "a: BTC's fall alone made its cards 0.4 pp worse than your other cards. The figure vs others leaves that out.",
    ],
  },
  { takenOff: 0.3, btcMove: 1.5, said: [] },
])('says what of a difference is BTC: $takenOff, $btcMove', ({ takenOff, btcMove, said }) => {
  const base: Base = { ...sure, explainedByBeta: takenOff, btcMove: () => btcMove };
  const standings = [standing('a', { base })];
  expect(betaNotes(standings)).toEqual(said);
  // Nothing follows from it: lists do not have it.
  expect(standingNotes(standings, 'type').join(' ')).not.toContain('BTC');
});

it('names the service once, and why what was bought decides in its place', () => {
  const ofService: Base = {
    ...sure,
    source: 'service',
    sample: 1049,
    askedAt: AT - 7 * DAY,
    windowDays: 30,
    nextAt: AT + 23 * DAY,
  };
  const of = (group: string, base: Base) => standing(group, { base });
  expect(baseNote([of('a', ofService)])).toBe(
    'N (outcomes), VS BTC and VS OTHERS come from the service, which counts all outcomes of 30 days, also those you did not buy. It was asked on 13 Nov. Next: 13 Dec.',
  );
  expect(
    baseNote([
      of('a', ofService),
      of('e', { ...ofService, windowDays: 60 }),
      of('b', sure),
      of('c', { ...sure, leftOut: 'counts_btc' }),
      of('d', { ...sure, sample: 0 }),
    ]),
  ).toBe(
    "N (outcomes), VS BTC and VS OTHERS come from the service, which counts all outcomes of 30 to 60 days, also those you did not buy. It was asked on 13 Nov. Next: 13 Dec. c: the service's median counts many of BTC's own cards, and is left out; what you bought decides. b: from the outcomes you bought.",
  );
  expect(baseNote([of('b', sure)])).toBe('');
  const expectedAt = (verdictExpected: number) => [
    standing('a', { base: ofService, verdictExpected }),
  ];
  expect({
    later: baseNote(expectedAt(AT + 60 * DAY)),
    onOwnPage: baseNote(expectedAt(AT + 60 * DAY), { isDayTold: true }),
    ofAnotherType: baseNote([
      of('b', { ...ofService, nextAt: AT + 23 * DAY - 1 }),
      ...expectedAt(AT + 60 * DAY),
    ]),
    before: baseNote(expectedAt(AT + 20 * DAY)),
  }).toEqual({
    later: expect.stringMatching(/ on 13 Nov\. Next: 13 Dec, and a verdict may come then\.$/),
    onOwnPage: expect.stringMatching(
      / It is asked again on 13 Dec, and a verdict may come then\.$/,
    ),
    ofAnotherType: expect.stringMatching(/ Next: 13 Dec, and a verdict may come then\.$/),
    before: expect.stringMatching(/ Next: 13 Dec\.$/),
  });
  expect(baseNote([of('a', ofService)], { figures: 'Outcomes', isDayTold: true })).toBe(
    'Outcomes come from the service, which counts all outcomes of 30 days, also those you did not buy. It is asked again on 13 Dec.',
  );
});

it('says on which days the service was asked', () => {
  const ofDaysAgo = (days: number) => {
    const base: Base = { ...sure, source: 'service', windowDays: 30, askedAt: AT - days * DAY };
    return standing(`asked_${days}_days_ago`, { base });
  };
  const lines = [17, 7, 27].map(ofDaysAgo);
  expect({
    ofSeveralDays: baseNote(lines),
    ofOneDay: baseNote([...lines.slice(1, 2), standing('bought')]),
  }).toEqual({
    ofSeveralDays: expect.stringMatching(/\. It was asked between 24 Oct and 13 Nov\.$/),
    ofOneDay: expect.stringContaining('also those you did not buy. It was asked on 13 Nov.'),
  });
});

const lately: Standing['lessLately'] = {
  last30Days: { percentage_points: 0.5, interval_95: null },
  earlier: { percentage_points: 2.2, interval_95: null },
};
it('the medians that verdicts rest on are dated where they are older than a week', () => {
  const asked = (day: number) =>
    judged('a', 'above', { base: { source: 'service', askedAt: AT - day * DAY } as Base });
  const bought = judged('b', 'below', { base: { source: 'bought' } as Base });
  expect({
    fresh: mediansText([asked(7)], AT, false),
    old: mediansText([asked(14)], AT, false),
    ofSeveralDays: mediansText([asked(20), asked(2)], AT, false),
    besideBought: mediansText([asked(14), bought], AT, false),
    boughtAlone: mediansText([bought], AT, true),
    freshWhereFewAreBought: mediansText([asked(7)], AT, true),
  }).toEqual({
    fresh: '',
    old: "by the service's medians of 6 Nov: newer cards do not count yet",
    ofSeveralDays: "by the service's medians of 31 Oct to 18 Nov: newer cards do not count yet",
    besideBought: "mostly by the service's medians of 6 Nov: newer cards do not count yet",
    boughtAlone: '',
    freshWhereFewAreBought: "by the service's medians, which count all outcomes",
  });
});

it('a first verdict needs days of outcomes, fewer after an hour', () => {
  const needs = (more: Partial<Standing>) => {
    const { label, text } = nothingFound([judged('early', 'too_few_days', more)], '');
    return `${label}: ${text}`;
  };
  const afterAnHour = { cluster_days: 1 } as Standing['figures'];
  expect({ day: needs({}), hour: needs({ figures: afterAnHour }) }).toEqual({
    day: 'No verdict yet: needs 12 days of outcomes',
    hour: 'No verdict yet: needs 6 days of outcomes',
  });
  // Without the day: if the day's credits are gone by then, the service is asked on a later one.
  const medians = { next_medians_at: '2026-08-02T05:55:00Z' } as Standing['figures'];
  expect(needs({ figures: medians })).toBe(
    "No verdict yet: needs 12 days of outcomes, or the service's medians",
  );
});

describe('what to do', () => {
  it.each<{
    verdict: Verdict;
    to: Standing['comparedWith'];
    vsBtc: Verdict;
    toDo: ToDo | undefined;
  }>([
    { verdict: 'above', to: 'others', vsBtc: 'below', toDo: 'keep' },
    { verdict: 'below', to: 'others', vsBtc: 'below', toDo: 'drop' },
    { verdict: 'below', to: 'others', vsBtc: 'above', toDo: 'behind_others_ahead_of_btc' },
    { verdict: 'below', to: 'others', vsBtc: 'unclear', toDo: undefined },
    { verdict: 'below', to: 'others', vsBtc: 'small', toDo: undefined },
    { verdict: 'small', to: 'others', vsBtc: 'above', toDo: 'ahead_of_btc' },
    { verdict: 'unclear', to: 'others', vsBtc: 'below', toDo: 'behind_btc' },
    { verdict: 'unclear', to: 'others', vsBtc: 'small', toDo: undefined },
    { verdict: 'above', to: 'btc', vsBtc: 'above', toDo: 'ahead_of_btc' },
    { verdict: 'below', to: 'btc', vsBtc: 'below', toDo: 'behind_btc' },
    { verdict: 'too_few_days', to: 'btc', vsBtc: 'too_few_days', toDo: undefined },
  ])('$word against $to, and $vsBtc against BTC: $toDo', ({ verdict, to, vsBtc, toDo }) => {
    expect(toDoOf(verdict, to, vsBtc)).toBe(toDo);
  });

  it.each<{ said: string; of: Standing }>([
    { said: 'worth keeping, above since 20 Nov', of: judged('a', 'above') },
    {
      said: 'above since 20 Nov, but may have stopped working',
      of: judged('a', 'above', { lessLately: lately }),
    },
    {
      said: 'above BTC, like your other cards (within 1 pp)',
      of: judged('a', 'small', { verdictVsBtc: 'above' }),
    },
    {
      said: 'below since 20 Nov, but above BTC',
      of: judged('a', 'below', { verdictVsBtc: 'above' }),
    },
    {
      said: 'above BTC since 20 Nov',
      of: judged('a', 'above', { comparedWith: 'btc', verdictVsBtc: 'above' }),
    },
    { said: 'within 1 pp', of: judged('a', 'small') },
  ])('stands in the title: $said', ({ said, of }) => {
    expect(toDoTitle(of)).toBe(said);
  });
});

it.each<{ said: string; of: Standing }>([
  { said: 'worth keeping: above since 20 Nov', of: judged('a', 'above') },
  {
    said: 'above since 20 Nov; may have stopped working: wait',
    of: judged('a', 'above', { lessLately: lately }),
  },
  {
    said: 'above since 20 Nov; may have stopped working: wait',
    of: judged('a', 'above', inDoubt(-0.3, 2)),
  },
  {
    said: 'worth dropping: below since 20 Nov, below BTC, too',
    of: judged('a', 'below', { verdictVsBtc: 'below' }),
  },
  {
    said: 'worth dropping: below since 20 Nov, below BTC, too, few days bought',
    of: judged('a', 'below', { verdictVsBtc: 'below', isWeak: true }),
  },
  { said: 'below since 20 Nov; vs BTC unclear: keep for now', of: judged('a', 'below') },
  {
    said: 'below since 20 Nov; within 1 pp of BTC: keep',
    of: judged('a', 'below', { verdictVsBtc: 'small' }),
  },
  {
    said: 'below since 20 Nov; within 4 pp of BTC: keep',
    of: judged('a', 'below', { verdictVsBtc: 'small', least: 4 }),
  },
  {
    said: 'below since 20 Nov, but above BTC: keep',
    of: judged('a', 'below', { verdictVsBtc: 'above' }),
  },
  { said: 'within 1 pp: no reason to drop', of: judged('a', 'small') },
  {
    said: 'within 1 pp: no reason to drop',
    of: judged('a', 'small', { comparedWith: 'btc', verdictVsBtc: 'small' }),
  },
  { said: 'within 1 pp', of: judged('a', 'small', { silentDays: 20 }) },
  {
    said: 'within 1 pp, but above BTC: keep',
    of: judged('a', 'small', { verdictVsBtc: 'above' }),
  },
  { said: 'within 1 pp, but below BTC', of: judged('a', 'small', { verdictVsBtc: 'below' }) },
])('a line of its type says what to do: $said', ({ said, of }) => {
  expect(typeLineText(of)).toBe(said);
});

describe('what is said of types below', () => {
  const SHORT = 'If you sell these cards short, "below" is good for you.';
  const above = judged('a', 'above');
  const toDrop = judged('b', 'below', { verdictVsBtc: 'below' });
  const toKeep = judged('c', 'below');
  it.each<{ about: string; standings: readonly Standing[]; note: string }>([
    { about: 'no type below', standings: [above, judged('d', 'small')], note: '' },
    { about: 'a type worth dropping', standings: [above, toDrop], note: SHORT },
    {
      about: 'a type not worth dropping',
      standings: [above, toDrop, toKeep],
      note: `Drop a type only if it is below BTC, too: one strong type makes the average ones look bad. ${SHORT}`,
    },
    {
      about: 'a type alone',
      standings: [toKeep],
      note: `Not sure yet whether it is below BTC, too (vs BTC +0.20): keep it for now.`,
    },
    {
      about: 'a type below BTC without others',
      standings: [judged('e', 'below', { comparedWith: 'btc', verdictVsBtc: 'below' })],
      note: SHORT,
    },
  ])('of $about', ({ standings, note }) => {
    expect(belowNote(standings, 'type')).toBe(note);
    // Where headings say what to do, the note does not.
    const isShort = note.endsWith(SHORT);
    expect(belowNote(standings, 'type', true)).toBe(isShort ? SHORT : '');
  });
});

it('a picture has the rule of "within 1 pp", if a type has that verdict', () => {
  const names = { inner: '━', outer: '─', band: '░' };
  const small = judged('a', 'small', { base: { ...sure, interval: { low: -0.9, high: 0.4 } } });
  const kept = judged('c', 'small', { base: { ...sure, interval: { low: -1.2, high: 0.4 } } });
  const looksClear = judged('e', 'unclear', {
    base: { ...sure, interval: { low: 0.1, high: 2 } },
  });
  const rule = 'Above or below begins when ─ leaves ░, and ends when ━ touches 0.';
  expect({
    alone: pictureRules([small], names),
    both: pictureRules([small, judged('b', 'above')], names),
    kept: pictureRules([small, kept], names),
    open: pictureRules([judged('d', 'unclear')], names),
    looksClear: pictureRules([looksClear], names),
  }).toEqual({
    alone: ['Within 1 pp: ━ is within ±1.'],
    both: [rule, 'Within 1 pp: ━ is within ±1.'],
    kept: ['Within 1 pp begins when ━ is within ±1, and ends when it leaves ±1.5.'],
    open: [],
    looksClear: [rule],
  });
});

describe('the picture', () => {
  const plain = (text: string) => text;
  const render = {
    unicode: true,
    styles: { good: plain, bad: plain, dim: plain },
  } as unknown as RenderContext;
  const lineOf = (low: number, high: number) => {
    const base = {
      ...sure,
      median: (low + high) / 2,
      interval: { low: low + 0.4, high: high - 0.4 },
      sureInterval: { low, high },
    };
    return intervalLine(standing('a', { base }), { low: -2, high: 2, size: 31 }, render);
  };

  it.each<{ low: number; high: number; isBeyond: boolean }>([
    { low: 0.11, high: 2, isBeyond: true },
    { low: 0.1, high: 2, isBeyond: false },
    { low: 0.01, high: 2, isBeyond: false },
    { low: -0.01, high: 2, isBeyond: false },
    { low: -2, high: -0.11, isBeyond: true },
    { low: -2, high: -0.09, isBeyond: false },
  ])('shows whether $low to $high leaves the band: $isBeyond', ({ low, high, isBeyond }) => {
    expect(lineOf(low, high).includes('░│░')).toBe(isBeyond);
  });

  it.each<{ about: string; verdict: Standing['verdict']; base: Partial<Base>; line: string }>([
    {
      about: 'a median without an interval',
      verdict: 'too_few_days',
      base: { median: 0.5, interval: null, sureInterval: null },
      line: '░│░',
    },
    {
      about: 'a median beyond the axis',
      verdict: 'too_few_days',
      base: { median: 5, interval: null, sureInterval: null },
      line: '░│░',
    },
    {
      about: 'an interval that is known before the verdict is',
      verdict: 'too_few_days',
      base: { median: 0.2, interval: { low: -0.4, high: 0.6 }, sureInterval: null },
      line: '░│░',
    },
    {
      about: 'a verdict',
      verdict: 'unclear',
      base: { median: 0.2, interval: { low: -0.4, high: 0.6 }, sureInterval: null },
      line: '◂───━━━┿━●━━──▸',
    },
  ])('draws $about in one way: $word', ({ verdict, base, line }) => {
    const group = standing('a', { verdict, comparedWith: 'btc', base: { ...sure, ...base } });
    const axis = { low: -1, high: 1, size: 15 };
    expect(intervalLine(group, axis, render).trim()).toBe(line);
    const isDrawn = verdict === 'unclear';
    const shown = { intervals: isDrawn, left: isDrawn, right: isDrawn };
    expect(marksShown([group], axis)).toEqual(shown);
  });

  it('holds the 99.7 % intervals and the band', () => {
    const { low, high } = axisOf([sure], 31);
    expect(low, 'the left end').toBeLessThan(-1.7);
    expect(high, 'the right end').toBeGreaterThan(2.3);
    const narrow = { ...sure, interval: null, sureInterval: null };
    expect(axisOf([narrow], 31)).toMatchObject({ low: -0.1125, high: 0.1125 });
  });

  it('holds an interval one and a half times as wide as most, and none that is wider', () => {
    const withInterval = (low: number, high: number) => {
      const interval = { low, high };
      return { ...sure, median: high, interval, sureInterval: interval };
    };
    const usual = withInterval(0, 2);
    const leftEndBeside = (low: number) => axisOf([usual, usual, withInterval(low, 0)], 31).low;
    expect(leftEndBeside(-3), 'beside one from -3').toBeLessThan(-3);
    expect(leftEndBeside(-3.25), 'beside one from -3.25').toBeGreaterThan(-1);
  });

  it('holds the median of an interval that goes on beyond its ends', () => {
    const usual = { ...sure, interval: { low: 0, high: 1 }, sureInterval: { low: 0, high: 1 } };
    const wide = {
      ...sure,
      median: -3.4,
      interval: { low: -6, high: -1 },
      sureInterval: { low: -9, high: 2 },
    };
    const axis = axisOf([usual, usual, wide], 31);
    expect(axis.low, 'the left end').toBeLessThan(-3.4);
    expect(axis.low, 'the left end').toBeGreaterThan(-6);
    const styles = { good: String, bad: String };
    const render = { unicode: true, styles } as unknown as RenderContext;
    expect(intervalLine(standing('a', { base: wide }), axis, render)).toMatch(/^◂━+●━/);
  });

  it('shows that a line goes on where its thick part ends in the last cell', () => {
    const axis = { low: -2, high: 2, size: 31 };
    const base = {
      ...sure,
      median: 0,
      interval: { low: -1.99, high: 1.99 },
      sureInterval: { low: -3, high: 3 },
    };
    const group = standing('a', { base });
    expect(intervalLine(group, axis, render)).toMatch(/^◂━+●━+▸$/);
    expect(marksShown([group], axis)).toMatchObject({ left: true, right: true });
  });
});

it.each([
  { what: 'of the notebook', since: AT, days: 'below since 20 Nov, below BTC, too' },
  { what: 'of one look', since: undefined, days: 'below others and BTC' },
])(
  'a type that is below both, by a verdict $what, is told alike on every page',
  ({ since, days }) => {
    const drop = judged('a', 'below', { verdictVsBtc: 'below', verdictSince: since });
    expect({
      line: verdictText(drop),
      title: toDoTitle(drop),
      advice: typeLineText(drop),
    }).toEqual({
      line: days,
      title: `worth dropping, ${days}`,
      advice: `worth dropping: ${days}`,
    });
  },
);
