import { describe, expect, it } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { renderError as render } from '../../src/output/errors.ts';
import type { Format } from '../../src/output/formats.ts';
import { testContext } from '../support/context.ts';

const full = new ScreenerError('quota_exhausted', 'No\x1b[2J credits\nleft.', {
  hint: 'Come back\u202e later.',
  status: 429,
  retryAfter: 3600,
  retryAt: Date.UTC(2026, 10, 20, 19, 5),
});

const renderError = (error: ScreenerError, format: Format) => render(testContext(), error, format, false);

describe('renderError', () => {
  it('is a sentence and a hint for people, with nothing a terminal acts on', async () => {
    expect(await renderError(full, 'table')).toBe(
      'error: No\\u001b[2J credits\\nleft.\nhint: Come back\\u202e later.\n',
    );
    expect(await renderError(new ScreenerError('timeout', 'Too slow.'), 'table')).toBe('error: Too slow.\n');
  });

  it('gives a command line that the hint offers a line of its own, never broken', async () => {
    const error = new ScreenerError('usage', 'No `x y` here, sorry.', {
      hint: 'Try this one instead:\nscreener signals ls --all',
    });
    expect(await renderError(error, 'table')).toBe(
      'error: No `x y` here, sorry.\nhint: Try this one instead:\n  screener signals ls --all\n',
    );
    expect(await render(testContext({ errorWidth: 14 }), error, 'table', false)).toBe(
      'error: No\n`x y` here,\nsorry.\nhint: Try this\none instead:\n  screener signals ls --all\n',
    );
  });

  it.each([
    ['table', undefined],
    ['table', 80],
    ['json', undefined],
  ] as const)('is cut where the service made it long, also in a mail: %s', (format, errorWidth) => {
    const error = new ScreenerError('bad_answer', `Unknown: ${'ж'.repeat(10_000_000)}.`);
    const text = render(testContext(errorWidth === undefined ? {} : { errorWidth }), error, format, false);
    expect(text.length).toBeLessThan(2_200);
    expect(text).toContain('ж…');
  });

  it.each(['json', 'ndjson', 'csv'] as const)('is one JSON line in %s', async (format) => {
    const text = await renderError(full, format);
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

  it('leaves out what there is not', async () => {
    expect(JSON.parse(await renderError(new ScreenerError('network', 'Refused.', { retryAt: 1e300 }), 'json'))).toEqual(
      {
        error: { code: 'network', exit_code: 8, message: 'Refused.' },
      },
    );
  });
});
