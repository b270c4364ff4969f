import { describe, expect, test } from 'vitest';
import { quote } from '../../src/credits/estimate.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('quote', () => {
  test('adds up operations by their cost', () => {
    const work = [
      { operation: 'access', requests: { least: 1, most: 1 } },
      { operation: 'signals', requests: { least: 1, most: 3 } },
      { operation: 'signal', requests: { least: 0, most: 60 } },
      { operation: 'stats', requests: { least: 1, most: 1 } },
    ] as const;
    expect(quote(work, NO_LIMIT)).toEqual({
      requests: { least: 3, most: 65 },
      credits: { least: 6, most: 68 },
      pages: { least: 1, most: 3 },
    });
  });

  test('an open end stays open, until --max-credits closes it', () => {
    const work = [{ operation: 'signals', requests: { least: 1, most: NO_LIMIT } }] as const;
    expect(quote(work, NO_LIMIT)).toEqual({
      requests: { least: 1, most: NO_LIMIT },
      credits: { least: 1, most: NO_LIMIT },
      pages: { least: 1, most: NO_LIMIT },
    });
    expect(quote(work, 7)).toEqual({
      requests: { least: 1, most: 7 },
      credits: { least: 1, most: 7 },
      pages: { least: 1, most: 7 },
    });
  });

  test('a ceiling below the known cost caps requests and pages, too', () => {
    const work = [{ operation: 'signal', requests: { least: 40, most: 40 } }] as const;
    expect(quote(work, 10)).toMatchObject({
      requests: { least: 10, most: 10 },
      credits: { least: 10, most: 10 },
    });
    expect(quote(work, 40)).toMatchObject({ credits: { least: 40, most: 40 } });
    const stats = [{ operation: 'stats', requests: { least: 1, most: 1 } }] as const;
    expect(quote(stats, 4)).toMatchObject({ requests: { most: 0 }, credits: { most: 0 } });
  });
});
