/** Groups, values that are made once, and what is small beside them. */
import { expect, it } from 'vitest';
import {
  deepCopy,
  groupBy,
  lazily,
  matches,
  once,
  oncePerKey,
} from '../../src/base/collections.ts';
import { mean } from '../../src/base/numbers.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { waitBeforeTrying } from '../../src/base/waits.ts';
import { andWords, orWords } from '../../src/base/words.ts';

it('groups are in the order of their first items, and so are the items of each', () => {
  expect([...groupBy([3, 1, 4, 1, 5, 9], (number) => number % 2)]).toEqual([
    [1, [3, 1, 1, 5, 9]],
    [0, [4]],
  ]);
  expect([...groupBy([], () => 1)]).toEqual([]);
});

it('a value is made once for each key, also where it is undefined', () => {
  const asked: string[] = [];
  const lengthOf = oncePerKey((name: string) => {
    asked.push(name);
    return name === '' ? undefined : name.length;
  });
  expect([lengthOf('a'), lengthOf(''), lengthOf('a'), lengthOf('')]).toEqual([
    1,
    undefined,
    1,
    undefined,
  ]);
  expect(asked).toEqual(['a', '']);
});

it('a value is made once: for all calls, for each key, or for each field', () => {
  const made: string[] = [];
  const make = (name: string) => {
    made.push(name);
    return name;
  };
  const one = once(() => {
    made.push('once');
    return undefined;
  });
  const perKey = oncePerKey(make);
  const fields = lazily({ a: () => make('field a'), b: () => make('field b') });
  expect(made).toEqual([]);
  expect({ names: Object.keys(fields), made }).toEqual({ names: ['a', 'b'], made: [] });
  expect([one(), one(), perKey('x'), perKey('y'), perKey('x'), fields.a, fields.a]).toEqual([
    undefined,
    undefined,
    'x',
    'y',
    'x',
    'field a',
    'field a',
  ]);
  expect({ copy: { ...fields }, made }).toEqual({
    copy: { a: 'field a', b: 'field b' },
    made: ['once', 'x', 'y', 'field a', 'field b'],
  });
});

it('any value matches where none is wanted', () => {
  expect({
    same: matches('a', 'a'),
    other: matches('a', 'b'),
    any: matches('a', undefined),
  }).toEqual({ same: true, other: false, any: true });
});

it('a mean of nothing is 0', () => {
  expect({ none: mean([]), some: mean([1, 2, 6]) }).toEqual({ none: 0, some: 3 });
});

it('what has failed is left alone for an hour, six, twenty, three days, and then a week each time', () => {
  expect([1, 2, 3, 4, 5, 6].map(waitBeforeTrying)).toEqual([
    HOUR,
    6 * HOUR,
    20 * HOUR,
    3 * DAY,
    7 * DAY,
    7 * DAY,
  ]);
});

it('a list of words ends with its conjunction', () => {
  expect({ two: andWords(['a', 'b']), three: orWords(['a', 'b', 'c']) }).toEqual({
    two: 'a and b',
    three: 'a, b or c',
  });
});

it('a deep copy has the same values, and nothing in common with what it was made of', () => {
  const stats = { charged: 5 };
  const original = { days: [{ day: 1, stats }], access: null };
  const copy = deepCopy(original);
  expect(copy).toEqual(original);
  for (const day of copy.days) day.stats.charged = 6;
  copy.days.push({ day: 2, stats: { charged: 1 } });
  expect(original).toEqual({ days: [{ day: 1, stats: { charged: 5 } }], access: null });
  const named = JSON.parse('{"__proto__":{"charged":5}}');
  expect(Object.keys(deepCopy(named))).toEqual(['__proto__']);
});
