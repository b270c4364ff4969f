/** How groups stand: types without cards, silence, the order of a ranking, and what an outcome's state is. */
import { describe, expect, it } from 'vitest';
import { byHorizon, OUTCOME_MILLIS } from '../../src/api/contract/horizons.ts';
import type { ScreenerItem } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY } from '../../src/base/units.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { TypeFinding } from '../../src/outcomes/findings.ts';
import {
  type HistoryCard,
  historyCardOf,
  numberAt,
  stateOf,
} from '../../src/outcomes/history-card.ts';
import { questionOf, type Terms } from '../../src/outcomes/question.ts';
import {
  quietDaysOfAll,
  rankStandings,
  type Standing,
  silenceOf,
  standingsOf,
} from '../../src/outcomes/standing.ts';
import { typeFinding } from '../support/standing.ts';
import { evidenceOf } from './support.ts';

const NOW = Date.UTC(2026, 10, 1);
const SCREENERS = [
  { type: 'pump', active: true },
  { type: 'quiet', active: true },
  { type: 'off', active: false },
] as ScreenerItem[];
const OFF_SINCE = new Map<string, number>();
const KNOWN = {
  screeners: SCREENERS,
  offSince: OFF_SINCE,
  firstCardAt: NOW - 60 * DAY,
  until: NOW,
  isListed: true,
  dueAfter: OUTCOME_MILLIS,
};

describe('a type without a card', () => {
  const cards = [10, 20, 30].map(
    (days): HistoryCard => ({
      id: days,
      symbol: 'AUSDT',
      type: 'pump',
      at: NOW - days * DAY,
      isBought: false,
      outcomes: undefined,
    }),
  );
  const standingsBy = (terms: Partial<Terms & { type: string }> = {}) => {
    const evidence = evidenceOf(cards, { now: NOW });
    return standingsOf(figuresOf(evidence, questionOf(terms)), evidence, KNOWN);
  };

  it('that is switched on stands last, and nothing is known of it but its silence', () => {
    const [pump, quiet, ...others] = standingsBy();
    expect({
      others,
      pump: pump?.group,
      silentDays: pump?.silentDays,
      isUnclearByMissing: pump?.isUnclearByMissing,
    }).toEqual({
      others: [],
      pump: 'pump',
      silentDays: undefined,
      // Nothing is bought: that is no lost outcome.
      isUnclearByMissing: false,
    });
    expect(quiet).toMatchObject({
      group: 'quiet',
      groupFigures: null,
      figures: null,
      verdict: null,
      verdictVsBtc: null,
      toDo: undefined,
      least: 1,
      isUnclearByMissing: false,
      dueAt: undefined,
      silentDays: 60,
      rate: { now: 0, beforeSilence: undefined, isFromBeforeChange: false },
      base: { source: 'bought', sample: 0, vsBtc: null, median: null, interval: null },
    });
  });

  it('of which the newest look at the screeners says nothing was removed, unless it has a newer card', () => {
    const evidence = evidenceOf(
      cards.map((card) => ({ ...card, type: 'gone' })),
      { now: NOW },
    );
    const offAfter = (since: number) => {
      const known = { ...KNOWN, offSince: new Map([['gone', since]]) };
      const [gone] = standingsOf(figuresOf(evidence, questionOf({})), evidence, known);
      return gone?.off;
    };
    expect({ removed: offAfter(NOW - DAY), sendsCards: offAfter(NOW - 15 * DAY) }).toEqual({
      removed: { since: NOW - DAY, isRemoved: true },
      sendsCards: undefined,
    });
  });

  it('is not silent if it was switched on a day ago', () => {
    const evidence = evidenceOf(cards, {
      now: NOW,
      settingsSince: new Map([['quiet', NOW - DAY]]),
    });
    const [, quiet] = standingsOf(figuresOf(evidence, questionOf({})), evidence, KNOWN);
    expect(quiet).toMatchObject({ group: 'quiet', silentDays: undefined });
  });

  it('is left out where cards are grouped otherwise, or chosen', () => {
    const groupsBy = (terms: Parameters<typeof standingsBy>[0]) =>
      standingsBy(terms).map(({ group }) => group);
    expect({
      bySymbol: groupsBy({ by: 'symbol' }),
      together: groupsBy({ by: undefined }),
      oneType: groupsBy({ type: 'pump' }),
      otherHorizon: groupsBy({ horizon: '1h' }),
    }).toEqual({
      bySymbol: ['AUSDT'],
      together: [''],
      oneType: ['pump'],
      otherHorizon: ['pump', 'quiet'],
    });
  });
});

