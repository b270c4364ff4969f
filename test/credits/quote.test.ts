import { describe, expect, test } from 'vitest';
import { planPages, quote } from '../../src/credits/estimate.ts';

const perRequest = (requests: number) => requests * 100;

describe('planPages', () => {
  test.each([
    [1, 1],
    [25, 1],
    [26, 2],
    [30, 2],
    [60, 3],
  ])('%i cards: at most %i pages, at least one', (limit, most) => {
    expect(planPages({ limit, all: false })).toEqual({ least: 1, most });
  });

  test('all: nobody knows', () => expect(planPages({ limit: 25, all: true })).toEqual({ least: 1, most: undefined }));
});

describe('quote', () => {
  test('adds up operations by their cost', () => {
    const work = [
      { operation: 'access', requests: { least: 1, most: 1 } },
      { operation: 'signals', requests: { least: 1, most: 3 } },
      { operation: 'signal', requests: { least: 0, most: 60 } },
      { operation: 'stats', requests: { least: 1, most: 1 } },
    ] as const;
    expect(quote(work, perRequest)).toEqual({
      requests: { least: 3, most: 65 },
      credits: { least: 6, most: 68 },
      pages: { least: 1, most: 3 },
      pacing: { least: 300, most: 6500 },
      capped: false,
    });
  });

  test('an open end stays open, until --max-credits closes it', () => {
    const work = [{ operation: 'signals', requests: planPages({ limit: 25, all: true }) }] as const;
    expect(quote(work, perRequest)).toEqual({
      requests: { least: 1, most: undefined },
      credits: { least: 1, most: undefined },
      pages: { least: 1, most: undefined },
      pacing: { least: 100, most: undefined },
      capped: false,
    });
    expect(quote(work, perRequest, 7)).toEqual({
      requests: { least: 1, most: 7 },
      credits: { least: 1, most: 7 },
      pages: { least: 1, most: 7 },
      pacing: { least: 100, most: 700 },
      capped: true,
    });
  });

  test('a ceiling below the known cost caps requests and pages, too', () => {
    const work = [{ operation: 'signal', requests: { least: 40, most: 40 } }] as const;
    expect(quote(work, perRequest, 10)).toMatchObject({
      requests: { least: 10, most: 10 },
      credits: { least: 10, most: 10 },
      pacing: { least: 1000, most: 1000 },
      capped: true,
    });
    expect(quote(work, perRequest, 40)).toMatchObject({ credits: { least: 40, most: 40 }, capped: false });
    const stats = [{ operation: 'stats', requests: { least: 1, most: 1 } }] as const;
    expect(quote(stats, perRequest, 4)).toMatchObject({ requests: { most: 0 }, credits: { most: 0 }, capped: true });
  });

  test('nothing to do costs nothing', () => {
    expect(quote([], perRequest)).toMatchObject({ credits: { least: 0, most: 0 }, pacing: { least: 0, most: 0 } });
  });
});
