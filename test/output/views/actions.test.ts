/** What to keep, to drop and to change: each section of a ranking has its place in these lines. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/units.ts';
import type { Standing } from '../../../src/outcomes/standing.ts';
import type { Cut } from '../../../src/outcomes/tune-types.ts';
import { stylesOf } from '../../../src/output/terminal.ts';
import {
  actionsOf,
  type SettingsSearch,
  type Suggestion,
} from '../../../src/output/views/actions.ts';
import {
  actionLines,
  actionPairs,
  type IsToldAbove,
} from '../../../src/output/views/actions-words.ts';
import type { SectionName } from '../../../src/output/views/sections.ts';
import { AT, inDoubt, judged, sure } from '../../support/standing.ts';

const SEARCHED: SettingsSearch = { suggestions: [], areSettingsSearched: true };

interface Look {
  readonly search?: SettingsSearch | undefined;
  readonly isToldAbove?: IsToldAbove;
  readonly exportCommand?: string;
}

/** The lines of a terminal; those that continue a list begin with blanks. */
function linesOf(standings: readonly Standing[], look: Look = {}): string[] {
  const search = 'search' in look ? look.search : SEARCHED;
  const { isToldAbove = () => false, exportCommand = '' } = look;
  const lines = actionLines(actionsOf(standings, search), { isToldAbove, exportCommand });
  return actionPairs(lines, stylesOf(false)).map(([label, text]) => `${label.padEnd(6)} ${text}`);
}

/** A group with these differences, percentage points. */
const withFigures = (group: Standing, vsOthers: number | null, vsBtc: number | null): Standing => ({
  ...group,
  base: { ...sure, vsOthers, vsBtc, median: vsOthers ?? vsBtc },
});

const lately: Standing['lessLately'] = {
  last30Days: { percentage_points: 0.52, interval_95: null },
  earlier: { percentage_points: 2.2, interval_95: null },
};
const ofBtc = { figures: { cards_of_btc: 4, btc_sample: 0 } as Standing['figures'] };

interface Place {
  readonly group: Standing;
  readonly wait?: string;
  readonly keep: string;
  readonly drop: string;
  readonly change?: string;
}

