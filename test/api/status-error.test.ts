import { expect, it } from 'vitest';
import { statusError } from '../../src/api/status-error.ts';

const messageOf = (status: number, errors: string) =>
  statusError('/signals', '/signals', { status, errors, retryAfter: undefined, at: 0 }).message;

it('repeats what the service said only where it says more than the error itself', () => {
  expect(messageOf(401, 'Invalid, expired or revoked key.')).toMatch(/^The key was not accepted: .* revoked\.$/);
  expect(messageOf(404, 'NOT_FOUND')).not.toContain('said');
  expect(messageOf(429, '150 a day')).toMatch(/ The service said: 150 a day$/);
});
