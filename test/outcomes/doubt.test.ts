/** When exports doubt a verdict, and when they no longer do. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import type { Difference } from '../../src/outcomes/differences.ts';
import {
  beginsDoubt,
  endsDoubt,
  type NewestCards,
  newestCardsOf,
} from '../../src/outcomes/doubt.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';

describe('the cards that test whether a verdict still holds', () => {
  const lastDay = 100;
  /** 2 pp above the others until the edge ended. */
  const cardsUntil = (ended: number) =>
    Array.from({ length: 4 * (lastDay + 1) }, (_, i): Difference => {
      const day = Math.floor(i / 4);
      const noise = Math.sin(7 * i);
      const value = noise + (day < ended ? 2 : 0);
      return {
        card: { type: 'edge', symbol: 'S', at: day * DAY } as HistoryCard,
        day,
        symbol: 'S',
        value,
      };
    });
  const newest = (foundOn: number, ended = lastDay + 1) =>
    newestCardsOf(cardsUntil(ended), foundOn * DAY, { horizon: '24h', lastDay });

  it.each([
    { what: 'found long ago: those of the last 20 days', foundOn: 40, since: 81 },
    { what: 'found lately: those since then', foundOn: 90, since: 90 },
  ])('of a verdict $what', ({ foundOn, since }) => {
    const { since: sinceMillis, isSinceVerdict, outcomes } = newest(foundOn);
    expect({ since: sinceMillis / DAY, isSinceVerdict, outcomes }).toEqual({
      since,
      isSinceVerdict: foundOn === since,
      outcomes: 4 * (lastDay + 1 - since),
    });
  });

  it('show nothing of an edge that ended 20 days ago, though the earlier cards do', () => {
    const ended = newest(20, 81);
    const lives = newest(20);
    expect(Math.abs(ended.percentage_points)).toBeLessThan(0.1);
    expect(lives.percentage_points).toBeGreaterThan(1.9);
    expect([ended.earlier, lives.earlier].map((points) => Math.round(points ?? 0))).toEqual([2, 2]);
  });

  it('have no earlier figure if all cards came after the verdict', () => {
    const onlyNew = cardsUntil(lastDay + 1).filter(({ day }) => day >= 90);
    const cards = newestCardsOf(onlyNew, 90 * DAY, { horizon: '24h', lastDay });
    expect(cards.earlier).toBeUndefined();
  });
});

/** Newer cards whose difference is `points`, percentage points, with half of the width of their intervals. */
function newestWith(
  points: number,
  { half95, half99 = half95 * 1.4, outcomes = 60, earlier = 2 }: Widths,
): NewestCards {
  const around = (half: number) => ({ low: points - half, high: points + half });
  return {
    since: 0,
    isSinceVerdict: false,
    outcomes,
    percentage_points: points,
    interval_95: around(half95),
    interval_99: around(half99),
    earlier,
  };
}

interface Widths {
  readonly half95: number;
  readonly half99?: number;
  readonly outcomes?: number;
  readonly earlier?: number;
}

/** The same below 0. */
function turned({ percentage_points, interval_95, interval_99, earlier, ...rest }: NewestCards) {
  const turn = (interval: NewestCards['interval_95']) =>
    interval && { low: -interval.high, high: -interval.low };
  return {
    ...rest,
    percentage_points: -percentage_points,
    interval_95: turn(interval_95),
    interval_99: turn(interval_99),
    earlier: earlier === undefined ? undefined : -earlier,
  };
}

describe('a doubt begins if newer cards', () => {
  it.each([
    { what: 'show nothing of it', points: 0.1, widths: { half95: 0.8 }, begins: true },
    { what: 'show a third and touch 0', points: 0.7, widths: { half95: 0.8 }, begins: true },
    { what: 'show a third, but beyond 0', points: 0.7, widths: { half95: 0.6 }, begins: false },
    {
      what: 'reach the earlier ones at 99 %',
      points: 0.7,
      widths: { half95: 0.9, half99: 1.4 },
      begins: false,
    },
    { what: 'are 30', points: 0.1, widths: { half95: 0.8, outcomes: 30 }, begins: true },
    { what: 'are 29', points: 0.1, widths: { half95: 0.8, outcomes: 29 }, begins: false },
  ])('$what: $begins', ({ points, widths, begins }) => {
    const newest = newestWith(points, widths);
    expect({
      above: beginsDoubt('above', newest),
      below: beginsDoubt('below', turned(newest)),
    }).toEqual({ above: begins, below: begins });
  });

  it('and not if there are no earlier cards, or no interval', () => {
    const newest = newestWith(0.1, { half95: 0.8 });
    expect({
      withoutEarlier: beginsDoubt('above', { ...newest, earlier: undefined }),
      without95: beginsDoubt('above', { ...newest, interval_95: null }),
      without99: beginsDoubt('above', { ...newest, interval_99: null }),
    }).toEqual({ withoutEarlier: false, without95: false, without99: false });
  });
});

describe('a doubt about 2 pp ends if newer cards', () => {
  it.each([
    { what: 'show the verdict by themselves', points: 0.7, widths: { half95: 0.6 }, ends: true },
    { what: 'touch 0', points: 0.7, widths: { half95: 0.7 }, ends: false },
    { what: 'show two thirds', points: 1.34, widths: { half95: 1.6 }, ends: true },
    { what: 'show less', points: 1.33, widths: { half95: 1.6 }, ends: false },
    { what: 'are 29', points: 1.9, widths: { half95: 0.6, outcomes: 29 }, ends: false },
  ])('$what: $ends', ({ points, widths, ends }) => {
    // What the earlier cards show by now no longer counts: they include days of the doubt.
    const newest = newestWith(points, { ...widths, earlier: 0.5 });
    expect({
      above: endsDoubt('above', newest, 2),
      below: endsDoubt('below', turned(newest), -2),
    }).toEqual({ above: ends, below: ends });
  });
});
