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
  lastCards: new Map<string, number>(),
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
  inLast15Days: number | undefined = undefined,
  outcomes = 22,
): Standing {
  const newest = {
    since: AT,
    outcomes,
    percentage_points: (later.low + later.high) / 2,
    interval_95: later,
    last15Days:
      inLast15Days === undefined
        ? undefined
        : {
            outcomes: 30,
            percentage_points: inLast15Days,
            interval_95: { low: inLast15Days - 0.71, high: inLast15Days + 0.71 },
          },
  };
  return { ...standing, newest };
}

/** A type below 0 whose last 30 days are as before. */
const steadyBelow = judged('dump', 'below', { figures: risen, base: { ...sure, median: -1.5 } });
const confirmed = withLaterCards(besideOthers, { low: 0.2, high: 2 });

/** A type whose verdict was taken back on 2 Nov. */
const withdrawn = (group: string, more: Partial<Standing> = {}) => {
  const until = Date.UTC(2026, 10, 2, 6);
  const verdict = { verdict: 'above', to: 'others', from: until - 50 * DAY, until } as const;
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
    what: 'it is not clear, if the last 30 days reach 0, not what was before, and are less than half of it',
    standings: [
      inTwoParts('pump', 'above', { low: -1.1, high: 2.7 }, { low: 1.6, high: 4.1 }),
      withLaterCards(steadyBelow, { low: -2, high: -0.1 }),
    ],
    heading: 'Do these verdicts still hold? dump: yes; pump: not clear',
  },
  {
    what: 'it is not clear of several, in the order of the page',
    standings: [
      inTwoParts('dump', 'below', { low: -0.9, high: 0.3 }, { low: -2.6, high: -0.5 }),
      withLaterCards(inTwoParts('pump', 'above', { low: -1, high: 1 }, { low: 0.9, high: 2.4 }), {
        low: 0.1,
        high: 1.6,
      }),
    ],
    heading: 'Do these verdicts still hold? Both: not clear',
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
    what: 'the last 30 days of one are on the other side of 0',
    standings: [inTwoParts('dump', 'below', { low: -0.6, high: 1.5 }, { low: -2.6, high: -0.5 })],
    heading: 'Do these verdicts still hold? dump: not clear',
  },
  {
    what: 'one that was below is no longer worse',
    standings: [judged('dump', 'below', { figures, lessLately: less })],
    heading: 'Do these verdicts still hold? dump: no longer worse',
  },
  {
    what: 'newer cards confirm one that does less beside few other types',
    standings: [
      withLaterCards(
        judged('dump', 'below', { figures, lessLately: less, hasEnoughOthersInTime: false }),
        { low: -2, high: -0.2 },
      ),
    ],
    heading: 'Do these verdicts still hold? dump: yes',
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
  return says.replaceAll('&#39;', "'").split('The same comparison')[0]?.trim() ?? '';
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
    says: 'Not clear: newer cards show less than half of the difference, and their 95\u00a0% interval reaches 0, but not what was known before. A verdict counts all days. It ends when its thick line in the first picture touches 0.',
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

it('speaks of no times where only the cards since the verdict can be compared', () => {
  const standings = [withLaterCards(judged('pump', 'above'), { low: 0.4, high: 3 })];
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: yes<');
  expect(text).toContain(
    'The same comparison with your other cards, of newer cards alone: those of the last 30 days that came after the verdict was found. So they test it.',
  );
  expect(text).not.toContain('before them');
});

const TEST = 'A verdict is tested by cards that came after it, at most 30 days old: ';
const NEWER = `${TEST}the rows &#34;newer cards&#34;`;
const longFound = { ...steadyBelow, areLastDaysNewer: true };

it.each([
  {
    what: 'no row',
    standings: [besideOthers],
    says: `${TEST}there are too few yet.`,
  },
  { what: 'newer cards', standings: [confirmed], says: `${NEWER}.` },
  {
    what: 'the last 30 days of one',
    standings: [besideOthers, longFound],
    says: `${TEST}the last 30 days of dump.`,
  },
  {
    what: 'both',
    standings: [confirmed, longFound],
    says: `${NEWER}, and the last 30 days of dump.`,
  },
  {
    what: 'newer cards, beside a verdict that was withdrawn long ago',
    standings: [confirmed, withdrawn('spike', { figures, areLastDaysNewer: true })],
    says: `${NEWER}.`,
  },
])('names the rows that test a verdict: $what', ({ standings, says }) => {
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(/A verdict is tested [^<]*/.exec(text)?.[0].trim()).toBe(says);
});

it('says which 30 days the last ones are, or that they ended on several days', () => {
  const partsOf = (...ends: readonly (number | undefined)[]) => {
    const standings = ends.map((lastDaysUntil) => ({ ...besideOthers, lastDaysUntil }));
    return /in parts: the ([^,]*),/.exec(latelySection(standings, PAST)?.text ?? '')?.[1];
  };
  expect({
    now: partsOf(undefined, undefined),
    oneDay: partsOf(AT, AT),
    several: partsOf(AT, AT + 15 * DAY),
    oneOfThemNow: partsOf(AT, undefined),
  }).toEqual({
    now: 'last 30 days',
    oneDay: '30 days to 20 Nov',
    several: 'last 30 days that are known',
    oneOfThemNow: 'last 30 days that are known',
  });
});

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
  const other = inTwoParts('dump', 'above', { low: -1.5, high: 0.6 }, { low: 0.5, high: 2.6 });
  const ended = { ...PAST, endedAt };
  const text = latelySection([besideOthers, other], ended)?.text ?? '';
  expect(text).toContain(
    'Did these verdicts still hold on 8 Oct? dump: not clear; pump: newer cards cannot tell yet<',
  );
  expect(text).not.toContain('last 30 days');
  expect(latelySection([besideOthers], ended)?.text).toContain(
    'pump: newer cards cannot tell yet<',
  );
});

