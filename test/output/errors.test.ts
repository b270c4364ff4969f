import { expect, it } from 'vitest';
import { ScreenerError } from '../../src/errors.ts';
import { main } from '../../src/main.ts';
import { renderError } from '../../src/output/errors.ts';
import type { Format } from '../../src/output/formats.ts';
import { testContext } from '../support/context.ts';

const full = new ScreenerError('quota_exhausted', 'No\x1b[2J credits\nleft.', {
  hint: 'Come back\u202e later.',
  status: 429,
  retryAfter: 3600,
  retryAt: Date.UTC(2026, 10, 20, 19, 5),
});

const shown = (error: ScreenerError, format: Format, errorWidth?: number) =>
  renderError(testContext(errorWidth === undefined ? {} : { errorWidth }), error, format, false);

it('an error is a sentence and a hint for people, with nothing a terminal acts on', () => {
  expect(shown(full, 'table')).toBe(
    'error: No\\u001b[2J credits\\nleft.\nhint: Come back\\u202e later.\n',
  );
});

it('a command line that the hint offers has a line of its own, never broken', () => {
  const hint = 'Try this one instead:\nscreener signals ls --all';
  expect(shown(new ScreenerError('usage', 'No `x y` here, sorry.', { hint }), 'table', 14)).toBe(
    'error: No\n`x y` here,\nsorry.\nhint: Try this\none instead:\n  screener signals ls --all\n',
  );
});

it.each(['json', 'ndjson', 'csv'] as const)(
  'an error is one JSON line in %s, without what there is not',
  (format) => {
    const text = shown(full, format);
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
    const bare = shown(new ScreenerError('network', 'Refused.'), format);
    expect(JSON.parse(bare)).toEqual({
      error: { code: 'network', exit_code: 8, message: 'Refused.' },
    });
  },
);

const forEver = (): number => 1 + forEver();
it.each<[() => unknown, string]>([
  [forEver, 'too large'],
  [() => 'x'.repeat(2 ** 29 - 24) + 'x'.repeat(9), 'too large'],
  [() => Buffer.alloc(2 ** 29, 'x').toString(), 'too large'],
  [() => Array.from({ length: 2 ** 32 }), 'too large'],
  [() => new Date(Number.NaN).toISOString(), 'a bug'],
  [() => (1).toFixed(101), 'a bug'],
  [() => new Intl.DateTimeFormat('en', { timeZone: 'Nowhere' }), 'a bug'],
])('what the engine throws at %s is %s', async (fail, sentence) => {
  const context = testContext({ argv: ['--version'] });
  context.stdout.write = async () => void fail();
  expect(await main(context)).toBe(1);
  expect(context.stderr.text).toContain(sentence);
});
