import { expect, it } from 'vitest';
import { statusError } from '../../src/api/status-error.ts';

const messageOf = (status: number, errors: string) =>
  statusError('/signals', '/signals', { status, errors, retryAfter: undefined, at: 0 }).message;

it('repeats what the service said only where it says more than the error itself', () => {
  expect(messageOf(401, 'Invalid, expired or revoked key.')).toMatch(/^The key was not accepted: .* revoked\.$/);
  expect(messageOf(404, 'NOT_FOUND')).not.toContain('said');
  expect(messageOf(429, '150 a day')).toMatch(/ The service said: 150 a day$/);
});

it.each([
  ['/signals?since=2026-01-01T00%3A00%3A00Z&limit=25', /later --since/],
  ['/signals?since=2026-01-01T00%3A00%3A00Z&cursor=abc', /cursor may expire/],
  ['/signals?symbol=X', /^Correct the options\.$/],
])('a rejected %s says what may be wrong with it', (target, hint) => {
  const error = statusError('/signals', target, { status: 422, errors: 'no', retryAfter: undefined, at: 0 });
  expect(error).toMatchObject({ code: 'invalid_arguments', hint: expect.stringMatching(hint) });
});
