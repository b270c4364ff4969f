/** Under which heading of a ranking a group stands, and its verdict there. */
import { describe, expect, it } from 'vitest';
import type { Standing } from '../../../src/outcomes/standing.ts';
import {
  fewDaysNotes,
  isNothingKnown,
  rankingVerdict,
  type SectionName,
  sectionNameOf,
  sectionsOf,
  standsOut,
  waitNotes,
} from '../../../src/output/views/sections.ts';
import { AT, judged, sure } from '../../support/standing.ts';

const DAY = 86_400_000;

const lately: Standing['lessLately'] = {
  last30Days: { percentage_points: 0.5, interval_95: null },
  earlier: { percentage_points: 2.2, interval_95: null },
};
const ofBtc = {
  figures: { cards_of_btc: 4, btc_sample: 0 } as Standing['figures'],
};

interface Place {
  readonly group: Standing;
  readonly heading: string;
  /** On its line below the heading. */
  readonly verdict: string;
  /** On its line where an order was asked for. */
  readonly withoutHeading: string;
  readonly isTold: boolean;
}

/** A group for each section: one more does not compile without its place here. */
const PLACES: Readonly<Record<SectionName, readonly Place[]>> = {
  keep: [
    {
      group: judged('a', 'above'),
      heading: 'Above your other cards',
      verdict: 'since 20 Nov',
      withoutHeading: 'above since 20 Nov',
      isTold: true,
    },
  ],
  may_have_stopped: [
    {
      group: judged('b', 'above', { lessLately: lately }),
      heading: 'Above your other cards, but may have stopped working',
      verdict: 'since 20 Nov',
      withoutHeading: 'may have stopped working',
      isTold: true,
    },
  ],
  ahead_of_btc: [
    {
      group: judged('l', 'above', { comparedWith: 'btc', verdictVsBtc: 'above' }),
      heading: 'Above BTC',
      verdict: 'since 20 Nov',
      withoutHeading: 'above BTC since 20 Nov',
      isTold: true,
    },
    {
      group: judged('m', 'small', { verdictVsBtc: 'above' }),
      heading: 'Above BTC',
      verdict: 'within 1 pp',
      withoutHeading: 'within 1 pp',
      isTold: true,
    },
    {
      group: judged('g', 'unclear', { verdictVsBtc: 'above', wouldShow: 2.04 }),
      heading: 'Above BTC',
      verdict: 'unclear: 2 pp would show',
      withoutHeading: 'unclear (2 pp)',
      isTold: true,
    },
    {
      group: judged('r', 'unclear', {
        verdictVsBtc: 'above',
        wouldShow: 1.52,
        base: { ...sure, median: 1.52 },
      }),
      heading: 'Above BTC',
      verdict: 'unclear',
      withoutHeading: 'not sure yet',
      isTold: true,
    },
  ],
  drop: [
    {
      group: judged('c', 'below', { verdictVsBtc: 'below', silentDays: 20 }),
      heading: 'Below your other cards and BTC',
      verdict: 'below since 20 Nov, silent',
      withoutHeading: 'below since 20 Nov, silent',
      isTold: true,
    },
  ],
  behind_others: [
    {
      group: judged('d', 'below', { verdictVsBtc: 'above' }),
      heading: 'Below your other cards',
      verdict: 'since 20 Nov',
      withoutHeading: 'below since 20 Nov',
      isTold: true,
    },
    {
      group: judged('e', 'below', { verdictVsBtc: 'small' }),
      heading: 'Below your other cards',
      verdict: 'since 20 Nov',
      withoutHeading: 'below since 20 Nov',
      isTold: true,
    },
    {
      group: judged('f', 'below', { verdictVsBtc: 'unclear' }),
      heading: 'Below your other cards',
      verdict: 'since 20 Nov',
      withoutHeading: 'below since 20 Nov',
      isTold: true,
    },
  ],
  behind_btc: [
    {
      group: judged('n', 'below', { comparedWith: 'btc', verdictVsBtc: 'below' }),
      heading: 'Below BTC',
      verdict: 'since 20 Nov',
      withoutHeading: 'below BTC since 20 Nov',
      isTold: true,
    },
    {
      group: judged('o', 'small', { verdictVsBtc: 'below' }),
      heading: 'Below BTC',
      verdict: 'within 1 pp',
      withoutHeading: 'within 1 pp',
      isTold: true,
    },
    {
      group: judged('h', 'unclear', { verdictVsBtc: 'below' }),
      heading: 'Below BTC',
      verdict: 'unclear',
      withoutHeading: 'unclear',
      isTold: true,
    },
  ],
  small: [
    {
      group: judged('i', 'small', { isWeak: true }),
      heading: 'Within 1 pp of your other cards',
      verdict: '',
      withoutHeading: 'within 1 pp',
      isTold: false,
    },
  ],
  no_longer_sure: [
    {
      group: judged('n', 'unclear', {
        verdictVsBtc: 'above',
        wouldShow: 2,
        withdrawn: { verdict: 'above', comparedWith: 'others', from: AT - 50 * DAY, until: AT },
      }),
      heading: 'No longer sure',
      verdict: 'above until 20 Nov',
      withoutHeading: 'above until 20 Nov',
      isTold: false,
    },
  ],
  open: [
    {
      group: judged('j', 'unclear', { verdictExpected: AT + 18 * DAY, wouldShow: 2 }),
      heading: 'Not known yet',
      verdict: 'likely by end of Dec',
      withoutHeading: 'unclear; by end of Dec',
      isTold: false,
    },
    {
      group: judged('q', 'unclear', { wouldShow: 1.52, base: { ...sure, median: -1.52 } }),
      heading: 'Not known yet',
      verdict: 'not sure yet',
      withoutHeading: 'not sure yet',
      isTold: false,
    },
  ],
  silent: [
    {
      group: judged('k', 'unclear', { silentDays: 20, wouldShow: 2 }),
      heading: 'Silent: switched on, but no new card',
      verdict: 'no card for 20 days',
      withoutHeading: 'no card for 20 days',
      isTold: false,
    },
  ],
  btc_itself: [
    {
      group: judged('BTCUSDT', null, ofBtc),
      heading: 'What cards are compared with',
      verdict: 'BTC itself',
      withoutHeading: 'BTC itself',
      isTold: false,
    },
  ],
};

