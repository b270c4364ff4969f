/** When settings changed, from looks at the screeners alone. */
import { describe, expect, it } from 'vitest';
import type { ScreenerItem } from '../../src/api/contract/resources.ts';
import {
  areSameSettings,
  configuredSince,
  inUseSince,
  periodsInUseByType,
  presentSettingsSince,
  type ScreenersLook,
  settingsChanges,
  settingsPeriods,
} from '../../src/history/store/settings-periods.ts';
import { DAY, NOW } from './support.ts';

const item = (type: string, threshold: number, active = true): ScreenerItem => ({
  type,
  active,
  conditions: { threshold },
});

/** A look so many days before now. */
const look = (daysAgo: number, items: ScreenerItem[], before?: number): ScreenersLook => ({
  at: NOW - daysAgo * DAY,
  ...(before === undefined ? {} : { before: NOW - before * DAY }),
  screeners: { scope: 'own', items },
});

const daysAgo = (at: number | undefined) => at && (NOW - at) / DAY;

/** a changes 20 and 10 days ago, b 10 days ago, c never. */
const LOOKS = [
  look(30, [item('a', 1), item('b', 1), item('c', 1)]),
  look(20, [item('c', 1), item('a', 2), item('b', 1)], 25),
  look(10, [item('a', 3), item('b', 2), item('c', 1)]),
];

describe('the settings of a type', () => {
  it('held before they were first seen, until they were last seen', () => {
    const periods = settingsPeriods(LOOKS, 'a').map(({ since, until, settings }) => ({
      since: daysAgo(since),
      until: daysAgo(until),
      threshold: settings.map(({ conditions }) => conditions.threshold),
    }));
    expect(periods).toEqual([
      { since: undefined, until: 25, threshold: [1] },
      { since: 20, until: 11, threshold: [2] },
      { since: 10, until: undefined, threshold: [3] },
    ]);
  });

  it('were seen last no sooner than first', () => {
    const looks = [look(3, [item('a', 1)]), look(2, [item('a', 2)]), look(1.5, [item('a', 3)])];
    expect(settingsPeriods(looks, 'a').map(({ until }) => daysAgo(until))).toEqual([
      3,
      2,
      undefined,
    ]);
  });

  it('are the same in any order of screeners and keys', () => {
    const one = {
      scope: 'own',
      items: [{ ...item('a', 1), conditions: { x: 1, y: 2 } }, item('b', 1)],
    };
    const other = {
      scope: 'own',
      items: [item('b', 1), { ...item('a', 1), conditions: { y: 2, x: 1 } }],
    };
    const changed = { scope: 'own', items: [item('b', 2), ...other.items.slice(1)] };
    expect({
      inAnotherOrder: areSameSettings(one, other),
      changed: areSameSettings(one, changed),
      changedElsewhere: areSameSettings(one, changed, 'a'),
    }).toEqual({ inAnotherOrder: true, changed: false, changedElsewhere: true });
  });

  it('are the same in any order of several screeners of one type', () => {
    const answerOf = (...thresholds: number[]) => ({
      scope: 'own',
      items: thresholds.map((threshold) => item('a', threshold)),
    });
    const before = answerOf(1, 2, 2);
    expect({
      inAnotherOrder: areSameSettings(before, answerOf(2, 1, 2)),
      otherCounts: areSameSettings(before, answerOf(1, 1, 2)),
      withoutOne: areSameSettings(before, answerOf(2, 1)),
      withOneMore: areSameSettings(before, answerOf(1, 2, 2, 2)),
    }).toEqual({
      inAnotherOrder: true,
      otherCounts: false,
      withoutOne: false,
      withOneMore: false,
    });
  });
});

/** An answer with one screener, whose item holds what is given besides. */
const answerWith = (item: Partial<ScreenerItem>) => ({
  scope: 'own',
  items: [{ type: 'a', active: true, conditions: { x: 1 }, ...item }],
});

it.each<{ what: string; item: Partial<ScreenerItem> }>([
  { what: 'a new condition of null', item: { conditions: { x: 1, note: null } } },
  {
    what: 'a new condition of null in an object',
    item: { conditions: { x: 1, limit: { per: null } } },
  },
  { what: 'a new empty list', item: { conditions: { x: 1, symbols: [] } } },
  { what: 'a field beside the conditions', item: { updated_at: '2026-11-20' } as object },
])('settings are the same with $what', ({ item }) => {
  const before = answerWith({});
  const after = answerWith(item);
  expect({ to: areSameSettings(before, after), from: areSameSettings(after, before) }).toEqual({
    to: true,
    from: true,
  });
});