it('a type is silent two weeks after its last card, however rare its cards are, if it is switched on', () => {
  const silentFor = (days: number | undefined, type = 'pump', settingsDays?: number) =>
    silenceOf(
      type,
      { cards: [], lastCardAt: before(days), inUseSince: before(settingsDays) },
      KNOWN,
    )?.days;
  const before = (days: number | undefined) => (days === undefined ? undefined : NOW - days * DAY);
  expect({
    twoWeeks: silentFor(14),
    longer: silentFor(15.5),
    beforeTheHistory: silentFor(80),
    without: silentFor(undefined),
    setSince: silentFor(40, 'pump', 20),
    justSet: silentFor(40, 'pump', 1),
    new: silentFor(undefined, 'pump', 1),
    off: silentFor(40, 'off'),
    unknown: silentFor(40, 'other'),
  }).toEqual({
    twoWeeks: undefined,
    longer: 15,
    beforeTheHistory: 60,
    without: 60,
    setSince: 20,
    justSet: undefined,
    new: undefined,
    off: undefined,
    unknown: undefined,
  });
});

describe('a type of two cards a day', () => {
  const pausedFor = (days: number, known = {}) => {
    const cards = Array.from(
      { length: 80 },
      (_, i): HistoryCard => ({
        id: i,
        symbol: 'AUSDT',
        type: 'pump',
        at: NOW - days * DAY - (i * DAY) / 2,
        isBought: false,
        outcomes: undefined,
      }),
    );
    const evidence = evidenceOf(cards, { now: NOW });
    const all = { ...KNOWN, firstCardAt: NOW - days * DAY - 40 * DAY, ...known };
    const [pump] = standingsOf(figuresOf(evidence, questionOf({})), evidence, all);
    return pump;
  };

  it('is silent when its pause is unusually long', () => {
    const alone = [{ type: 'pump', active: true }] as ScreenerItem[];
    const off = [{ type: 'pump', active: false }] as ScreenerItem[];
    const silentDaysAfter = (days: number, known = {}) =>
      pausedFor(days, { screeners: alone, ...known })?.silentDays;
    expect({
      soon: silentDaysAfter(2.3),
      later: silentDaysAfter(4.5),
      longer: silentDaysAfter(15),
      off: silentDaysAfter(13, { screeners: off }),
      notListed: silentDaysAfter(13, { isListed: false }),
    }).toEqual({
      soon: undefined,
      later: 4,
      longer: 15,
      off: undefined,
      notListed: undefined,
    });
  });
});

it('all types are quiet if several are switched on and each is silent', () => {
  const silent = (silentDays: number | undefined, isOff = false) => ({
    silentDays,
    off: isOff ? { since: undefined, isRemoved: false } : undefined,
  });
  expect({
    all: quietDaysOfAll([silent(4), silent(16), silent(undefined, true)]),
    oneSends: quietDaysOfAll([silent(4), silent(undefined)]),
    onlyOne: quietDaysOfAll([silent(4), silent(undefined, true)]),
  }).toEqual({ all: 4, oneSends: undefined, onlyOne: undefined });
});

it('a ranking has verdicts before differences, and names where neither says anything', () => {
  const standing = (
    group: string,
    verdict: Standing['verdict'],
    median: number | null,
    vsBtc: number | null = null,
  ) => {
    const interval = median === null ? null : { low: median - 1, high: median + 1 };
    return { group, verdict, base: { median, vsBtc, interval } } as Standing;
  };
  const standings = [
    standing('none', null, null),
    standing('few b', 'too_few_days', null, 9),
    standing('few a', 'too_few_days', null, 1),
    standing('below', 'below', -1),
    standing('far below', 'below', -3),
    standing('small', 'small', 0.1),
    standing('unclear', 'unclear', 0.5),
    // Without an interval the figure beside BTC is shown, and decides.
    standing('unmeasured', 'unclear', null, 0.3),
    standing('unknown', 'unclear', null),
    standing('above', 'above', 1),
    standing('far above', 'above', 3),
  ];
  expect(rankStandings(standings).map(({ group }) => group)).toEqual([
    'far above',
    'above',
    'unclear',
    'unmeasured',
    'small',
    'unknown',
    'below',
    'far below',
    'few a',
    'few b',
    'none',
  ]);
});

it('an outcome has a state, whatever a line of the history holds', () => {
  const measured = (state: unknown, move: number | null = 1) => ({ state, move, btc: null });
  expect({
    measured: stateOf(measured('available')),
    withoutMove: stateOf(measured('available', null)),
    pending: stateOf(measured('pending', null)),
    missing: stateOf(measured('missing', null)),
    new: stateOf(measured('delayed')),
    edited: stateOf(measured(undefined)),
    unbought: stateOf(undefined),
  }).toEqual({
    measured: 'measured',
    withoutMove: 'missing',
    pending: 'pending',
    missing: 'missing',
    new: 'other',
    edited: 'without',
    unbought: 'without',
  });
});

