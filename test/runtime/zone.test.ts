import { afterEach, beforeEach, expect, vi } from 'vitest';
import { UTC, zoneNamed } from '../../src/runtime/zone.ts';
import { it } from '../support/fixtures.ts';

const asked = vi.fn();
beforeEach(() => {
  asked.mockReset();
  const { DateTimeFormat } = Intl;
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation((...given) => {
    asked(given[1]?.timeZone);
    return new DateTimeFormat(...given);
  });
});
afterEach(() => void vi.restoreAllMocks());

it('Intl, which takes long to load, is asked of other zones than UTC alone', () => {
  expect(['', 'UTC', 'Mars/Base', 'Asia/Tokyo'].map((name) => zoneNamed(name)?.name)).toEqual([
    undefined,
    UTC.name,
    undefined,
    'Asia/Tokyo',
  ]);
  expect(asked.mock.calls.flat()).toEqual(['Mars/Base', 'Asia/Tokyo']);
});

it.for([['snapshot'], ['signals', 'ls'], ['stats'], ['access'], ['today']])(
  'Intl is not asked by the page of %j where no zone is named',
  async (words, { here }) => {
    const { code } = await here(words, { tty: 100 });
    expect({ code, asked: asked.mock.calls.flat() }).toEqual({ code: 0, asked: [] });
  },
);
