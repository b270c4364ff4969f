import { afterEach, beforeEach, expect } from 'vitest';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';
import { it } from '../support/fixtures.ts';

const { DateTimeFormat } = Intl;
/** The zones that Intl was asked for. */
const asked: unknown[] = [];

beforeEach(() => {
  asked.length = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, [locales, options]) {
      asked.push(options?.timeZone);
      return new target(locales, options);
    },
  });
});
afterEach(() => {
  Intl.DateTimeFormat = DateTimeFormat;
});

it('Intl, which takes long to load, is asked of other zones than UTC alone', () => {
  expect(['', 'UTC', 'Mars/Base', 'Asia/Tokyo'].map((name) => zoneNamed(name)?.name)).toEqual([
    undefined,
    UTC.name,
    undefined,
    'Asia/Tokyo',
  ]);
  expect(asked).toEqual(['Mars/Base', 'Asia/Tokyo']);
});

it.for([['snapshot'], ['signals', 'ls'], ['stats'], ['access'], ['screeners']])(
  'Intl is not asked by the page of %j where no zone is named',
  async (words, { here }) => {
    const { code } = await here(words, { tty: 100 });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
  },
);
