/** Parts of the list: each step alone, without a service. */

import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { lookBack } from '../../src/history/export/look-back.ts';
import {
  dueGaps,
  gapsWithout,
  newestToRead,
  wantedSince,
  withoutPart,
  withPart,
} from '../../src/history/export/spans.ts';
import { Coverage, type Gap, type LookBack } from '../../src/history/store/manifest.ts';
import { DAY, HOUR, NOW } from './support.ts';

const time = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
/** From and to so many days before now. */
const days = (since: number, until: number) => ({
  since: NOW - since * DAY,
  until: NOW - until * DAY,
});
const stored = (since: number, until: number) => ({
  since: time(NOW - since * DAY),
  until: time(NOW - until * DAY),
});
const covered = (more: Record<string, unknown>): Coverage => parse(Coverage, more);

describe('a span that was read', () => {
  const spans = [stored(3, 0), stored(10, 7)];

  it.each([
    { title: 'lies apart', added: days(6, 4), joined: [stored(3, 0), stored(6, 4), stored(10, 7)] },
    { title: 'touches one', added: days(5, 3), joined: [stored(5, 0), stored(10, 7)] },
    { title: 'joins two', added: days(7, 3), joined: [stored(10, 0)] },
    { title: 'lies within', added: days(2, 1), joined: spans },
    { title: 'is empty', added: days(5, 5), joined: spans },
  ])('$title', ({ added, joined }) => expect(withPart(spans, added)).toEqual(joined));

  it.each([
    { title: 'in the middle', part: days(2, 1), rest: [stored(1, 0), stored(3, 2), stored(10, 7)] },
    { title: 'over two', part: days(8, 2), rest: [stored(2, 0), stored(10, 8)] },
    { title: 'whole', part: days(10, 7), rest: [stored(3, 0)] },
  ])('is asked for again: $title', ({ part, rest }) =>
    expect(withoutPart(spans, part)).toEqual(rest),
  );
});

describe('how far back a run asks', () => {
  const begin = { begins_at: time(NOW - 30 * DAY), begins_since: time(NOW - 60 * DAY) };

  it.each([
    { title: 'to the beginning', coverage: begin, since: undefined, goal: NOW - 30 * DAY },
    { title: 'to --since', coverage: begin, since: NOW - 20 * DAY, goal: NOW - 20 * DAY },
    {
      title: 'no further where that was asked for',
      coverage: begin,
      since: NOW - 60 * DAY,
      goal: NOW - 30 * DAY,
    },
    {
      title: 'further for an older --since',
      coverage: begin,
      since: NOW - 61 * DAY,
      goal: NOW - 61 * DAY,
    },
    { title: 'to the first card of all', coverage: {}, since: undefined, goal: 0 },
  ])('$title', ({ coverage, since, goal }) => {
    expect(wantedSince(covered(coverage), since)).toBe(goal);
  });

  it('leaves the newest unread part, down to the next span or to --since', () => {
    const coverage = covered({ spans: [stored(2, 0), stored(9, 6)], gaps: [] });
    expect({
      toNextSpan: newestToRead(coverage, NOW - 8 * DAY),
      toSince: newestToRead(coverage, NOW - 4 * DAY),
      none: newestToRead(coverage, NOW - 2 * DAY),
    }).toEqual({ toNextSpan: days(6, 2), toSince: days(4, 2), none: undefined });
  });

  it('leaves out the gaps, wherever they lie', () => {
    const gap = { at: time(NOW), times: 1 };
    const unread = (spans: Coverage['spans'], since: number, until: number) =>
      newestToRead(covered({ spans, gaps: [{ ...stored(since, until), ...gap }] }), undefined);
    const spans = [stored(2, 0), stored(9, 6)];
    expect({
      whole: unread(spans, 6, 2),
      newest: unread(spans, 3, 2),
      oldest: unread(spans, 6, 5),
      middle: unread(spans, 5, 3),
      beforeAll: unread([stored(2, 0)], 9, 2),
      afterAll: unread([stored(2, 1)], 1, 0),
    }).toEqual({
      whole: { since: 0, until: NOW - 9 * DAY },
      newest: days(6, 3),
      oldest: days(5, 2),
      middle: days(3, 2),
      beforeAll: { since: 0, until: NOW - 9 * DAY },
      afterAll: { since: 0, until: NOW - 2 * DAY },
    });
  });
});

