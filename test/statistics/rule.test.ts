/** The rule of every word, on pictures: two intervals and the band around 0. */
import { describe, expect, it } from 'vitest';
import { type Estimate, estimateByT, UNKNOWN } from '../../src/statistics/estimate.ts';
import {
  daysToVerdict,
  isUnclearByMissing,
  verdictByRule,
  wouldShow,
  wouldShowWith,
} from '../../src/statistics/rule.ts';
import { normalOf, randomOf } from '../support/history.ts';

/** An estimate of which the 95 % interval is ±`half`, the 99.7 % one ±1.5 `half`. */
function picture(value: number, half: number, missing?: number): Estimate {
  const interval = (level: number) => {
    const size = level < 0.05 ? 1.5 * half : half;
    return { low: value - size, high: value + size };
  };
  const bounds = (level: number) => {
    const { low, high } = interval(level);
    return { low: low - (missing ?? 0), high: high + (missing ?? 0) };
  };
  return {
    ...UNKNOWN,
    value,
    size: 90,
    span: 30,
    clusters: 15,
    degreesOfFreedom: 30,
    interval,
    bounds: missing === undefined ? undefined : bounds,
  };
}

const least = 1;

describe('a word', () => {
  it('is not given where the missing outcomes may lie up to 0', () => {
    const upTo0 = {
      above: { ...picture(1.7, 1), bounds: () => ({ low: 0, high: 9 }) },
      below: { ...picture(-1.7, 1), bounds: () => ({ low: -9, high: 0 }) },
    };
    expect({
      above: verdictByRule(upTo0.above, { least }),
      below: verdictByRule(upTo0.below, { least }),
    }).toEqual({
      above: 'unclear',
      below: 'unclear',
    });
  });

  it('is above or below when the 99.7 % interval lies beyond the band', () => {
    expect(verdictByRule(picture(1.7, 1), { least })).toBe('above');
    expect(verdictByRule(picture(1.59, 1), { least })).toBe('unclear');
    expect(verdictByRule(picture(-1.7, 1), { least })).toBe('below');
    // Moves have two decimals: an interval often ends at a round number.
    const upToBand = { ...picture(1.6, 1), interval: () => ({ low: 0.1, high: 3.1 }) };
    expect(verdictByRule(upToBand, { least }), 'an interval that begins at the edge').toBe(
      'unclear',
    );
  });

  it('is kept while the 95 % interval is clear of 0 on that side', () => {
    expect(verdictByRule(picture(1.05, 1), { least }, 'above')).toBe('above');
    expect(verdictByRule(picture(0.95, 1), { least }, 'above')).toBe('unclear');
    expect(verdictByRule(picture(-1.05, 1), { least }, 'above')).toBe('unclear');
    expect(verdictByRule(picture(-1.05, 1), { least }, 'below')).toBe('below');
  });

  it('is small when the 95 % interval lies within what matters, wherever 0 lies', () => {
    expect(verdictByRule(picture(0.5, 0.45), { least })).toBe('small');
    expect(verdictByRule(picture(0.6, 0.45), { least })).toBe('unclear');
    expect(verdictByRule(picture(0.7, 0.45), { least }, 'small')).toBe('small');
    expect(verdictByRule(picture(0.8, 0.45), { least }, 'small')).toBe('above');
    expect(verdictByRule(picture(0.9, 0.65), { least }, 'small')).toBe('unclear');
    expect(verdictByRule(picture(0.6, 0.45), { least: 2 })).toBe('small');
  });

  it('is above before it is small', () => {
    expect(verdictByRule(picture(0.5, 0.2), { least })).toBe('above');
    expect(verdictByRule(picture(0.25, 0.2), { least }, 'above')).toBe('above');
    expect(verdictByRule(picture(0.25, 0.2), { least })).toBe('small');
  });

  it('is not given where there are days enough for the 95 % interval only', () => {
    const { interval } = picture(3, 1);
    const early = (level: number) => (level < 0.05 ? null : interval(level));
    expect(verdictByRule({ ...picture(3, 1), interval: early }, { least })).toBe('unclear');
  });

  it('waits for days, and for a figure', () => {
    expect(verdictByRule({ ...UNKNOWN, value: 3 }, { least })).toBe('too_few_days');
    expect(verdictByRule(UNKNOWN, { least })).toBeNull();
  });

  it('is no stronger than the missing outcomes allow', () => {
    expect(verdictByRule(picture(1.7, 1, 0.3), { least })).toBe('unclear');
    expect(
      isUnclearByMissing(picture(1.7, 1, 0.3), { least }),
      'is held back where missing outcomes move it by 0.3',
    ).toBe(true);
    expect(
      isUnclearByMissing(picture(1.2, 1, 0.3), { least }),
      'is held back although it was unclear before',
    ).toBe(false);
    expect(
      isUnclearByMissing(picture(3, 1, 0.3), { least }),
      'a word that the missing outcomes leave as it is',
    ).toBe(false);
    expect(verdictByRule(picture(1.2, 1, 0.1), { least }, 'above')).toBe('above');
    expect(verdictByRule(picture(1.2, 1, 0.3), { least }, 'above')).toBe('unclear');
    expect(verdictByRule(picture(0, 0.9, 0.2), { least })).toBe('unclear');
    const endless = { ...picture(0, 0.5), bounds: () => ({ low: null, high: null }) };
    expect(verdictByRule(endless, { least }), 'half of the outcomes may lie anywhere').toBe(
      'unclear',
    );
    const endlessBelow = { ...endless, bounds: () => ({ low: null, high: 0.5 }) };
    const endlessAbove = { ...endless, bounds: () => ({ low: -0.5, high: null }) };
    expect({
      below: verdictByRule(endlessBelow, { least }),
      above: verdictByRule(endlessAbove, { least }),
    }).toEqual({ below: 'unclear', above: 'unclear' });
  });

  it('is given at another level, if it is asked for', () => {
    const estimate = estimateByT(1, 0.33, 60, { size: 90, span: 30, clusters: 15 });
    expect(verdictByRule(estimate, { least })).toBe('unclear');
    expect(verdictByRule(estimate, { least, sureLevel: 0.01 })).toBe('above');
  });
});