/** A type alone with one that is not known yet. A section more does not compile without its lines here. */
const PLACES: Readonly<Record<SectionName, readonly Place[]>> = {
  keep: [
    {
      group: withFigures(judged('a', 'above'), 2.07, 1.6),
      keep: 'a (+2.1 pp vs your other cards); for now also open',
      drop: 'nothing yet',
    },
  ],
  may_have_stopped: [
    {
      group: judged('a', 'above', { lessLately: lately }),
      wait: 'a: do not act on its cards until newer ones show it again (+0.5 pp in the last 30 days, +2.2 before)',
      keep: 'for now open',
      drop: 'nothing yet',
    },
  ],
  ahead_of_btc: [
    {
      group: withFigures(
        judged('a', 'above', { comparedWith: 'btc', verdictVsBtc: 'above' }),
        null,
        2,
      ),
      keep: 'a (+2.0 pp vs BTC); for now also open',
      drop: 'nothing yet',
    },
    {
      group: withFigures(judged('a', 'small', { verdictVsBtc: 'above' }), 0.2, 1.2),
      keep: 'a (+1.2 pp vs BTC); for now also open',
      drop: 'nothing yet',
    },
    {
      group: withFigures(judged('a', 'unclear', { verdictVsBtc: 'above' }), 1.1, 1.96),
      keep: 'for now a (+2.0 pp vs BTC) and open',
      drop: 'nothing yet',
    },
  ],
  drop: [
    {
      group: withFigures(judged('a', 'below', { verdictVsBtc: 'below' }), -2.08, -1.54),
      keep: 'for now open',
      drop: 'a (-2.1 pp vs your other cards, -1.5 vs BTC)',
    },
  ],
  behind_others: [
    {
      group: withFigures(judged('a', 'below', { verdictVsBtc: 'above' }), -2.03, 1),
      keep: 'for now a (-2.0 pp vs your other cards, above BTC) and open',
      drop: 'nothing yet',
    },
    {
      group: withFigures(judged('a', 'below', { verdictVsBtc: 'small' }), -0.77, -0.1),
      keep: 'for now a (-0.8 pp vs your other cards, within 1 pp of BTC) and open',
      drop: 'nothing yet',
    },
    {
      group: withFigures(judged('a', 'below', { verdictVsBtc: 'unclear' }), -2.03, -1.43),
      keep: 'for now open',
      drop: 'nothing yet; perhaps later a (-2.0 pp vs your other cards, -1.4 vs BTC): not sure whether it is below BTC, too',
    },
    {
      group: withFigures(judged('a', 'below', { verdictVsBtc: 'unclear' }), -2.03, 0.1),
      keep: 'for now open',
      drop: 'nothing yet; perhaps later a (-2.0 pp vs your other cards, +0.1 vs BTC): not sure whether it is below BTC, too',
    },
  ],
  behind_btc: [
    {
      group: withFigures(
        judged('a', 'below', { comparedWith: 'btc', verdictVsBtc: 'below' }),
        null,
        -1.4,
      ),
      keep: 'for now open',
      drop: 'a (-1.4 pp vs BTC)',
    },
    {
      group: withFigures(judged('a', 'small', { verdictVsBtc: 'below' }), 0.1, -1.4),
      keep: 'for now a (-1.4 pp vs BTC, within 1 pp of your other cards) and open',
      drop: 'nothing yet',
    },
    {
      group: withFigures(judged('a', 'unclear', { verdictVsBtc: 'below' }), 0.1, -1.4),
      keep: 'for now open',
      drop: 'nothing yet; perhaps later a (-1.4 pp vs BTC, +0.1 vs your other cards): not sure whether it is below your other cards, too',
    },
  ],
  small: [{ group: judged('a', 'small'), keep: 'for now a and open', drop: 'nothing yet' }],
  no_longer_sure: [
    {
      group: withFigures(
        judged('a', 'unclear', {
          verdictVsBtc: 'above',
          withdrawn: { verdict: 'above', comparedWith: 'others', from: AT - 50 * DAY, until: AT },
        }),
        0.81,
        0.86,
      ),
      keep: 'for now a (no longer sure) and open',
      drop: 'nothing yet',
    },
  ],
  open: [{ group: judged('a', 'unclear'), keep: 'for now a and open', drop: 'nothing yet' }],
  silent: [
    {
      group: judged('a', 'unclear', { silentDays: 19 }),
      keep: 'for now open',
      drop: 'nothing yet',
      change: 'a sends no cards. Check its settings: loosen them, or switch it off.',
    },
  ],
  btc_itself: [
    { group: judged('BTCUSDT', null, ofBtc), keep: 'for now open', drop: 'nothing yet' },
  ],
};

const ALL_PLACES = Object.entries(PLACES).flatMap(([name, places]) =>
  places.map((place) => ({ name, ...place })),
);

/** Small and unclear types alone leave nothing to do: their line is another one. */
const NOTHING: ReadonlySet<string> = new Set<SectionName>(['small', 'open', 'btc_itself']);

const open = judged('open', 'unclear');