describe('a gap is asked for again', () => {
  const recent = { since: NOW - 12 * HOUR, until: Number.POSITIVE_INFINITY };
  const gapOf = (at: number, more: Partial<Gap> = {}): Gap => ({
    ...stored(9, 8),
    at: time(at),
    times: 1,
    ...more,
  });
  const isDue = (gap: Gap) => dueGaps([gap], NOW, { recent, since: 0 }).length === 1;

  it('after an hour, after six, and where it is listed in any case', () => {
    expect({
      afterAnHour: isDue(gapOf(NOW - HOUR)),
      sooner: isDue(gapOf(NOW - HOUR + 1000)),
      twiceAfterAnHour: isDue(gapOf(NOW - HOUR, { times: 2 })),
      recent: isDue(gapOf(NOW, stored(0.4, 0.3))),
      recentAndDue: isDue(gapOf(NOW - HOUR, stored(0.4, 0.3))),
    }).toEqual({
      afterAnHour: true,
      sooner: false,
      twiceAfterAnHour: false,
      recent: true,
      recentAndDue: true,
    });
  });

  it('where the list seems to begin on another UTC day, 20 hours later, however often it was asked for', () => {
    const begun = (first: number) => ({ begin: { first: time(first), last: time(NOW - HOUR) } });
    expect({
      sooner: isDue(gapOf(NOW - HOUR, begun(NOW - 20 * HOUR + 1000))),
      after20Hours: isDue(gapOf(NOW - HOUR, { ...begun(NOW - 20 * HOUR), times: 9 })),
    }).toEqual({ sooner: false, after20Hours: true });
  });

  it('not where a wrong clock left its time ahead, until that many hours are over', () => {
    expect({ nineDaysAhead: isDue(gapOf(NOW + 9 * DAY)) }).toEqual({ nineDaysAhead: false });
  });

  it('two of them in a run, those that have waited longest', () => {
    const waits = [3, 5, 4].map((count) => gapOf(NOW - count * DAY));
    expect(dueGaps(waits, NOW, { recent, since: 0 }).map(({ at }) => at)).toEqual([
      time(NOW - 5 * DAY),
      time(NOW - 4 * DAY),
    ]);
  });

  it('not where the list is not wanted: such a gap takes no turn from another, but a look back reads it', () => {
    const old = gapOf(NOW - 5 * DAY);
    const wanted = [4, 3].map((count) => gapOf(NOW - count * DAY, stored(5, 4)));
    const inLook = gapOf(NOW, stored(0.4, 0.3));
    const asked = (gaps: readonly Gap[], since: number) => dueGaps(gaps, NOW, { recent, since });
    expect(asked([old, ...wanted], NOW - 8 * DAY)).toEqual(wanted);
    expect(asked([old, ...wanted], NOW - 8.5 * DAY)).toEqual([old, wanted[0]]);
    expect(asked([inLook], NOW)).toEqual([inLook]);
  });
});

it('a gap keeps its count where a part of it is read, and no beginning that was seen elsewhere', () => {
  const gap = { ...stored(9, 3), at: time(NOW), times: 4 };
  const begun = { ...gap, begin: { first: time(NOW), last: time(NOW) } };
  expect({
    newest: gapsWithout([begun], days(5, 3)),
    oldest: gapsWithout([begun], days(9, 5)),
    middle: gapsWithout([gap], days(6, 5)),
    whole: gapsWithout([gap], days(9, 3)),
  }).toEqual({
    newest: [{ ...gap, ...stored(9, 5) }],
    oldest: [{ ...begun, ...stored(5, 3) }],
    middle: [
      { ...gap, ...stored(5, 3) },
      { ...gap, ...stored(9, 6) },
    ],
    whole: [],
  });
});

describe('a look back', () => {
  const look = (at: number, lateAt = at): LookBack => ({
    at: time(at),
    back: 12 * HOUR,
    late_at: time(lateAt),
    late_by: 0,
  });
  const reach = (before: LookBack | null) => {
    const due = lookBack(before, NOW);
    return due && (NOW - due.since) / HOUR;
  };

  it('is due once a UTC day, and behind the look before', () => {
    expect({
      first: reach(null),
      today: reach(look(NOW)),
      yesterday: reach(look(NOW - DAY)),
      ofAWrongClock: reach(look(NOW + HOUR)),
    }).toEqual({ first: 12, today: undefined, yesterday: 36, ofAWrongClock: 12 });
  });

  it('is short where no card came late for two weeks', () => {
    expect({
      two: reach(look(NOW - DAY, NOW - 14 * DAY)),
      more: reach(look(NOW - DAY, NOW - 14 * DAY - 1000)),
    }).toEqual({ two: 36, more: 26 });
  });
});
