import { describe, expect, it } from 'vitest';
import { nextWait, parseRetryAfter } from '../../src/api/retry.ts';
import { NoAnswer } from '../../src/api/transport-errors.ts';

type Failure = Parameters<typeof nextWait>[0][number];

const failed = (status: number, retryAfter: number | undefined): Failure => ({ status, retryAfter, cause: undefined });
const unsent: Failure = { status: undefined, retryAfter: undefined, cause: new NoAnswer() };

// Statuses, lost answers and their waits are in test/faults.
describe('when to try again', () => {
  it('never comes back immediately, not even when told 0', () => {
    expect(nextWait([failed(503, 0)], { cost: 1 })).toBe(1000);
  });

  it('repeats what never left twice, whatever it costs', () => {
    expect(nextWait([unsent], { cost: 5 })).toBe(500);
    expect(nextWait([unsent, unsent], { cost: 5 })).toBe(1000);
    expect(nextWait([unsent, unsent, unsent], { cost: 1 })).toBeUndefined();
    expect(
      nextWait([{ ...unsent, cause: Object.assign(new NoAnswer(), { remedy: 'mend it' }) }], { cost: 1 }),
    ).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['3', 3],
    [' 3 ', 3],
    ['0', 0],
    ['99999999999999999999', 31 * 86_400],
  ])('%s is %s s', (text, seconds) => expect(parseRetryAfter(text)).toBe(seconds));

  it.each([undefined, '', '-1', 'soon', '1e3', '3s', 'Infinity', '1.5', 'Fri, 20 Nov 2026 12:00:30 GMT'])(
    '%s says nothing',
    (text) => expect(parseRetryAfter(text)).toBeUndefined(),
  );
});