describe('the answer', () => {
  it.each(ALL_PLACES.filter(({ name }) => !NOTHING.has(name)))(
    'has a place for what is $name: $keep',
    ({ group, wait, keep, drop, change = 'nothing found yet' }) => {
      expect(linesOf([group, open])).toEqual([
        ...(wait === undefined ? [] : [`Wait   ${wait}`]),
        `Keep   ${keep}`,
        `Drop   ${drop}`,
        `Change ${change}`,
      ]);
    },
  );

  it.each(ALL_PLACES.filter(({ name }) => NOTHING.has(name)))(
    'is one line where all there is is $name',
    ({ name, group }) => {
      const names = name === 'btc_itself' ? 'open' : [group.group, 'open'].join(' and ');
      expect(linesOf([group, open])).toEqual([
        `To do  nothing to drop or change yet: keep ${names} for now`,
      ]);
    },
  );

  it('tells where a verdict was taken back, in the place of a figure of all its days', () => {
    const until = Date.UTC(2026, 10, 2, 6);
    const withdrawnOf = (verdict: 'above' | 'below', to: 'others' | 'btc') => ({
      withdrawn: { verdict, comparedWith: to, from: until - 50 * DAY, until },
    });
    const noLonger = withFigures(
      judged('a', 'unclear', { verdictVsBtc: 'above', ...withdrawnOf('above', 'others') }),
      0.81,
      0.86,
    );
    const ahead = withFigures(judged('h', 'unclear', { verdictVsBtc: 'above' }), 1.1, 1.96);
    const noLongerBelow = judged('b', 'unclear', withdrawnOf('below', 'btc'));
    const six = ['c', 'd', 'e', 'f', 'g'].map((name) => judged(name, 'small'));
    expect({
      beside: linesOf([noLonger, ahead, open])[0],
      alone: linesOf([noLongerBelow, ...six])[0],
    }).toEqual({
      beside: 'Keep   for now h (+2.0 pp vs BTC), a (no longer sure) and open',
      alone: 'Keep   for now b (no longer sure) and the other 5 types',
    });
  });

  it('keeps no type for being above BTC over all days whose verdict above the others ended', () => {
    const withdrawn = {
      verdict: 'above',
      comparedWith: 'others',
      from: AT - 50 * DAY,
      until: AT,
    } as const;
    const level = judged('level', 'small', { verdictVsBtc: 'above', withdrawn });
    const kept = withFigures(judged('sure', 'above'), 2.07, 1.6);
    expect(linesOf([withFigures(level, 0.28, 0.47), kept])).toEqual([
      'Keep   sure (+2.1 pp vs your other cards); for now also level',
      'Drop   nothing yet',
      'Change nothing found yet',
    ]);
  });

  it('names every type in one line only, and once', () => {
    const groups = ALL_PLACES.map(({ name, group }, place) => ({
      ...group,
      group: `of_${name}_${place}`,
    }));
    const text = linesOf(groups).join('\n');
    const timesNamed = (group: string) =>
      text.match(new RegExp(`\\b${group}\\b`, 'g'))?.length ?? 0;
    const named = (times: number) =>
      groups.map(({ group }) => group).filter((group) => timesNamed(group) === times);
    expect({ never: named(0), twice: named(2), oftener: named(3) }).toEqual({
      never: [expect.stringMatching(/^of_btc_itself_/)],
      twice: [],
      oftener: [],
    });
  });

  it('denies no type that Wait names', () => {
    const doubted = judged('a', 'above', { lessLately: lately });
    const dropped = withFigures(judged('b', 'below', { verdictVsBtc: 'below' }), -2.08, -1.54);
    expect({ doubted: linesOf([doubted])[1], dropped: linesOf([dropped])[0] }).toEqual({
      doubted: 'Keep   nothing for sure',
      dropped: 'Keep   none',
    });
  });

  it('counts types of which there is nothing to say', () => {
    const six = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => judged(name, 'small'));
    const best = withFigures(judged('a', 'above'), 2.07, 1.6);
    const ahead = withFigures(judged('h', 'unclear', { verdictVsBtc: 'above' }), 1.1, 1.96);
    const dropped = withFigures(judged('i', 'below', { verdictVsBtc: 'below' }), -2.08, -1.54);
    expect({
      alone: linesOf(six),
      besideOther: linesOf([best, ...six])[0],
      besideReason: linesOf([ahead, ...six])[0],
      besideDropped: linesOf([dropped, ...six])[0],
    }).toEqual({
      alone: ['To do  nothing to drop or change yet: keep all 6 for now'],
      besideOther: 'Keep   a (+2.1 pp vs your other cards); for now also the other 6 types',
      besideReason: 'Keep   for now h (+2.0 pp vs BTC) and the other 6 types',
      besideDropped: 'Keep   for now the other 6 types',
    });
  });

  it('names types of which there is nothing to say by name, whatever their differences are today', () => {
    const lines = (names: readonly string[]) => linesOf(names.map((name) => judged(name, 'small')));
    expect(lines(['price', 'oi'])).toEqual(lines(['oi', 'price']));
  });

  it('leaves out a silence that the page tells above', () => {
    const isToldAbove: IsToldAbove = (type, topic) => type === 'a' && topic === 'screener';
    const best = withFigures(judged('c', 'above'), 2.07, 1.6);
    const types = [best, judged('a', 'small', { silentDays: 13 }), judged('b', 'small')];
    expect(linesOf(types, { isToldAbove })).toEqual([
      'Keep   c (+2.1 pp vs your other cards); for now also b',
      'Drop   nothing yet',
      'Change nothing else',
    ]);
  });

  it('blames no settings if all types are silent', () => {
    const types = [
      judged('a', 'small', { silentDays: 5 }),
      judged('b', 'small', { silentDays: 4 }),
    ];
    const noType = 'no type sends cards. Perhaps the service sends none: check your account there.';
    const isToldAbove: IsToldAbove = (_, topic) => topic === 'screener';
    expect({ here: linesOf(types).at(-1), told: linesOf(types, { isToldAbove }).at(-1) }).toEqual({
      here: `Change ${noType}`,
      told: 'Change nothing else',
    });
  });

  it('says once what figures are against, until that changes', () => {
    const groups = [
      withFigures(judged('a', 'above'), 2.07, 1.6),
      withFigures(judged('b', 'above'), 1.59, 1.4),
      withFigures(judged('c', 'above', { comparedWith: 'btc', verdictVsBtc: 'above' }), null, 1.2),
      withFigures(judged('d', 'below', { verdictVsBtc: 'unclear' }), -2.03, -1.43),
      withFigures(judged('e', 'below', { verdictVsBtc: 'unclear' }), -1.2, -0.4),
      withFigures(judged('f', 'below', { verdictVsBtc: 'below' }), -3.1, -2.4),
    ];
    expect(linesOf(groups)).toEqual([
      'Keep   a (+2.1 pp vs your other cards), b (+1.6) and c (+1.2 pp vs BTC)',
      'Drop   f (-3.1 pp vs your other cards, -2.4 vs BTC); perhaps later d (-2.0 pp vs your other cards, -1.4 vs BTC) and e (-1.2, -0.4): not sure whether they are below BTC, too',
      'Change nothing found yet',
    ]);
  });

  it('says of what is above or to be dropped that newer cards show nothing of it', () => {
    const doubted = (points: number) =>
      withFigures(judged('a', 'above', inDoubt(points, 2.1)), 2.07, 1.6);
    const dropped = withFigures(
      judged('b', 'below', { verdictVsBtc: 'below', ...inDoubt(0.31, -2.1) }),
      -2.08,
      -1.54,
    );
    const kept = withFigures(
      judged('c', 'below', { verdictVsBtc: 'small', ...inDoubt(0.02, -1.6) }),
      -1.59,
      0.1,
    );
    expect({
      kept: linesOf([kept])[0],
      doubted: linesOf([doubted(-0.22)])[0],
      doubtedNearZero: linesOf([doubted(-0.04)])[0],
      dropped: linesOf([dropped])[1],
      inNews: linesOf([dropped], { isToldAbove: (_, topic) => topic === 'lately' })[1],
    }).toEqual({
      kept: 'Keep   for now c (-1.6 pp vs your other cards, within 1 pp of BTC, but 0.0 pp in the last 20 days)',
      doubted:
        'Wait   a: do not act on its cards until newer ones show it again (-0.2 pp in the last 20 days, +2.1 before)',
      doubtedNearZero:
        'Wait   a: do not act on its cards until newer ones show it again (0.0 pp in the last 20 days, +2.1 before)',
      dropped:
        'Drop   b (-2.1 pp vs your other cards, -1.5 vs BTC, but +0.3 pp in the last 20 days)',
      inNews: 'Drop   b (-2.1 pp vs your other cards, -1.5 vs BTC)',
    });
  });

  it('keeps no silent type, because Change says to loosen its settings or to switch it off', () => {
    const silent = [
      judged('a', 'above', { silentDays: 19 }),
      judged('b', 'above', { silentDays: 19, lessLately: lately }),
      judged('c', 'small', { silentDays: 19 }),
      judged('d', 'unclear', { silentDays: 19, verdictVsBtc: 'above' }),
    ];
    const told = ' sends no cards. Check its settings: loosen them, or switch it off.';
    expect(linesOf([...silent, open])).toEqual([
      'Keep   for now open',
      'Drop   nothing yet',
      ...['Change a', '       b', '       d', '       c'].map((name) => `${name}${told}`),
    ]);
  });

  it('names a silent type that is below both in Drop alone', () => {
    const below = withFigures(judged('a', 'below', { verdictVsBtc: 'below' }), -2.08, -1.5);
    const belowBtc = { comparedWith: 'btc', verdictVsBtc: 'below', silentDays: 19 } as const;
    const rare = withFigures(judged('b', 'below', belowBtc), null, -1.2);
    expect(linesOf([{ ...below, silentDays: 19 }, rare, open])).toEqual([
      'Keep   for now open',
      'Drop   a (-2.1 pp vs your other cards, -1.5 vs BTC) and b (-1.2 pp vs BTC)',
      'Change nothing found yet',
    ]);
  });

  it('leaves a difference that nobody knows out', () => {
    const group = withFigures(judged('a', 'below', { verdictVsBtc: 'below' }), -2.08, null);
    expect(linesOf([group])[1]).toBe('Drop   a (-2.1 pp vs your other cards)');
    expect(linesOf([withFigures(judged('a', 'above'), null, 1)])[0]).toBe('Keep   a');
  });

  it('says before any verdict how to come to one, and which type is silent', () => {
    const early = judged('a', 'too_few_days');
    const exportCommand = 'screener signals export';
    const needs = 'No verdict yet needs 12 days of outcomes; run daily: `screener signals export`';
    const silent = judged('b', 'too_few_days', { silentDays: 15 });
    expect({
      early: linesOf([early], { exportCommand }),
      silent: linesOf([early, silent], { exportCommand }),
    }).toEqual({
      early: [needs],
      silent: [
        needs,
        'Change b sends no cards. Check its settings: loosen them, or switch it off.',
      ],
    });
  });
});