const ALL_PLACES = Object.entries(PLACES).flatMap(([name, places]) =>
  places.map((place) => ({ name, ...place })),
);

describe('a ranking', () => {
  it.each(ALL_PLACES)('has a place for what is $name: $verdict', ({ name, group, ...place }) => {
    expect({
      name: sectionNameOf(group),
      verdict: rankingVerdict(group, true),
      withoutHeading: rankingVerdict(group, false),
      isTold: standsOut(group),
    }).toEqual({
      name,
      verdict: place.verdict,
      withoutHeading: place.withoutHeading,
      isTold: place.isTold,
    });
  });

  it('knows nothing before the first verdict, but where one against BTC is there', () => {
    const early = judged('a', 'too_few_days', { verdictVsBtc: 'too_few_days' });
    const ahead = judged('b', 'too_few_days', { verdictVsBtc: 'above' });
    expect({
      early: isNothingKnown([early]),
      ahead: isNothingKnown([early, ahead]),
      small: isNothingKnown([early, judged('c', 'small')]),
    }).toEqual({ early: true, ahead: false, small: false });
  });

  it('has its sections in one order, whatever order the groups have', () => {
    const groups = ALL_PLACES.map(({ group }) => group);
    const sections = sectionsOf(groups.toReversed()).map(({ name, heading, standings }) => ({
      name,
      heading,
      groups: standings.map(({ group }) => group),
    }));
    expect(sections).toEqual(
      Object.entries(PLACES).map(([name, places]) => ({
        name,
        heading: places[0]?.heading,
        groups: places.map(({ group }) => group.group).toReversed(),
      })),
    );
  });

  it('names BTC where BTC is what they are compared with', () => {
    const small = judged('a', 'small', { comparedWith: 'btc', verdictVsBtc: 'small' });
    expect(sectionsOf([small]).map(({ heading }) => heading)).toEqual(['Within 1 pp of BTC']);
    // What other groups are compared with does not matter.
    const above = judged('b', 'above');
    expect(sectionsOf([above, small]).map(({ heading }) => heading)).toEqual([
      'Above your other cards',
      'Within 1 pp of BTC',
    ]);
    expect(sectionsOf([small, judged('c', 'small')]).map(({ heading }) => heading)).toEqual([
      'Within 1 pp of your other cards, or of BTC',
    ]);
  });

  it('names BTC as what a type that may have stopped working was above', () => {
    const group = judged('a', 'above', {
      comparedWith: 'btc',
      verdictVsBtc: 'above',
      lessLately: lately,
    });
    expect(sectionsOf([group]).map(({ heading }) => heading)).toEqual([
      'Above BTC, but may have stopped working',
    ]);
  });

  it('keeps the order of the groups within a section', () => {
    const [section] = sectionsOf([judged('b', 'small'), judged('a', 'small')]);
    expect(section?.standings.map(({ group }) => group)).toEqual(['b', 'a']);
  });

  it('says once what each short verdict means', () => {
    const lost = { missing_share: 0.048 } as Standing['figures'];
    const groups = [
      judged('a', 'unclear', { verdictExpected: AT + 18 * DAY }),
      judged('i', 'unclear', { wouldShow: 1.2, base: { ...sure, median: 1.5 } }),
      judged('b', 'unclear', { wouldShow: 2.77 }),
      judged('c', 'unclear', { wouldShow: 1.2 }),
      judged('d', 'unclear', { isUnclearByMissing: true, figures: lost, wouldShow: 1 }),
      judged('e', 'unclear', { silentDays: 30, wouldShow: 1 }),
      judged('h', 'unclear', {
        isUnclearByMissing: true,
        figures: lost,
        verdictExpected: AT + 18 * DAY,
      }),
      judged('f', 'small', { wouldShow: 1 }),
    ];
    const early = judged('g', 'too_few_days', {
      figures: { distinct_days: 8, cluster_days: 2 } as Standing['figures'],
    });
    expect({
      short: rankingVerdict(early, false),
      shortBelowHeading: rankingVerdict(early, true),
      notes: waitNotes([...groups, early], false),
      belowHeadings: waitNotes([...groups, early], true),
      none: waitNotes([judged('f', 'small')], false),
      noneBeforeAnyVerdict: waitNotes([early], true),
    }).toEqual({
      short: '8 of 12 days',
      shortBelowHeading: '8 of 12 days',
      noneBeforeAnyVerdict: [],
      belowHeadings: [
        '8 of 12 days: too few; a verdict takes 12 days with outcomes.',
        '5 % missing: outcomes without a figure; they could decide either way.',
        'h: a verdict is likely by the end of Dec.',
        'not sure yet: what was measured is as large as would show, but may be chance.',
      ],
      notes: [
        '8 of 12 days: too few; a verdict takes 12 days with outcomes.',
        'unclear; by end of Dec: a verdict is likely by then.',
        'unclear: 5 % missing: outcomes without a figure; they could decide either way.',
        'h: a verdict is likely by the end of Dec.',
        'unclear (3 pp): 3 pp or more would likely show.',
        'not sure yet: what was measured is as large as would show, but may be chance.',
      ],
      none: [],
    });
  });

  it('says once of how few days weak verdicts are', () => {
    const ofDays = (days: number) => ({ distinct_days: days }) as Standing['figures'];
    const ofService = { ...sure, source: 'service' as const, windowDays: 30 };
    expect(
      fewDaysNotes([
        judged('a', 'above', { isWeak: true, figures: ofDays(22) }),
        judged('b', 'small', { isWeak: true, figures: ofDays(22) }),
        judged('c', 'below', { isWeak: true, figures: ofDays(22), base: ofService }),
        judged('d', 'unclear', { isWeak: true, figures: ofDays(22) }),
        judged('e', 'above', { figures: ofDays(22) }),
      ]),
    ).toEqual(['a, b: from few days (22).', 'c: few days bought.']);
  });

  it('names no bound where nothing bounds what can be seen', () => {
    const boundless = judged('a', 'unclear', { wouldShow: undefined });
    expect([rankingVerdict(boundless, false), rankingVerdict(boundless, true)]).toEqual([
      'unclear',
      'unclear',
    ]);
  });
});

it('a silent type whose verdict was taken back is silent, and not above BTC', () => {
  const silent = judged('a', 'unclear', {
    verdictVsBtc: 'above',
    withdrawn: { verdict: 'above', comparedWith: 'others', from: AT - 50 * DAY, until: AT },
    silentDays: 20,
  });
  const headingOf = (standing: Standing) => sectionsOf([standing]).map(({ heading }) => heading);
  expect({
    silent: headingOf(silent),
    sending: headingOf({ ...silent, silentDays: undefined }),
  }).toEqual({
    silent: ['Silent: switched on, but no new card'],
    sending: ['No longer sure'],
  });
});

it('a type that is below both has the day since when it is below the others: the figures beside it are of them', () => {
  const drop = judged('a', 'below', { verdictVsBtc: 'below' });
  expect({
    dated: rankingVerdict(drop, true),
    ofOneLook: rankingVerdict({ ...drop, verdictSince: undefined }, true),
    withoutHeading: rankingVerdict(drop, false),
  }).toEqual({
    dated: 'below since 20 Nov',
    ofOneLook: 'below',
    withoutHeading: 'below since 20 Nov',
  });
});
