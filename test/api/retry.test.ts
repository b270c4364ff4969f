import { expect, it } from 'vitest';
import { NoAnswer } from '../../src/api/no-answer.ts';
import { nextWait } from '../../src/api/retry.ts';

const unsent = { status: undefined, retryAfter: undefined, cause: new NoAnswer('') };

// Waits, and Retry-After as services send it, are in test/faults.
it('repeats what never left twice, whatever it costs, but not what fails likewise', () => {
  const waits = [1, 2, 3].map((count) => nextWait(Array(count).fill(unsent), { cost: 5 }));
  expect(waits).toEqual([500, 1000, undefined]);
  const remedied = { ...unsent, cause: new NoAnswer('', { remedy: 'mend it' }) };
  expect(nextWait([remedied], { cost: 1 })).toBeUndefined();
});