it('half the 99.7 % interval beyond the band would show', () => {
  expect(wouldShow(picture(0, 1))).toBeCloseTo(1.6);
  expect(wouldShow(UNKNOWN)).toBeNull();
});

it('four times the days halve what would show beyond the band, and more degrees of freedom a little', () => {
  const of = { size: 30, span: 15, clusters: 15 };
  const estimate = estimateByT(0, 1, 1_000_000, of);
  const now = wouldShow(estimate) ?? Number.NaN;
  expect(wouldShowWith(estimate, 60)).toBeCloseTo(0.1 + (now - 0.1) / 2, 2);
  const early = estimateByT(0, 1, 10, of);
  // Ten degrees of freedom: in two of ten cases the true error is more than this many times the one that is found (scipy).
  const noise = Math.sqrt(10 / 6.179);
  const scaled = ((wouldShow(early) ?? 0) - 0.1) / 2;
  expect(wouldShowWith(early, 60), 'what would show after 60 days').toBeLessThan(
    0.1 + scaled * noise,
  );
  expect({
    sameDays: wouldShowWith(estimate, 15),
    withoutAny: wouldShowWith(UNKNOWN, 60),
    unbounded: wouldShowWith({ ...estimate, bounds: () => ({ low: null, high: null }) }, 60),
    endlessBelow: wouldShowWith({ ...estimate, bounds: () => ({ low: null, high: 9 }) }, 60),
    endlessAbove: wouldShowWith({ ...estimate, bounds: () => ({ low: -9, high: null }) }, 60),
    withoutBounds: wouldShowWith({ ...estimate, bounds: () => null }, 60),
  }).toEqual({
    sameDays: null,
    withoutAny: null,
    unbounded: null,
    endlessBelow: null,
    endlessAbove: null,
    withoutBounds: null,
  });
});