it('a line of the history is a card that was bought, or one that was listed', () => {
  const card = { id: 7, source_symbol: 'AUSDT', source_bot_type: 'pump' };
  const bought = { ...card, context_scope: 'all', entry_context: { oi: 3, text: 'x', none: NaN } };
  const outcome = {
    state_1h: 'available',
    move_1h_pct: 2,
    btc_move_1h_pct: 'much',
    state_24h: 'pending',
    entry_price: 5,
  };
  const common = { id: 7, symbol: 'AUSDT', type: 'pump', at: 9 };
  expect(historyCardOf(card, 9)).toEqual({
    ...common,
    isBought: false,
    outcomes: undefined,
    context: undefined,
    entryPrice: null,
  });
  const withoutOutcome = historyCardOf({ ...bought, outcome: null }, 9);
  expect(withoutOutcome).toMatchObject({ ...common, isBought: true, outcomes: undefined });
  const row = historyCardOf({ ...bought, outcome }, 9);
  expect(row).toMatchObject({
    ...common,
    isBought: true,
    outcomes: {
      '1h': { state: 'available', move: 2, btc: null },
      '24h': { state: 'pending', move: null, btc: null },
    },
    entryPrice: 5,
  });
  expect({
    number: numberAt(row, 'oi'),
    text: numberAt(row, 'text'),
    none: numberAt(row, 'none'),
    other: numberAt(row, 'other'),
  }).toEqual({ number: 3, text: undefined, none: undefined, other: undefined });
});

it('JSON and pages give a type no advice for being above BTC, if its verdict above the others was withdrawn', () => {
  const cards: HistoryCard[] = [];
  for (let i = 0; i < 60 * 6; i += 1) {
    const type = i % 2 === 0 ? 'ended' : 'other';
    // All cards are 1 pp above BTC.
    const outcomes = byHorizon(() => ({ state: 'available', move: 1, btc: 0 }));
    const time = NOW - 62 * DAY + (i / 6) * DAY;
    cards.push({ id: i, symbol: `S${i % 17}`, type, at: time, isBought: true, outcomes });
  }
  const lineOf = (day: number, verdict: 'above' | 'small'): TypeFinding => ({
    ...typeFinding,
    at: formatApiTime(NOW - day * DAY),
    type: 'ended',
    verdict,
    difference_percentage_points: 0.2,
    interval_95: { low: -0.4, high: 0.9 },
    sample: 180,
  });
  const toDoAfter = (findings: TypeFinding[]) => {
    const evidence = evidenceOf(cards, { now: NOW, findings });
    const comparison = figuresOf(evidence, questionOf({}));
    const standing = standingsOf(comparison, evidence, KNOWN).find(
      ({ group }) => group === 'ended',
    );
    return { page: standing?.toDo, json: standing?.figures?.to_do };
  };
  expect({
    never: toDoAfter([lineOf(20, 'small')]),
    withdrawn: toDoAfter([lineOf(40, 'above'), lineOf(20, 'small')]),
  }).toEqual({
    never: { page: 'ahead_of_btc', json: 'ahead_of_btc' },
    withdrawn: { page: undefined, json: null },
  });
});

it('a type stays above the others, and below BTC, if it has no outcomes beside others today', () => {
  // 1 pp below BTC, of the only type with outcomes.
  const cards: HistoryCard[] = [];
  for (let i = 0; i < 60 * 3; i += 1) {
    const outcomes = byHorizon(() => ({ state: 'available', move: -1 + (i % 11) / 50, btc: 0 }));
    const time = NOW - 62 * DAY + (i / 3) * DAY;
    cards.push({ id: i, symbol: `S${i % 17}`, type: 'pump', at: time, isBought: true, outcomes });
  }
  const since = NOW - 20 * DAY;
  const standingBy = (line: Partial<TypeFinding>) => {
    const findings = [{ ...typeFinding, at: formatApiTime(since), ...line }];
    const evidence = evidenceOf(cards, { now: NOW, findings });
    const [standing] = standingsOf(figuresOf(evidence, questionOf({})), evidence, KNOWN);
    const { shown_verdict, verdict_vs_others, verdict } = standing?.figures ?? {};
    return {
      verdict: standing?.verdict,
      comparedWith: standing?.comparedWith,
      verdictVsBtc: standing?.verdictVsBtc,
      isSinceLine: standing?.verdictSince === since,
      toDo: standing?.toDo,
      vsOthers: standing?.base.vsOthers,
      json: { shown_verdict, verdict_vs_others, verdict },
    };
  };
  const common = {
    comparedWith: 'others',
    verdictVsBtc: 'below',
    isSinceLine: true,
    vsOthers: null,
  };
  expect({
    above: standingBy({ verdict: 'above', vs_btc: 'below' }),
    below: standingBy({ verdict: 'below', vs_btc: 'below' }),
    unclear: standingBy({ verdict: 'unclear', vs_btc: 'below' }),
  }).toEqual({
    above: {
      ...common,
      verdict: 'above',
      toDo: 'keep',
      json: {
        shown_verdict: 'above_others',
        verdict_vs_others: 'above_others',
        verdict: 'below_btc',
      },
    },
    below: {
      ...common,
      verdict: 'below',
      toDo: 'drop',
      json: {
        shown_verdict: 'below_others',
        verdict_vs_others: 'below_others',
        verdict: 'below_btc',
      },
    },
    unclear: {
      ...common,
      verdict: 'unclear',
      toDo: 'behind_btc',
      json: { shown_verdict: 'unclear', verdict_vs_others: 'unclear', verdict: 'below_btc' },
    },
  });
});
