/** What a service may leave out is missing without harm: in the contract, in an outcome, and among horizons. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { HORIZON_NAMES, horizonsIn, MAIN_HORIZON } from '../../src/api/contract/horizons.ts';
import { described, listed, unlistedValues } from '../../src/api/contract/primitives.ts';
import { measuredAt } from '../../src/outcomes/row.ts';
import { fieldsOf } from '../../src/output/described-fields.ts';

const resource = v.looseObject({
  state: v.optional(listed(v.string(), ['pending'], 'a state')),
  inner: v.optional(described(v.looseObject({ state: listed(v.string(), ['pending'], 'a state') }), 'more of it')),
});

it('an optional field that is missing has no unlisted value; one that is there may have', () => {
  expect(v.is(resource, {})).toBe(true);
  expect(unlistedValues(resource, {})).toEqual([]);
  expect(unlistedValues(resource, { inner: { state: 'new' } })).toEqual([{ field: 'state', value: 'new' }]);
  expect(fieldsOf(resource).map(({ name, optional }) => ({ name, optional }))).toEqual([
    { name: 'state', optional: true },
    { name: 'inner', optional: true },
    { name: 'inner.state', optional: undefined },
  ]);
});

it('a horizon that is missing was not measured', () => {
  for (const name of HORIZON_NAMES) expect(measuredAt({}, name)).toEqual({ state: undefined, move: null, btc: null });
  expect(horizonsIn({ [MAIN_HORIZON]: 1 })).toEqual([[MAIN_HORIZON, 1]]);
});