it('what will show follows the 99.7 % interval itself, which few outcomes make wider than three errors', () => {
  const usual = picture(0, 1);
  const wide = (level: number) => (level < 0.05 ? { low: -3, high: 3 } : usual.interval(level));
  const beyondBand = (estimate: Estimate) => (wouldShowWith(estimate, 60) ?? Number.NaN) - 0.1;
  // The 99.7 % interval of `usual` is ±1.5.
  expect(beyondBand({ ...usual, interval: wide })).toBeCloseTo(2 * beyondBand(usual), 10);
});

it('what is promised of 60 days shows by then in eight of ten cases, however few days promise it', () => {
  const normal = normalOf(randomOf(5));
  const promises = 2000;
  const keptOf = (degreesOfFreedom: number) => {
    let kept = 0;
    for (let i = 0; i < promises; i += 1) {
      let squares = 0;
      for (let k = 0; k < degreesOfFreedom; k += 1) squares += normal() ** 2;
      const error = Math.sqrt(squares / degreesOfFreedom);
      const week = { size: 30, span: 6, clusters: degreesOfFreedom + 1 };
      const promise = wouldShowWith(estimateByT(0, error, degreesOfFreedom, week), 60) ?? 0;
      const then = wouldShow(estimateByT(0, Math.sqrt(0.1), 10 * degreesOfFreedom, week)) ?? 0;
      if (then <= promise) kept += 1;
    }
    return kept / promises;
  };
  for (const degreesOfFreedom of [2, 4, 8, 16]) {
    const kept = keptOf(degreesOfFreedom);
    expect(kept, `of ${degreesOfFreedom} degrees of freedom`).toBeGreaterThan(0.77);
    expect(kept, `of ${degreesOfFreedom} degrees of freedom`).toBeLessThan(0.83);
  }
});

const waitOf = (estimate: Estimate) => daysToVerdict({ estimate, rule: { least } }, 180);

it('no word is likely on any day if nothing tells how exact a figure is', () => {
  const exact = estimateByT(0.05, 0, 30, { size: 30, span: 30, clusters: 15 });
  expect({
    withoutInterval: waitOf({ ...UNKNOWN, value: 0.05, span: 30 }),
    withoutError: waitOf(exact),
  }).toEqual({
    withoutInterval: undefined,
    withoutError: undefined,
  });
});

it.each([
  { missing: 0, atLeast: 0.75 },
  { missing: 0.1, atLeast: 0.75 },
])(
  'a wait ends with a word in four of five cases, if missing outcomes move it by $missing',
  ({ missing, atLeast }) => {
    const normal = normalOf(randomOf(3));
    const known = (days: number, sum: number): Estimate => {
      const of = { size: days, span: days, clusters: 12 };
      const estimate = estimateByT(sum / days, 3.3 / Math.sqrt(days), 2 * days, of);
      const bounds = (level: number) => {
        const range = estimate.interval(level) ?? { low: Number.NaN, high: Number.NaN };
        return { low: range.low - missing, high: range.high + missing };
      };
      return missing > 0 ? { ...estimate, bounds } : estimate;
    };
    const ended: boolean[] = [];
    for (const days of [30, 60, 90]) {
      for (let i = 0; i < 500; i += 1) {
        const truth = normal();
        const sumOf = (more: number) => truth * more + 3.3 * Math.sqrt(more) * normal();
        const first = sumOf(days);
        const wait = waitOf(known(days, first));
        if (verdictByRule(known(days, first), { least }) !== 'unclear' || wait === undefined)
          continue;
        ended.push(verdictByRule(known(days + wait, first + sumOf(wait)), { least }) !== 'unclear');
      }
    }
    expect(ended.length, 'waits that ended').toBeGreaterThan(100);
    expect(
      ended.filter(Boolean).length / ended.length,
      'share of waits that end with a word',
    ).toBeGreaterThan(atLeast);
  },
);
