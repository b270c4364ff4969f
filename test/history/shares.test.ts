/** Budget -> Shares -> Pace, and when a scarce list is read: each step alone, without a service. */
import { describe, expect, it } from 'vitest';
import { listDueAt } from '../../src/history/export/list-due.ts';
import { paceOf, UNPACED } from '../../src/history/export/pace.ts';
import { creditSharesOf, listPagesPerDay } from '../../src/history/export/shares.ts';
import type { BuyableCard } from '../../src/history/export/survey.ts';
import { type ExportManifest, emptyManifest } from '../../src/history/store/manifest.ts';
import { DAY, HOUR, NOW } from './support.ts';

const time = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

/** A history that is listed up to `until`. */
function listed(until: number, more: Partial<ExportManifest> = {}): ExportManifest {
  const spans = [{ since: time(NOW - 40 * DAY), until: time(until) }];
  return { ...emptyManifest('account'), spans, begins_at: time(NOW - 40 * DAY), ...more };
}

/** So many runs on each of the last days. */
const daysWith = (...runs: number[]): ExportManifest['days'] =>
  runs.map((count, i) => ({
    day: time(NOW - (runs.length - i) * DAY).slice(0, 10),
    runs: count,
    outcomes: 0,
    settled: 0,
    credits: 0,
    backlog: 0,
  }));

describe('a scarce list is read', () => {
  const until = NOW - HOUR;

  it('when a page is full, and after six hours at the latest', () => {
    const hoursAfter = (cardsPerDay: number) => {
      const at = listDueAt(listed(until), {}, cardsPerDay);
      return at === undefined ? undefined : (at - until) / HOUR;
    };
    expect({ few: hoursAfter(10), many: hoursAfter(200), none: hoursAfter(0) }).toEqual({
      few: 6,
      many: 3,
      none: 6,
    });
  });

  it('at once in a first run, for older cards, and with --all-credits', () => {
    const older = { ...listed(until), begins_at: null };
    expect({
      first: listDueAt(emptyManifest('account'), {}, 10),
      older: listDueAt(older, {}, 10),
      since: listDueAt(listed(until), { since: NOW - 60 * DAY }, 10),
      allCredits: listDueAt(listed(until), { allCredits: true }, 10),
    }).toEqual({ first: undefined, older: undefined, since: undefined, allCredits: undefined });
  });
});

describe('the list costs a day', () => {
  const pages = (cardsPerDay: number, runs: readonly number[], isScarce: boolean) =>
    listPagesPerDay({ cardsPerDay, now: NOW }, { days: daysWith(...runs) }, isScarce);

  it('full pages, a page a usual run, and the look back', () => {
    expect({
      newHistory: pages(25, [], false),
      daily: pages(50, [1, 1, 1], false),
      hourly: pages(50, [24, 24, 3], false),
      scarce: pages(50, [24, 24, 3], true),
      scarceDaily: pages(50, [1, 1, 1], true),
      scarceAndMany: pages(250, [24, 24, 24], true),
    }).toEqual({
      newHistory: 1 + 1 + 1,
      daily: 2 + 1 + 1,
      hourly: 2 + 24 + 1,
      scarce: 2 + 4 + 1,
      scarceDaily: 2 + 1 + 1,
      scarceAndMany: 10 + 10 + 1,
    });
  });
});

describe('outcomes get', () => {
  const budget = { creditsUntilReset: 500, daysLeft: 9.5, othersCreditsUntilReset: 60 };
  const other = { listPerDay: 4, forSettingsAndMedians: 40 };

  it('what list, settings, medians and others leave', () => {
    // 500 - 38 for the list - 40.
    expect(creditSharesOf(budget, other)).toEqual({
      outcomesIfOthersSpendAsUsual: 362,
      outcomesIfOthersSpendNothing: 422,
    });
    expect(creditSharesOf({ ...budget, creditsUntilReset: 90 }, other)).toEqual({
      outcomesIfOthersSpendAsUsual: 0,
      outcomesIfOthersSpendNothing: 12,
    });
  });

  /** Ten days before the reset, with 5 cards a day to come. */
  const resetsAt = Math.floor(NOW / DAY + 10) * DAY;
  const cards = (count: number) => Array.from({ length: count }) as BuyableCard[];
  const survey = { buyable: cards(100), buyableLater: [NOW + HOUR], cardsPerDay: 5, now: NOW };
  const history = { lateness: { settled: [], firsts: [], seconds: [] }, days: [] };
  const shares = {
    outcomesIfOthersSpendAsUsual: 0,
    outcomesIfOthersSpendNothing: 0,
    firstOutcomes: 0,
  };
  const today = (outcomes: number) => [
    { day: time(NOW).slice(0, 10), runs: 1, outcomes, settled: outcomes, credits: 0, backlog: 0 },
  ];

  it('no pace where the credits cover what is due and what comes', () => {
    // 100 due, one later, and some 41 until a day before the reset.
    expect(
      paceOf(survey, history, { ...shares, outcomesIfOthersSpendAsUsual: 150 }, resetsAt),
    ).toBe(UNPACED);
    expect(
      paceOf(survey, history, { ...shares, outcomesIfOthersSpendAsUsual: 139 }, resetsAt),
    ).not.toBe(UNPACED);
    // Where no card comes, 101 credits are just enough.
    const old = { ...survey, cardsPerDay: 0 };
    expect(paceOf(old, history, { ...shares, outcomesIfOthersSpendAsUsual: 101 }, resetsAt)).toBe(
      UNPACED,
    );
    expect(
      paceOf(old, history, { ...shares, outcomesIfOthersSpendAsUsual: 100 }, resetsAt),
    ).not.toBe(UNPACED);
  });

  it('the same share every day, less what was bought today', () => {
    const pace = (outcomes: number) =>
      paceOf(
        survey,
        { ...history, days: today(outcomes) },
        {
          ...shares,
          outcomesIfOthersSpendAsUsual: 100 - outcomes,
          outcomesIfOthersSpendNothing: 100,
        },
        resetsAt,
      );
    expect({ first: pace(0), second: pace(4), done: pace(12).mostThisRun }).toEqual({
      first: { mostThisRun: 10, perDay: 10 },
      second: { mostThisRun: 6, perDay: 10 },
      done: 0,
    });
  });

  it('one a day where others usually spend all, and what the first sitting needs', () => {
    const of = (changes: Partial<typeof shares>) =>
      paceOf(survey, history, { ...shares, ...changes }, resetsAt).mostThisRun;
    expect({
      none: of({}),
      one: of({ outcomesIfOthersSpendNothing: 30 }),
      first: of({ outcomesIfOthersSpendNothing: 30, firstOutcomes: 20 }),
      firstAtMost: of({ outcomesIfOthersSpendNothing: 15, firstOutcomes: 20 }),
    }).toEqual({ none: 0, one: 1, first: 20, firstAtMost: 15 });
  });
});
