import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/api/retry-after.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['3', 3],
    [' 3 ', 3],
    ['0', 0],
    ['1.5', 2],
    ['0.001', 1],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ])('%s is %s s', (text, seconds) => expect(parseRetryAfter(text, now)).toBe(seconds));

  it.each([undefined, '', '-1', 'soon', '1e3', '3s', 'Infinity', '2026-11-20'])('%s says nothing', (text) =>
    expect(parseRetryAfter(text, now)).toBeUndefined(),
  );
});