describe('a type that is switched off', () => {
  const off = { since: undefined, isRemoved: false };
  const change = {
    changedAt: Date.UTC(2026, 9, 14, 6),
    verdict: 'lower',
    isNewlyFound: false,
    keptUntil: undefined,
  } as const;

  it('is neither kept, nor dropped, nor changed', () => {
    const isOff = [
      judged('a', 'above', { off }),
      judged('b', 'below', { off, verdictVsBtc: 'below' }),
      judged('c', 'unclear', { off, change }),
      judged('d', 'above', { off: { since: AT, isRemoved: true } }),
    ];
    expect(linesOf([judged('on', 'above'), ...isOff])).toEqual([
      'Keep   on (+0.3 pp vs your other cards)',
      'Drop   nothing yet',
      'Change nothing found yet',
    ]);
    expect(linesOf(isOff)).toEqual(['To do  nothing to drop or change yet']);
  });
});

describe('what to change', () => {
  const changed = (group: string, verdict: NonNullable<Standing['change']>['verdict']) =>
    judged(group, 'unclear', {
      change: {
        changedAt: Date.UTC(2026, 9, 14, 6),
        verdict,
        isNewlyFound: verdict !== 'unclear',
        keptUntil: verdict === 'unclear' ? Date.UTC(2026, 11, 13, 6) : undefined,
      },
    });

  const cut = {
    type: 'a',
    key: 'oi',
    absolute: false,
    direction: 'at_least',
    value: 3.9,
    horizon: '24h',
    cards_per_day: 2.1,
    gain_lowered: 0.9,
    since_then: null,
  } as Cut;
  const suggestion: Suggestion = { cut, setting: '', command: 'screener tune a' };
  const above = judged('z', 'above');

  const changeLines = (standings: readonly Standing[], look: Look = {}) =>
    linesOf([above, ...standings], look).slice(2);

  it('is nothing of a change that is not waited for any more', () => {
    const { change } = changed('a', 'unclear');
    const old = judged('a', 'unclear', { change: change && { ...change, keptUntil: undefined } });
    expect(changeLines([old])).toEqual(['Change nothing found yet']);
    expect(changeLines([old, changed('b', 'unclear')])).toEqual([
      'Change nothing found yet',
      'Wait   b: not known yet whether your change of 14 Oct helped; keep its settings until 13 Dec',
    ]);
  });

  it('is what a change did only while that is news, or while it is to be undone', () => {
    const old = (['higher', 'lower', 'small'] as const).map((verdict) => {
      const { change } = changed(verdict, verdict);
      return judged(verdict, 'unclear', { change: change && { ...change, isNewlyFound: false } });
    });
    expect(changeLines(old)).toEqual([
      'Change lower: your change of 14 Oct hurt. Undo the change, or try other settings.',
    ]);
  });

  it('is what a change did, then what is not known of it', () => {
    const changes = [
      changed('a', 'higher'),
      changed('b', 'lower'),
      changed('c', 'small'),
      changed('d', 'unclear'),
      changed('e', 'unclear'),
    ];
    expect(changeLines(changes)).toEqual([
      'Change a: your change of 14 Oct helped. Keep the new settings.',
      '       b: your change of 14 Oct hurt. Undo the change, or try other settings.',
      '       c: your change of 14 Oct made less than 1 pp. Keep whichever settings you like better.',
      'Wait   d: not known yet whether your change of 14 Oct helped; keep its settings until 13 Dec',
      '       e: not known yet whether your change of 14 Oct helped; keep its settings until 13 Dec',
    ]);
  });

  it('is waited for in one line with what may have stopped working', () => {
    const waits =
      'b: not known yet whether your change of 14 Oct helped; keep its settings until 13 Dec';
    const open = changed('b', 'unclear');
    const doubted = judged('a', 'above', inDoubt(0.5, 2.1));
    expect({ alone: linesOf([above, open]), besideDoubt: linesOf([doubted, open]) }).toEqual({
      alone: [
        expect.stringMatching(/^Keep {3}z/),
        'Drop   nothing yet',
        'Change nothing found yet',
        `Wait   ${waits}`,
      ],
      besideDoubt: [
        expect.stringMatching(/^Wait {3}a: do not act on its cards/),
        `       ${waits}`,
        'Keep   for now b',
        'Drop   nothing yet',
        'Change nothing found yet',
      ],
    });
  });

  it('is a stricter setting with its gain, for no type that is behind', () => {
    const search = { suggestions: [suggestion], areSettingsSearched: true };
    const figures = {
      settings_since: null,
      cards_per_day: 4.1,
    } as Standing['groupFigures'];
    const small = judged('a', 'small', { groupFigures: figures });
    const behind = judged('a', 'below', { verdictVsBtc: 'below', groupFigures: figures });
    expect({
      small: changeLines([small], { search }),
      behind: changeLines([behind], { search }),
      withSetting: changeLines([small], {
        search: {
          ...search,
          suggestions: [{ cut, setting: 'probably oi min, now 2.8', command: '' }],
        },
      }),
    }).toEqual({
      small: [
        'Change a: act only on cards with oi at 3.9 or more. Expect about +0.9 pp more per card, with 2.1 cards a day instead of 4.1. `screener tune a`',
      ],
      behind: ['Change nothing found yet'],
      withSetting: [
        'Change a: oi at 3.9 or more (probably oi min, now 2.8). Expect about +0.9 pp more per card, with 2.1 cards a day instead of 4.1.',
      ],
    });
  });

  it('says what to expect of a setting that the news tell, and not again which cards it keeps', () => {
    const isToldAbove: IsToldAbove = (type, topic) => type === 'a' && topic === 'number';
    const groupFigures = { cards_per_day: 4.1 } as Standing['groupFigures'];
    const small = judged('a', 'small', { groupFigures });
    const changeBesideNews = (more: Partial<Suggestion> = {}) =>
      changeLines([small], {
        isToldAbove,
        search: { suggestions: [{ ...suggestion, ...more }], areSettingsSearched: true },
      });
    const disagreeing = {
      cards: 40,
      difference_percentage_points: -2,
      interval_95: { low: -3, high: -1 },
    };
    const expected = 'expect about +0.9 pp more per card, with 2.1 cards a day instead of 4.1';
    expect({
      alone: changeBesideNews(),
      withSetting: changeBesideNews({ setting: 'probably oi min, now 2.8', command: '' }),
      newerDisagree: changeBesideNews({ cut: { ...cut, since_then: disagreeing } as Cut }),
      withdrawn: changeLines([small], { isToldAbove }),
      withdrawnBesideOpen: changeLines([small, changed('d', 'unclear')], { isToldAbove }),
    }).toEqual({
      alone: [`Change a: ${expected}`],
      withSetting: [`Change a: probably oi min, now 2.8; ${expected}`],
      newerDisagree: [
        'Change a: do not act only on cards with oi at 3.9 or more for now: newer cards disagree so far. `screener tune a`',
      ],
      withdrawn: ['Change nothing else'],
      withdrawnBesideOpen: [
        'Change nothing else',
        'Wait   d: not known yet whether your change of 14 Oct helped; keep its settings until 13 Dec',
      ],
    });
  });

  it('is no line where nobody looked, or asked', () => {
    expect(linesOf([above], { search: undefined })).toHaveLength(2);
    expect(
      linesOf([above], { search: { suggestions: [], areSettingsSearched: false } }),
    ).toHaveLength(2);
    expect(linesOf([open], { search: undefined })).toEqual([
      'To do  nothing to drop yet: keep open for now',
    ]);
  });

  it('is left out where the page tells it above', () => {
    const standings = [
      judged('a', 'above', { lessLately: lately }),
      withFigures(judged('b', 'below', { verdictVsBtc: 'unclear' }), -2.03, -1.43),
      changed('c', 'higher'),
      changed('d', 'lower'),
      judged('e', 'unclear', { silentDays: 15 }),
    ];
    const isToldAbove: IsToldAbove = (type, topic) => topic !== 'screener' || type === 'e';
    expect(linesOf(standings, { isToldAbove })).toEqual([
      'Wait   a',
      'Keep   for now c and d',
      'Drop   nothing yet; perhaps later b',
      'Change nothing else',
    ]);
  });
});
