/** Small parts of a history: what is final, times out of the future, failures of parts, and lines of files. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { HOUR } from '../../src/base/units.ts';
import { refusedInWords, retryTimeOfPart } from '../../src/history/export/refused.ts';
import { timesOfLines, withoutFuture } from '../../src/history/store/clamp.ts';
import { isFinal, isSettledMeasure, withObservation } from '../../src/history/store/final.ts';
import {
  asStoredCard,
  isCompleteCard,
  isSettled,
  mergeVersions,
  type StoredCard,
} from '../../src/history/store/layout.ts';
import { parseJson, readValues } from '../../src/history/store/lines.ts';
import { type PartFailure, withFailure } from '../../src/history/store/part-states.ts';
import { it } from '../support/fixtures.ts';
import { card, measuredDetail } from '../support/samples.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const timeAt = (hours: number) => formatApiTime(NOON + hours * HOUR);

describe('what cannot be taken back', () => {
  const seen = (first: number, last: number) => ({ first: timeAt(first), last: timeAt(last) });

  it('is observed on two UTC days, 20 hours apart', () => {
    const seenOn = (first: number, last: number) => isFinal(seen(first, last));
    expect({
      never: isFinal(undefined),
      sameDay: seenOn(-12, 11.9),
      overMidnight: seenOn(11.5, 12.5),
      eveningAndMorning: seenOn(8, 20),
      anHourEarly: seenOn(0, 23),
      clocksSetAndAnHourEarly: seenOn(0, 22),
      twentyHours: seenOn(0, 20),
      lessThanTwenty: seenOn(0, 19.9),
    }).toEqual({
      never: false,
      sameDay: false,
      overMidnight: false,
      eveningAndMorning: false,
      anHourEarly: true,
      clocksSetAndAnHourEarly: true,
      twentyHours: true,
      lessThanTwenty: false,
    });
  });

  it('keeps its first time, unless the clock was ahead then', () => {
    const at = (hours: number) => NOON + hours * HOUR;
    expect({
      first: withObservation(undefined, at(0)),
      again: withObservation(seen(-30, -20), at(0)),
      wasAhead: withObservation(seen(30, 30), at(0)),
    }).toEqual({ first: seen(0, 0), again: seen(-30, 0), wasAhead: seen(0, 0) });
  });

  it('of an outcome is a state of the document, with a move if it is available', () => {
    const settled = (state: unknown, move: number | null) =>
      isSettledMeasure({ state, move, btc: null });
    expect({
      available: settled('available', 0),
      withoutMove: settled('available', null),
      missing: settled('missing', null),
      pending: settled('pending', null),
      new: settled('delayed', 1),
    }).toEqual({
      available: true,
      withoutMove: false,
      missing: true,
      pending: false,
      new: false,
    });
  });
});

describe('times after now', () => {
  it('are taken for now, however deep they lie, and nothing else changes', () => {
    const value = {
      ahead: timeAt(1),
      list: [timeAt(-1), { ahead: timeAt(99) }],
      text: '2099',
      number: 7,
      none: null,
    };
    expect(withoutFuture(value, NOON)).toEqual({
      ahead: timeAt(0),
      list: [timeAt(-1), { ahead: timeAt(0) }],
      text: '2099',
      number: 7,
      none: null,
    });
  });

  it('of lines are those of the line below', () => {
    const hours = timesOfLines(
      [1, 99, 3, 98, 97, 5, 99].map((hour) => NOON + hour * HOUR),
      NOON + 6 * HOUR,
    );
    expect(hours.map((time) => (time - NOON) / HOUR)).toEqual([1, 3, 3, 5, 5, 5, 6]);
  });
});

describe('a part of the export that fails', () => {
  const failure = (more: Partial<PartFailure> = {}): PartFailure => ({
    since: timeAt(-48),
    at: timeAt(0),
    times: 1,
    status: 503,
    code: 'unavailable',
    message: 'No.',
    ...more,
  });

  it('is counted from its first failure on', () => {
    const error = { status: 503, code: 'unavailable', message: 'No.' } as const;
    const at = (hours: number) => NOON + hours * HOUR;
    const first = withFailure(null, error, at(-48));
    expect(first).toEqual(failure({ at: timeAt(-48) }));
    expect({
      again: withFailure(first, error, at(0)),
      clockWasAhead: withFailure(failure({ since: timeAt(50) }), error, at(0)).since,
      undocumented: withFailure(null, { ...error, code: 'bad_answer' }, at(0)).status,
      unanswered: withFailure(null, { ...error, status: undefined, code: 'network' }, at(0)).status,
    }).toEqual({
      again: failure({ times: 2 }),
      clockWasAhead: timeAt(0),
      undocumented: null,
      unanswered: null,
    });
  });

  it('is asked again at once, then after an hour, six, and daily', () => {
    const waits = [1, 2, 3, 4, 5, 9].map(
      (times) => (retryTimeOfPart(failure({ times })) - NOON) / HOUR,
    );
    expect(waits).toEqual([0, 1, 6, 20, 20, 20]);
  });

  it('is told with its first day, its status, and the outcomes that wait', () => {
    expect({
      details: refusedInWords('details', failure(), 2),
      single: refusedInWords('details', failure(), 1),
      medians: refusedInWords('medians', failure({ status: null }), 2),
      list: refusedInWords('list', failure({ status: null, code: 'bad_answer' }), 2),
    }).toEqual({
      details: 'Details refused since 18 Nov (503): 2 outcomes wait',
      single: 'Details refused since 18 Nov (503): 1 outcome waits',
      medians: 'Medians refused since 18 Nov (no answer)',
      list: 'List refused since 18 Nov (not as documented)',
    });
  });
});

describe('lines of a file', () => {
  it('that are no value are counted, with the number of the first', async ({ home }) => {
    const file = path.join(home.folder, 'lines');
    writeFileSync(file, '{"n":1}\n\n{"n":"x"}\n{"n":2}\nrubbish\n');
    expect(await readValues(file, v.object({ n: v.number() }))).toEqual({
      values: [{ n: 1 }, { n: 2 }],
      // Empty lines are numbered, as an editor does, and are no damage.
      damaged: { count: 2, first: 3 },
    });
    expect(await readValues(path.join(home.folder, 'none'), v.number())).toEqual({
      values: [],
      damaged: { count: 0, first: undefined },
    });
  });

  it('are none that the service could not have sent', () => {
    const deep = `${'['.repeat(2001)}${']'.repeat(2001)}`;
    expect({
      infinite: parseJson('{"a":1e999}'),
      infiniteByDigits: parseJson(`{"a":1${'0'.repeat(299)}e50}`),
      longInteger: parseJson(`{"a":1${'0'.repeat(310)}}`),
      fewestDigits: parseJson(`{"a":-${'9'.repeat(210)}.5e99}`),
      large: parseJson('{"a":1e99}'),
      deep: parseJson(deep),
      cut: parseJson('{"a":'),
    }).toEqual({
      infinite: undefined,
      infiniteByDigits: undefined,
      longInteger: { a: 10n ** 310n },
      fewestDigits: undefined,
      large: { a: 1e99 },
      deep: undefined,
      cut: undefined,
    });
  });
});

describe('a stored card', () => {
  const listed = card({ id: 7 }) as unknown as StoredCard;
  const detail = (state: string) =>
    measuredDetail(card({ id: 7 }), () => ({
      state,
      move: state === 'available' ? 1 : null,
      btc: null,
    })) as unknown as StoredCard;

  it('is replaced by what says more of it, and keeps its settled outcome', () => {
    const pending = detail('pending');
    const settled = detail('available');
    const renamed = { ...listed, source_symbol: 'NEWUSDT' };
    const outcomeOf = ({ outcome, source_symbol }: StoredCard) => ({ outcome, source_symbol });
    expect({
      first: mergeVersions(undefined, listed),
      bought: mergeVersions(listed, pending),
      settled: mergeVersions(pending, settled),
      listedAgain: outcomeOf(mergeVersions(settled, renamed)),
      readLater: mergeVersions(settled, pending).outcome,
      pendingTwice: mergeVersions(pending, detail('missing')),
    }).toEqual({
      first: listed,
      bought: pending,
      settled,
      listedAgain: { outcome: settled.outcome, source_symbol: 'NEWUSDT' },
      readLater: settled.outcome,
      pendingTwice: detail('missing'),
    });
    expect({
      listed: isSettled(listed),
      pending: isSettled(pending),
      settled: isSettled(settled),
      withoutOutcome: isSettled({ ...settled, outcome: null }),
    }).toEqual({ listed: false, pending: false, settled: true, withoutOutcome: false });
  });

  it('has an id, a time, a symbol and a type; else it is none', () => {
    const isCard = (value: unknown) => asStoredCard(value) !== undefined;
    expect({
      card: asStoredCard(listed)?.at === Date.parse(listed.created_at),
      null: isCard(null),
      text: isCard('card'),
      largeId: isCard({ ...listed, id: 2 ** 60 }),
      noTime: isCard({ ...listed, created_at: 'yesterday' }),
      numberForTime: isCard({ ...listed, created_at: 5 }),
      noSymbol: isCard({ ...listed, source_symbol: null }),
      noType: isCard({ ...listed, source_bot_type: undefined }),
    }).toEqual({
      card: true,
      null: false,
      text: false,
      largeId: false,
      noTime: false,
      numberForTime: false,
      noSymbol: false,
      noType: false,
    });
    expect({
      listed: isCompleteCard(listed),
      detail: isCompleteCard(detail('available')),
      edited: isCompleteCard({ ...listed, source_bot_type: undefined }),
    }).toEqual({ listed: true, detail: true, edited: false });
  });
});
