import { expect, it } from 'vitest';
import { statusError } from '../../src/api/status-error.ts';

it.each([
  [401, 'Invalid, expired or revoked key.', /^The key was not accepted: .* revoked\.$/],
  [404, 'NOT_FOUND', /^Not found\.$/],
  [429, '150 a day', / The service said: 150 a day$/],
])('status %i with %s: what the service said is repeated where it says more', (status, errors, message) => {
  const error = statusError('/signals', '/signals', { status, errors, retryAfter: undefined, at: 0 });
  expect(error.message).toMatch(message);
});
