import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeIssue } from '../../src/api/breach.ts';
import {
  byAllowance,
  CREDITS_A_DAY,
  DOCUMENTED_ALLOWANCES,
  windowsOf,
} from '../../src/api/limits.ts';
import { OPERATIONS } from '../../src/api/operations.ts';

it('an account may send as many requests as it is told, else as the document says', () => {
  const minute = { name: 'minute', millis: 60_000 };
  expect({
    documented: DOCUMENTED_ALLOWANCES,
    told: windowsOf({ per_minute: 40 }),
    untold: windowsOf({}),
    read: byAllowance((field) => field.length),
    aDay: CREDITS_A_DAY,
  }).toEqual({
    documented: { per_minute: 15 },
    told: [{ ...minute, allowance: 40 }],
    untold: [{ ...minute, allowance: 15 }],
    read: { per_minute: 10 },
    aDay: 150,
  });
});

it('an operation costs what the document says', () => {
  const costs = Object.entries(OPERATIONS).map(([name, { cost }]) => [name, cost]);
  expect(Object.fromEntries(costs)).toEqual({
    access: 0,
    snapshot: 1,
    signals: 1,
    signal: 1,
    stats: 5,
    screeners: 1,
  });
});

it('what does not match a schema is named by its place', () => {
  const wordsOf = (schema: v.GenericSchema, input: unknown, root?: string) => {
    const [issue] = v.safeParse(schema, input).issues ?? [];
    return issue === undefined ? undefined : describeIssue(issue, root);
  };
  const schema = v.object({ items: v.array(v.object({ id: v.number() })) });
  const own = v.pipe(
    v.string(),
    v.check(() => false, 'is not liked'),
  );
  expect({
    inside: wordsOf(schema, { items: [{ id: 1 }, {}] }, 'response'),
    withoutRoot: wordsOf(schema, { items: 'x' }),
    whole: wordsOf(schema, null),
    wholeWithRoot: wordsOf(schema, null, 'response'),
    large: wordsOf(v.number(), 2n ** 60n),
    ours: wordsOf(own, 'x'),
    fits: wordsOf(schema, { items: [] }),
  }).toEqual({
    inside: 'response.items[1].id: missing',
    withoutRoot: 'items: expected Array, got string',
    whole: 'expected Object, got null',
    wholeWithRoot: 'response: expected Object, got null',
    large: 'a number too large to be kept exactly',
    ours: 'is not liked',
    fits: undefined,
  });
});
