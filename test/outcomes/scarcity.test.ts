/** What credits leave out: rates of purchases, and types without outcomes. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { boughtAfterOthers, purchasesByType } from '../../src/outcomes/purchases.ts';
import { cardsPerDay, presentRate } from '../../src/outcomes/rate.ts';
import { isNearlyAllBought, scarcityOf } from '../../src/outcomes/scarcity.ts';
import { evidenceOf } from './support.ts';

const DUE = Date.UTC(2026, 10, 1);
const NOW = DUE + DAY;

interface Cards {
  readonly type?: string;
  /** Days before the last due outcome: the first and the last card. */
  readonly from: number;
  readonly to?: number;
  readonly aDay: number;
  readonly boughtADay?: number;
}

/** The newest card first. */
function rowsOf(...all: readonly Cards[]): HistoryCard[] {
  const rows = all.flatMap(({ type = 'pump', from, to = 0, aDay, boughtADay = 0 }) =>
    Array.from({ length: (from - to) * aDay }, (_, i): HistoryCard => {
      const day = to + Math.floor(i / aDay);
      return {
        id: i,
        symbol: 'AUSDT',
        type,
        at: DUE - (day + (i % aDay) / aDay) * DAY,
        isBought: i % aDay < boughtADay,
        outcomes: undefined,
      };
    }),
  );
  return rows.toSorted((one, other) => other.at - one.at);
}

const purchasesOf = (cards: readonly HistoryCard[], settingsSince = new Map<string, number>()) =>
  purchasesByType({ cards, settingsSince, now: DUE, dueUntil: DUE });

describe('purchases of a type', () => {
  it('come after those of the types in focus, unless nothing of these is left, or all is soon bought', () => {
    const cards = rowsOf(
      { type: 'pump', from: 40, aDay: 4, boughtADay: 1 },
      { type: 'spike', from: 40, aDay: 4, boughtADay: 1 },
      { type: 'bought', from: 40, aDay: 1, boughtADay: 1 },
    );
    const nearlyAll = rowsOf(
      { type: 'pump', from: 40, aDay: 19, boughtADay: 19 },
      { type: 'spike', from: 40, aDay: 1 },
    );
    const isLater = (inFocus?: readonly string[], allBoughtBy?: number, of = cards) =>
      boughtAfterOthers({
        cards: of,
        inFocus: inFocus && new Set(inFocus),
        allBoughtBy,
        now: DUE,
        dueUntil: DUE,
      })('pump');
    expect({
      noFocus: isLater(),
      endedFocus: isLater([]),
      itself: isLater(['pump', 'spike']),
      other: isLater(['spike']),
      otherAllBoughtSoon: isLater(['spike'], DUE + 60 * DAY),
      otherAllBoughtLate: isLater(['spike'], DUE + 61 * DAY),
      misspelt: isLater(['spke']),
      allOfItBought: isLater(['bought']),
      nearlyAllBought: isLater(['spike'], undefined, nearlyAll),
    }).toEqual({
      noFocus: false,
      endedFocus: false,
      itself: false,
      other: true,
      otherAllBoughtSoon: false,
      otherAllBoughtLate: true,
      misspelt: false,
      allOfItBought: false,
      nearlyAllBought: false,
    });
  });

  it('are counted from the first card of the history, if the settings are older', () => {
    const cards = rowsOf({ from: 40, aDay: 4, boughtADay: 1 });
    const old = purchasesOf(cards, new Map([['pump', DUE - 300 * DAY]])).get('pump');
    expect(old).toEqual(purchasesOf(cards).get('pump'));
  });

  it('come at the pace that exports foresee, in the share of what is to buy of each type', () => {
    const cards = rowsOf(
      { type: 'first', from: 40, aDay: 2, boughtADay: 1 },
      { type: 'other', from: 40, aDay: 9, boughtADay: 3 },
      { type: 'rare', from: 40, aDay: 3, boughtADay: 1 },
    );
    const evidence = { cards, settingsSince: new Map(), now: DUE, dueUntil: DUE };
    const ratesWith = (inFocus: readonly string[], boughtPerDay = 10) => {
      const focus = { inFocus: new Set(inFocus), boughtPerDay };
      const purchases = purchasesByType({ ...evidence, ...focus });
      return Object.fromEntries(
        [...purchases].map(([type, { boughtPerDay: now, boughtPerDayIfFirst: first }]) => [
          type,
          [now, first].map((perDay) => perDay && Number(perDay.toFixed(2))),
        ]),
      );
    };
    // To buy within 60 days: 40 and 120, 240 and 540, 80 and 180. So of the first type at most 160 / 60 a day.
    expect({
      none: ratesWith([]),
      first: ratesWith(['first']),
      both: ratesWith(['first', 'rare'], 5),
      fewCredits: ratesWith(['first'], 1),
      plenty: ratesWith([], 100),
    }).toEqual({
      none: { first: [1.33, 2.67], other: [6.5, 10], rare: [2.17, 4.33] },
      first: { first: [2.67, undefined], other: [0, 10], rare: [0, 4.33] },
      both: { first: [1.9, 2.67], other: [0, 5], rare: [3.1, 4.33] },
      fewCredits: { first: [1, undefined], other: [0, 1], rare: [0, 1] },
      plenty: { first: [2.67, 2.67], other: [13, 13], rare: [4.33, 4.33] },
    });
  });

  it('are the same whatever comes first if the credits soon cover all outcomes', () => {
    const cards = rowsOf(
      { type: 'first', from: 40, aDay: 2, boughtADay: 1 },
      { type: 'other', from: 40, aDay: 9, boughtADay: 3 },
    );
    const evidence = { cards, settingsSince: new Map(), now: DUE, dueUntil: DUE };
    const soon = { allBoughtBy: DUE + 30 * DAY, boughtPerDay: 100, inFocus: new Set(['first']) };
    const purchases = purchasesByType({ ...evidence, ...soon });
    expect(purchases.get('other')).toMatchObject({
      boughtPerDay: 13,
      boughtPerDayIfFirst: undefined,
    });
  });

  it('are counted under present settings', () => {
    const cards = rowsOf(
      { from: 40, aDay: 5, boughtADay: 2 },
      { type: 'spike', from: 40, aDay: 1 },
    );
    expect(purchasesOf(cards).get('pump')).toMatchObject({
      bought: 80,
      unbought: 120,
      days: expect.closeTo(40 - 1 / 5, 5),
      daysWithCards: 41,
    });
    const since = new Map([['pump', DUE - 10 * DAY]]);
    // The card of the moment of the change is of the new settings.
    expect(purchasesOf(cards, since).get('pump')).toMatchObject({
      bought: 21,
      unbought: 30,
      days: 10,
      daysWithCards: 11,
    });
  });

  it('are those of outcomes that are due, and nothing more comes of a type that is silent', () => {
    const silentFor = (days: number) => {
      const cards = rowsOf({ from: 28, to: days, aDay: 4, boughtADay: 2 });
      const evidence = { cards, settingsSince: new Map(), now: DUE, dueUntil: DUE };
      return purchasesByType({ ...evidence, boughtPerDay: 100 }).get('pump')?.boughtPerDay;
    };
    const notDue = rowsOf({ from: 2, aDay: 3 }).map((card) => ({ ...card, at: card.at + 9 * DAY }));
    expect({
      notDue: [...purchasesOf(notDue)],
      // Half of the cards are left to buy.
      twoWeeks: silentFor(14),
      almost: silentFor(13),
    }).toEqual({ notDue: [], twoWeeks: 28 / 60, almost: 30 / 60 + (15 * 4) / 27.75 });
  });
});

