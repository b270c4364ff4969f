/** A walk over pages, request by request: what it asks for after each answer, and where it ends. */
import { describe, expect, it } from 'vitest';
import type { BadCards } from '../../src/api/bad-cards.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { SignalsQuery } from '../../src/api/operations.ts';
import { DeadEnd, type Place, pages, refusesCursor, refusesWindow } from '../../src/api/pages.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { MINUTE } from '../../src/base/units.ts';
import { type ErrorCode, ScreenerError } from '../../src/errors.ts';
import * as samples from '../support/samples.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);
const minutesAgo = (minutes: number) => formatApiTime(NOW - minutes * MINUTE);

/** A page of cards that are named by how many minutes ago they were recorded. */
const pageOf = (cards: readonly number[], next_cursor: string | null = null) => ({
  ...samples.page([]),
  until: formatApiTime(NOW),
  items: cards.map((minutes) => ({
    ...samples.nthCard(1),
    id: minutes,
    created_at: minutesAgo(minutes),
  })),
  next_cursor,
});

const refusal = (code: ErrorCode = 'invalid_arguments') => new ScreenerError(code, 'Refused.');

type Answer = ReturnType<typeof pageOf> | ScreenerError;

/** Walks over these answers. @returns the requests, the cards of each page, what is said of bad ones, and what ended the walk */
async function walk(
  answers: readonly Answer[],
  { from = {}, wanted = 1000 }: { from?: Place; wanted?: number } = {},
) {
  const requests: Partial<SignalsQuery>[] = [];
  const listed: number[][] = [];
  const bad: BadCards[] = [];
  let ended = false;
  let failure: unknown;
  const call = async (_: string, query: SignalsQuery) => {
    const answer = answers[requests.length];
    requests.push(
      Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    );
    if (answer === undefined) throw new Error('One request too many.');
    if (answer instanceof ScreenerError) throw answer;
    return answer;
  };
  const client = { call, now: () => NOW } as unknown as Parameters<typeof pages>[0];
  let left = wanted;
  try {
    for await (const listedPage of pages(client, { from, wanted: () => left })) {
      const { items } = listedPage.page;
      listed.push(items.map(({ id }) => id));
      if (listedPage.bad !== undefined) bad.push(listedPage.bad);
      left -= items.length;
      ended = listedPage.ended;
    }
  } catch (error) {
    failure = error;
  }
  return { requests, listed, bad, ended, failure };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
const FULL = numbers(1, LIMITS.cardsPerPage);

describe('a walk', () => {
  it('asks for as many cards as are wanted, follows cursors, and ends without one', async () => {
    const second = numbers(26, 5);
    expect(await walk([pageOf(FULL, 'a'), pageOf(second)], { wanted: 40 })).toEqual({
      requests: [{ limit: 25 }, { limit: 15, cursor: 'a' }],
      listed: [FULL, second],
      bad: [],
      ended: true,
      failure: undefined,
    });
    expect(await walk([], { wanted: 0 })).toMatchObject({ requests: [], listed: [] });
    expect(await walk([pageOf([1, 2], 'a')], { wanted: 2 })).toMatchObject({
      requests: [{ limit: 2 }],
      ended: false,
    });
  });

  it('lists a card that comes twice once', async () => {
    const { listed } = await walk([pageOf([1, 2, 3], 'a'), pageOf([3, 4])]);
    expect(listed).toEqual([[1, 2, 3], [4]]);
  });

  it('asks for a whole page where a smaller one is refused', async () => {
    const answers = [refusal(), pageOf([1, 2, 3], 'a'), pageOf([4])];
    const { requests, failure } = await walk(answers, { wanted: 4 });
    expect({ requests, failure }).toEqual({
      requests: [{ limit: 4 }, { limit: 25 }, { limit: 25, cursor: 'a' }],
      failure: undefined,
    });
    const refused = await walk([refusal()]);
    expect({ requests: refused.requests, code: refused.failure }).toEqual({
      requests: [{ limit: 25 }],
      code: expect.objectContaining({ code: 'invalid_arguments' }),
    });
  });

  it('goes on from the oldest card where a cursor is refused, once', async () => {
    const rest = { until: minutesAgo(24), limit: 25 };
    expect(await walk([pageOf(FULL, 'a'), refusal('not_found'), pageOf([25, 26])])).toEqual({
      requests: [{ limit: 25 }, { limit: 25, cursor: 'a' }, rest],
      listed: [FULL, [26]],
      bad: [],
      ended: true,
      failure: undefined,
    });
    const twice = [pageOf(FULL, 'a'), refusal(), pageOf([25], 'b'), refusal()];
    expect(await walk(twice)).toMatchObject({
      requests: [{ limit: 25 }, { cursor: 'a' }, rest, { cursor: 'b' }],
      failure: { code: 'invalid_arguments' },
    });
  });

  it('may give up another cursor once a single new card has come', async () => {
    const answers = [pageOf(FULL, 'a'), refusal(), pageOf([25, 26], 'b'), refusal(), pageOf([26])];
    const { requests, listed, failure } = await walk(answers);
    expect({ last: requests.at(-1), listed, failure }).toEqual({
      last: { until: minutesAgo(25), limit: 25 },
      listed: [FULL, [26], []],
      failure: undefined,
    });
  });

  it('ends where the cursor that it began with is refused, or a window without one', async () => {
    const refused = async (from: Place) => {
      const { requests, failure } = await walk([refusal()], { from });
      return { requests: requests.length, failure };
    };
    const failure = expect.objectContaining({ code: 'invalid_arguments' });
    expect({
      cursor: await refused({ cursor: 'a' }),
      window: await refused({ until: minutesAgo(5), oldest: NOW }),
    }).toEqual({ cursor: { requests: 1, failure }, window: { requests: 1, failure } });
  });

  it('begins the window again where pages did not come newest first', async () => {
    const { requests, listed } = await walk([pageOf([9, 3], 'a'), refusal(), pageOf([3, 20])]);
    expect({ requests, listed }).toEqual({
      requests: [{ limit: 25 }, { limit: 25, cursor: 'a' }, { limit: 25 }],
      listed: [[9, 3], [20]],
    });
  });

  it('takes an empty cursor for the end, unless the page is full', async () => {
    const short = await walk([pageOf([1, 2], '')]);
    expect({ ended: short.ended, failure: short.failure }).toEqual({
      ended: true,
      failure: undefined,
    });
    const full = await walk([pageOf(FULL, ''), pageOf([25, 26])]);
    expect({ requests: full.requests, listed: full.listed, failure: full.failure }).toEqual({
      requests: [{ limit: 25 }, { limit: 25, until: minutesAgo(24) }],
      listed: [FULL, [26]],
      failure: undefined,
    });
  });

  it('goes as far as a cursor that is too long, and no further', async () => {
    const longest = 'x'.repeat(LIMITS.cursorLength);
    const fits = await walk([pageOf(FULL, longest), pageOf([26])]);
    expect(fits).toMatchObject({ requests: [{}, { cursor: longest }], failure: undefined });
    const tooLong = await walk([pageOf(FULL, `${longest}x`)]);
    expect({ listed: tooLong.listed, failure: tooLong.failure }).toEqual({
      listed: [FULL],
      failure: expect.objectContaining({
        code: 'bad_answer',
        message: `The answer does not match the API document: response.next_cursor: longer than ${LIMITS.cursorLength} characters.`,
      }),
    });
  });

  it('leaves a card of the future out, and says so', async () => {
    const aYearAhead = -365 * 24 * 60;
    const { listed, bad } = await walk([pageOf([aYearAhead, 1], 'a'), pageOf([2])]);
    expect({ listed, bad }).toEqual({
      listed: [[1], [2]],
      bad: [expect.objectContaining({ scope: 'card' })],
    });
  });

  it('is given up after five pages in a row without a new card', async () => {
    const useless = ['b', 'c', 'd', 'e', 'f'].map((cursor) => pageOf(FULL, cursor));
    const { requests, failure } = await walk([pageOf(FULL, 'a'), ...useless]);
    expect({ requests: requests.length, isDeadEnd: failure instanceof DeadEnd }).toEqual({
      requests: 6,
      isDeadEnd: true,
    });
    const interrupted = [
      ...useless.slice(0, 4),
      pageOf([99], 'g'),
      ...useless.slice(0, 4),
      pageOf([100]),
    ];
    expect(await walk([pageOf(FULL, 'a'), ...interrupted])).toMatchObject({
      ended: true,
      failure: undefined,
    });
  });
});

it('a refusal is of the window or of the cursor if its code says so', () => {
  const ofCode = (code: ErrorCode) => ({
    window: refusesWindow(refusal(code)),
    cursor: refusesCursor(refusal(code)),
  });
  expect({
    arguments: ofCode('invalid_arguments'),
    notFound: ofCode('not_found'),
    unavailable: ofCode('unavailable'),
    deadEnd: refusesWindow(new DeadEnd()),
  }).toEqual({
    arguments: { window: true, cursor: true },
    notFound: { window: false, cursor: true },
    unavailable: { window: false, cursor: false },
    deadEnd: true,
  });
});