it.each([
  { what: 'that was taken back', standing: withdrawn('spike', { figures }) },
  { what: 'that stands', standing: withLaterCards(besideOthers, { low: 0.2, high: 2 }) },
])('a verdict $what: the last 30 days are told only beside enough other cards', ({ standing }) => {
  const rowsOf = (hasEnoughOthersInTime: boolean) => {
    const text = latelySection([{ ...standing, hasEnoughOthersInTime }], PAST)?.text ?? '';
    return />last 30 days</.test(text);
  };
  expect({ most: rowsOf(true), few: rowsOf(false) }).toEqual({ most: true, few: false });
});

it.each([
  { what: 'silent', more: { silentDays: 20 }, isTold: true },
  { what: 'switched off', more: { off: { since: 0, isRemoved: false } }, isTold: true },
  { what: 'with a long pause', more: { pausedDays: 5 }, isTold: true },
  { what: 'that sends cards', more: {}, isTold: false },
])('the answer for a type $what names its last card: $isTold', ({ more, isTold }) => {
  const lastCards = new Map([['pump', Date.UTC(2026, 9, 3)]]);
  const standings = [{ ...confirmed, ...more }];
  const text = latelySection(standings, { ...PAST, lastCards })?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: yes<');
  expect(text.includes('pump: as of its last card, 3 Oct.')).toBe(isTold);
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
])('types that were called above or below are counted $what', (about) => {
  const { standings, ended = [], isSaid } = about;
  const record: PastVerdict[] = [
    { type: 'pump', foundAt: 0, ending: 'stands', endedAt: undefined },
    ...ended.map((type) => ({ type, foundAt: 0, ending: 'withdrawn', endedAt: 0 }) as const),
  ];
  const text = latelySection(standings, { ...PAST, record })?.text ?? '';
  expect(text.includes('called above or below')).toBe(isSaid);
});