describe('scarcity', () => {
  const scarceIn = (
    cards: readonly HistoryCard[],
    more: Parameters<typeof evidenceOf>[1] = { now: NOW },
  ) => scarcityOf(evidenceOf(cards, { dueUntil: DUE, ...more }));

  it('is told of 28 days', () => {
    expect(scarceIn(rowsOf({ from: 56, aDay: 30, boughtADay: 3 }))).toEqual({
      cardsPerDay: 30,
      boughtPerDay: 3,
      withoutMedians: [],
    });
    // Before, ten times as many came.
    const fewerNow = rowsOf({ from: 28, aDay: 5 }, { from: 56, to: 28, aDay: 50 });
    expect(scarceIn(fewerNow)).toMatchObject({ cardsPerDay: 5, boughtPerDay: 0 });
  });

  it('is none where a quarter is bought, in the first week, and of no card', () => {
    const isScarce = (cards: readonly HistoryCard[]) => scarceIn(cards) !== undefined;
    expect({
      quarter: isScarce(rowsOf({ from: 28, aDay: 8, boughtADay: 2 })),
      less: isScarce(rowsOf({ from: 28, aDay: 9, boughtADay: 2 })),
      firstWeek: isScarce(rowsOf({ from: 7, aDay: 4 })),
      secondWeek: isScarce(rowsOf({ from: 8, aDay: 4 })),
      noCard: isScarce([]),
    }).toEqual({ quarter: false, less: true, firstWeek: false, secondWeek: true, noCard: false });
  });

  it('counts the first card of a history of fewer than 28 days, too', () => {
    const cards = rowsOf(
      { type: 'pump', from: 10, aDay: 1 },
      { type: 'first', from: 11, to: 10, aDay: 1 },
    );
    const lastAsked = new Map([['pump', NOW]]);
    expect(scarceIn(cards, { now: NOW, lastAsked })).toMatchObject({
      cardsPerDay: 1.1,
      withoutMedians: ['first'],
    });
  });

  it('names types without medians where others have them', () => {
    const cards = rowsOf(
      { type: 'pump', from: 28, aDay: 20, boughtADay: 1 },
      { type: 'spike', from: 28, aDay: 2 },
      { type: 'gone', from: 56, to: 29, aDay: 1 },
    );
    const asked = (days: number) => new Map([['pump', NOW - days * DAY]]);
    const planned = new Map([['spike', undefined]]);
    const namesIn = (lastAsked: ReadonlyMap<string, number>) =>
      scarceIn(cards, { now: NOW, lastAsked, planned })?.withoutMedians;
    expect({
      none: namesIn(new Map()),
      pump: namesIn(asked(59)),
      longAgo: namesIn(asked(60)),
    }).toEqual({
      none: [],
      pump: ['spike'],
      longAgo: [],
    });
  });

  it('names no type whose medians exports will ask for, because a limit ended the last export before', () => {
    const cards = rowsOf(
      { type: 'pump', from: 28, aDay: 20, boughtADay: 1 },
      { type: 'spike', from: 28, aDay: 2 },
      { type: 'rare', from: 28, to: 25, aDay: 1 },
    );
    const namesIn = (planned: Parameters<typeof evidenceOf>[1]['planned']) =>
      scarceIn(cards, { now: NOW, lastAsked: new Map([['pump', NOW]]), planned })?.withoutMedians;
    const sittings = { next: NOW, everyDays: 30 };
    expect({
      planned: namesIn(new Map([['spike', sittings]])),
      // A first export that a limit ended has planned nothing.
      foreseen: namesIn(undefined),
      // Exports have stopped for a week.
      overdue: namesIn(new Map([['spike', { ...sittings, next: NOW - 7 * DAY }]])),
      not: namesIn(new Map([['spike', undefined]])),
    }).toEqual({
      planned: ['rare'],
      foreseen: ['rare'],
      overdue: ['rare'],
      not: ['rare', 'spike'],
    });
  });
});

