import { parse } from 'valibot';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/api/limits.ts';
import { limitsOf } from '../../src/credits/credit-ceiling.ts';
import { NOTHING, Usage } from '../../src/credits/usage.ts';

it('each limit of credits in the document bounds what may be spent', () => {
  const periods = Object.keys(LIMITS)
    .filter((name) => name.startsWith('creditsPer'))
    .map((name) => name.slice('creditsPer'.length).toLowerCase());
  const limits = limitsOf(parse(Usage, {}), {}, NOTHING, 0);
  const unbounded = periods.filter((period) => !Object.hasOwn(limits, period));
  expect(unbounded, 'limitsOf of src/credits/credit-ceiling.ts').toEqual([]);
  expect(periods).toContain('day');
});