it('newer cards are too few where their interval touches 0, and no times can be compared', () => {
  const few = withLaterCards(judged('pump', 'above'), { low: -0.7, high: 4.2 });
  const text = latelySection([few], PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: newer cards cannot tell yet<');
});

it.each([
  { ofAll: -1.17, says: true },
  { ofAll: -2, says: false },
])('parts that cannot add up to $ofAll are told: $says', ({ ofAll, says }) => {
  const inParts = inTwoParts('dump', 'below', { low: -3, high: -0.5 }, { low: -4, high: -1.2 });
  const dump = { ...inParts, base: { ...sure, median: ofAll } };
  const text = latelySection([dump], PAST)?.text ?? '';
  const reason =
    'The parts of dump are compared only with types that have cards in both times. So they do not add up to its figure above.';
  expect({ reason: text.includes(reason), same: text.includes('The same comparison') }).toEqual({
    reason: says,
    same: !says,
  });
});

it('tells when a type is said to do less, where one does', () => {
  const rule =
    'That a type does less than before is said once it is sure by three standard errors.';
  const saysRule = (standing: Standing) =>
    (latelySection([standing], PAST)?.text ?? '').includes(rule);
  const fallen = judged('dump', 'below', { figures: nearer, lessLately: less });
  expect({ fallen: saysRule(fallen), steady: saysRule(besideOthers) }).toEqual({
    fallen: true,
    steady: false,
  });
});

it('names the types that the parts are compared without, because their settings changed', () => {
  const inParts = (group: string, othersLeftOutInTime: readonly string[]): Standing => ({
    ...inTwoParts(group, 'below', { low: -3, high: -0.5 }, { low: -4, high: -1.2 }),
    othersLeftOutInTime,
  });
  const dump = inParts('dump', ['flip', 'open']);
  const standings = [
    withLaterCards(dump, { low: -2, high: -1 }),
    inParts('flop', ['flip', 'open']),
    inParts('flip', ['open']),
    judged('open', 'unclear'),
  ];
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text).toContain(
    'Types whose settings changed are left out here: dump and flop are compared without open and flip; flip is compared without open. So the parts need not add up to the figures above.',
  );
  // The cards since the verdict are compared with all types: their row says so.
  const remarks = [...text.matchAll(/<span class="range">(also vs [^<]*)</g)].map(
    ([, words]) => words,
  );
  expect(remarks).toEqual(['also vs open and flip']);
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
    asOf: 'pump: up to 16 Nov, when the service was last asked.',
  },
  {
    what: 'the bought cards confirm, too',
    standing: withLaterCards(longAbove, { low: 0.3, high: 2 }),
    asOf: undefined,
  },
])('the answer says up to when it holds for a verdict that $what', ({ standing, asOf }) => {
  const text = latelySection([standing], PAST)?.text ?? '';
  expect(text).toContain('Do these verdicts still hold? pump: yes<');
  expect(/pump: up to [^<]*/.exec(text)?.[0].trim()).toBe(asOf);
});

it('the service confirms no verdict of which enough newer cards show less than half', () => {
  const base = { ...longAbove.base, median: 1.7 };
  const answerAt = (later: { low: number; high: number }, outcomes: number) => {
    const standing = withLaterCards({ ...longAbove, base }, later, undefined, outcomes);
    const text = latelySection([standing], PAST)?.text ?? '';
    return /still hold\? pump: ([^<]*)/.exec(text)?.[1];
  };
  const nothing = { low: -0.9, high: 0.8 };
  expect({
    nothing: answerAt(nothing, 30),
    half: answerAt({ low: -0.2, high: 2.2 }, 30),
    nothingOfFew: answerAt(nothing, 29),
  }).toEqual({ nothing: 'not clear', half: 'yes', nothingOfFew: 'yes' });
});

it.each([
  { what: 'above', standing: besideOthers, later: { low: 0.2, high: 2 }, isHeldBack: [0.7, 0.8] },
  {
    what: 'below',
    standing: steadyBelow,
    later: { low: -2, high: -0.1 },
    isHeldBack: [-0.7, -0.8],
  },
])('a type $what is not confirmed if its last 15 days show less than half', (about) => {
  const { standing, later, isHeldBack } = about;
  const [under = 0, over = 0] = isHeldBack;
  const textWith = (points: number) =>
    latelySection([withLaterCards(standing, later, points)], PAST)?.text ?? '';
  const { group } = standing;
  const sign = under > 0 ? '+' : '−';
  const row = `newer cards, last 15 days: ${sign}0.70 pp`;
  expect(textWith(under)).toContain(`still hold? ${group}: not clear<`);
  expect(textWith(under)).toContain(row);
  expect(textWith(under)).toContain(
    'Not clear: newer cards show less than half of the difference, and their 95\u00a0% interval reaches 0, but not what was known before.',
  );
  expect(textWith(over)).toContain(`still hold? ${group}: yes<`);
  expect(textWith(over)).not.toContain('15 days');
});

it('says below the picture up to which day the service alone confirms verdicts', () => {
  const [pump, spike] = ['pump', 'spike'].map((group) => ({ ...longAbove, group }));
  const standings = [pump, spike, steadyBelow].filter((standing) => standing !== undefined);
  const text = latelySection(standings, PAST)?.text ?? '';
  expect(text).toContain(
    'Do these verdicts still hold? pump and spike: yes; dump: newer cards cannot tell yet<',
  );
  expect(text).toContain('pump and spike: up to 16 Nov, when the service was last asked.');
});