it('nearly all outcomes are bought where nine in ten of 28 days are, or the only one', () => {
  const isNearlyAll = (...cards: readonly Cards[]) =>
    isNearlyAllBought({ cards: rowsOf(...cards), dueUntil: DUE });
  expect({
    none: isNearlyAll(),
    onlyOne: isNearlyAll({ from: 1, aDay: 1, boughtADay: 1 }),
    nineInTen: isNearlyAll({ from: 28, aDay: 10, boughtADay: 9 }),
    fewer: isNearlyAll({ from: 28, aDay: 9, boughtADay: 8 }),
    fewerBefore: isNearlyAll({ from: 28, aDay: 1, boughtADay: 1 }, { from: 56, to: 28, aDay: 9 }),
  }).toEqual({ none: false, onlyOne: true, nineInTen: true, fewer: false, fewerBefore: true });
});

describe('cards a day', () => {
  const cards = rowsOf({ from: 40, aDay: 4 });
  const perDay = (since: number, days?: number) =>
    cardsPerDay(cards, DUE, { since: DUE - since * DAY, ...(days === undefined ? {} : { days }) });

  it('are of 28 days, or of fewer, silent ones counted, and of one day at least', () => {
    const silent = cards.filter(({ at }) => at < DUE - 14 * DAY);
    expect({
      month: perDay(60),
      week: perDay(60, 7),
      // Both of its ends count.
      sinceTenDays: perDay(10),
      hours: perDay(0.5),
      silent: cardsPerDay(silent, DUE, { since: DUE - 60 * DAY }),
      later: cardsPerDay(cards, DUE - 30 * DAY, { since: DUE - 60 * DAY }),
    }).toEqual({
      month: 4,
      week: 4,
      sinceTenDays: 4.1,
      hours: 3,
      silent: (14 * 4 - 1) / 28,
      later: (10 * 4) / 28,
    });
  });

  it('on the first day after a change of settings are those of the days before', () => {
    const rateOf = (settings: number | undefined) =>
      presentRate(cards, DUE, {
        historyBegins: DUE - 60 * DAY,
        inUseSince: settings === undefined ? undefined : DUE - settings * DAY,
      });
    const firstDay = presentRate(rowsOf({ from: 1, aDay: 4 }), DUE, {
      historyBegins: DUE - 0.75 * DAY,
      inUseSince: undefined,
    });
    expect({
      never: rateOf(undefined),
      firstDay,
      hoursAgo: rateOf(0.5),
      aDayAgo: rateOf(1),
      beforeTheHistory: rateOf(60),
    }).toEqual({
      never: { perDay: 4, isFromBeforeChange: false },
      firstDay: { perDay: 4, isFromBeforeChange: false },
      hoursAgo: { perDay: 4, isFromBeforeChange: true },
      aDayAgo: { perDay: 5, isFromBeforeChange: false },
      beforeTheHistory: { perDay: 4, isFromBeforeChange: false },
    });
  });
});