it.each<{ what: string; item: Partial<ScreenerItem> }>([
  { what: 'a condition that is null now', item: { conditions: { x: null } } },
  { what: 'a new condition of false', item: { conditions: { x: 1, quiet: false } } },
  { what: 'a new condition of 0', item: { conditions: { x: 1, least: 0 } } },
  { what: 'a list with one value', item: { conditions: { x: 1, symbols: ['BTCUSDT'] } } },
  { what: 'the switch', item: { active: false } },
])('settings are others with $what', ({ item }) => {
  const before = answerWith({});
  const after = answerWith(item);
  expect({ to: areSameSettings(before, after), from: areSameSettings(after, before) }).toEqual({
    to: false,
    from: false,
  });
});

describe('a screener that is switched off', () => {
  const daysOf = (since: ReadonlyMap<string, number>) => daysAgo(since.get('a'));
  const looksOf = (...items: ScreenerItem[]) => items.map((one, i) => look(30 - 5 * i, [one]));
  /** The first look is 30 days ago, each further one 5 days later. */
  const periodsOf = (...items: ScreenerItem[]) => {
    const looks = looksOf(...items);
    return {
      inUse: periodsInUseByType(looks)
        .get('a')
        ?.map(({ since, until }) => ({ since: daysAgo(since), until: daysAgo(until) })),
      settingsSince: daysOf(presentSettingsSince(looks, NOW)),
      inUseSince: daysOf(inUseSince(looks, NOW)),
      changes: settingsChanges(looks, { since: 0, until: NOW }).map(({ at }) => daysAgo(at)),
      configured: daysAgo(configuredSince(settingsPeriods(looks, 'a'))),
    };
  };
  const [on, off, stricter] = [item('a', 1), item('a', 1, false), item('a', 2)];

  it('and on again has the same settings as before', () => {
    expect(periodsOf(on, off, on)).toEqual({
      inUse: [{ since: undefined, until: undefined }],
      settingsSince: undefined,
      inUseSince: 20,
      changes: [],
      configured: undefined,
    });
  });

  it('and on with others has changed when it was seen with them', () => {
    expect(periodsOf(on, off, stricter)).toEqual({
      inUse: [
        { since: undefined, until: 26 },
        { since: 20, until: undefined },
      ],
      settingsSince: 20,
      inUseSince: 20,
      changes: [20],
      configured: 20,
    });
  });

  it('keeps its settings', () => {
    const stricterOff = item('a', 2, false);
    expect({
      unchanged: periodsOf(on, off),
      changed: periodsOf(on, stricter, stricterOff),
    }).toEqual({
      unchanged: {
        inUse: [{ since: undefined, until: 26 }],
        settingsSince: undefined,
        inUseSince: undefined,
        changes: [],
        configured: undefined,
      },
      changed: {
        inUse: [
          { since: undefined, until: 26 },
          { since: 25, until: 21 },
        ],
        settingsSince: 25,
        inUseSince: 25,
        changes: [25],
        configured: 25,
      },
    });
  });

  it('beside another one of its type that stays on is a change', () => {
    const other = item('a', 2);
    const looks = [look(30, [on, other]), look(20, [off, other]), look(10, [stricter])];
    expect(settingsChanges(looks, { since: 0, until: NOW }).map(({ at }) => daysAgo(at))).toEqual([
      20,
    ]);
  });
});

describe('changes of settings', () => {
  const changes = (since: number, until: number, only?: string) => {
    const range = { since: NOW - since * DAY, until: NOW - until * DAY };
    const takesType = (type: string) => only === undefined || type === only;
    const looks = settingsChanges(LOOKS, { ...range, takesType });
    return looks.map(({ at, types }) => ({ daysAgo: daysAgo(at), types }));
  };

  it('are those of all types together, oldest first', () => {
    expect(changes(40, 0)).toEqual([
      { daysAgo: 20, types: ['a'] },
      { daysAgo: 10, types: ['a', 'b'] },
    ]);
  });

  it('are those after one time and up to another, of one type', () => {
    expect({
      seenThen: changes(20, 10),
      before: changes(20, 11),
      ofType: changes(40, 0, 'b'),
    }).toEqual({
      seenThen: [{ daysAgo: 10, types: ['a', 'b'] }],
      before: [],
      ofType: [{ daysAgo: 10, types: ['b'] }],
    });
  });
});

describe('present settings', () => {
  const present = (looks: readonly ScreenersLook[], until = NOW) =>
    Object.fromEntries(
      [...presentSettingsSince(looks, until)].map(([type, since]) => [type, daysAgo(since)]),
    );

  it('hold since the last change, as it was known then', () => {
    expect({ now: present(LOOKS), atThatTime: present(LOOKS, NOW - 15 * DAY) }).toEqual({
      now: { a: 10, b: 10 },
      atThatTime: { a: 20 },
    });
  });

  it('are the last ones that were in use', () => {
    const off = look(5, [item('a', 3, false), item('b', 2), item('c', 1)]);
    expect(present([...LOOKS, off])).toEqual({ a: 10, b: 10 });
  });
});
