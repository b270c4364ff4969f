/** What a 429 teaches: how many requests a minute the service really allows. */
import { parse } from 'valibot';
import { expect, it } from 'vitest';
import { isOvertaken, recordEnd } from '../../src/credits/record-usage.ts';
import { nextTurn } from '../../src/credits/schedule.ts';
import { Usage } from '../../src/credits/usage.ts';
import { NOW } from '../support/date.ts';

const SECOND = 1000;

/** A request that left so long before the one that is refused now. */
const request = (secondsAgo: number, status: number | null, operation = '/signals') => ({
  id: `${secondsAgo} s ago`,
  operation,
  cost: 1,
  sent: NOW - secondsAgo * SECOND,
  ended: status === null ? null : NOW - secondsAgo * SECOND + 1,
  status,
});

interface Case {
  readonly what: string;
  readonly others: readonly ReturnType<typeof request>[];
  /** Requests a minute. */
  readonly allowance: number | undefined;
  readonly holdMillis?: number;
  readonly learntBefore?: number;
}

const answered = (count: number, operation?: string) =>
  Array.from({ length: count }, (_, i) => request(count - i, 200, operation));

it.each<Case>([
  { what: 'none before it', others: [], allowance: undefined },
  { what: 'three before it', others: answered(3), allowance: undefined },
  { what: 'four before it', others: answered(4), allowance: 4 },
  {
    what: 'one before it, and a refusal before that',
    others: [request(120, 429), request(1, 200)],
    allowance: 1,
  },
  { what: 'nothing but a refusal before it', others: [request(9, 429)], allowance: undefined },
  {
    what: 'four, one of them a minute ago',
    others: [...answered(3), request(60, 200)],
    allowance: undefined,
  },
  {
    what: 'four, one of them unanswered',
    others: [...answered(3), request(9, null)],
    allowance: undefined,
  },
  {
    what: 'four of another operation, after a refusal of its own',
    others: [request(30, 429), ...answered(4, '/signals/{id}')],
    allowance: undefined,
  },
  {
    what: 'one of another operation, after a refusal of its own',
    others: [request(30, 429), ...answered(1, '/signals/{id}')],
    allowance: undefined,
  },
  {
    what: 'one before it, after a refusal of another operation',
    others: [request(30, 429, '/signal-stats'), request(1, 200)],
    allowance: undefined,
  },
  {
    what: 'four of another operation',
    others: answered(4, '/signals/{id}'),
    allowance: 4,
  },
  { what: 'four, after a lesson of three', others: answered(4), learntBefore: 3, allowance: 3 },
  { what: 'four, after a lesson of nine', others: answered(4), learntBefore: 9, allowance: 4 },
  { what: 'four, and a wait of a minute', others: answered(4), holdMillis: 60_000, allowance: 4 },
  {
    what: 'four, and a longer wait',
    others: answered(4),
    holdMillis: 60_001,
    allowance: undefined,
  },
])('$what: $allowance', ({ others, allowance, holdMillis = 5_000, learntBefore }) => {
  const strict = learntBefore === undefined ? null : { at: NOW - 1, allowance: learntBefore };
  const requests = [...others, request(0, null)];
  const usage: Usage = { ...parse(Usage, {}), requests, strict };
  recordEnd(usage, '0 s ago', { at: NOW, status: 429, isForeign: false, holdMillis });
  expect(usage.strict?.allowance).toBe(allowance);
});

it.each(['/signals', '/access'])('a lesson of one a minute holds %s for the rest of it', (path) => {
  const usage: Usage = {
    ...parse(Usage, {}),
    requests: [request(20, 200)],
    strict: { at: NOW - 1, allowance: 1 },
  };
  const { until, reason } = nextTurn(usage, NOW, path);
  expect({ seconds: Math.floor((until - NOW) / SECOND), reason }).toEqual({
    seconds: 40,
    reason: 'the service refused more than 1 request a minute',
  });
});

it.each([
  { what: 'another of the operation', others: [request(2, 200)], expected: true },
  { what: 'nothing', others: [], expected: false },
  { what: 'another that was refused', others: [request(2, 429)], expected: false },
  { what: 'another before the wait was over', others: [request(20, 200)], expected: false },
  {
    what: 'another operation, and its own was served before',
    others: [request(200, 200), request(2, 200, '/screeners')],
    expected: true,
  },
  {
    what: 'another operation, and its own is never served',
    others: [request(70, 429), request(2, 200, '/screeners')],
    expected: false,
  },
])(
  'a retry is overtaken where the service let $what through: $expected',
  ({ others, expected }) => {
    const usage: Usage = { ...parse(Usage, {}), requests: [...others, request(0, null)] };
    const end = { at: NOW, status: 429, isForeign: false, holdMillis: SECOND };
    expect(isOvertaken(usage, '0 s ago', end, NOW - 10 * SECOND)).toBe(expected);
  },
);
