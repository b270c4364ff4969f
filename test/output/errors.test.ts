import { describe, expect, it } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { renderError } from '../../src/output/errors.ts';

const full = new ScreenerError('quota_exhausted', 'No\x1b[2J credits\nleft.', {
  hint: 'Come back\u202e later.',
  status: 429,
  retryAfter: 3600,
  retryAt: Date.UTC(2026, 10, 20, 19, 5),
});

describe('renderError', () => {
  it('is a sentence and a hint for people, with nothing a terminal acts on', () => {
    expect(renderError(full, 'table')).toBe('error: No\\u001b[2J credits\\nleft.\nhint: Come back\\u202e later.\n');
    expect(renderError(new ScreenerError('timeout', 'Too slow.'), 'table')).toBe('error: Too slow.\n');
  });

  it.each(['json', 'ndjson', 'csv'] as const)('is one JSON line in %s', (format) => {
    const text = renderError(full, format);
    expect(text.match(/\n/g)).toHaveLength(1);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'quota_exhausted',
        exit_code: 7,
        status: 429,
        message: 'No\x1b[2J credits\nleft.',
        hint: 'Come back\u202e later.',
        retry_after: 3600,
        retry_at: '2026-11-20T19:05:00.000Z',
      },
    });
  });

  it('leaves out what there is not', () => {
    expect(JSON.parse(renderError(new ScreenerError('network', 'Refused.', { retryAt: 1e300 }), 'json'))).toEqual({
      error: { code: 'network', exit_code: 8, message: 'Refused.' },
    });
  });
});
