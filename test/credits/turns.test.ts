/** When a request may leave, and when prices are checked: pure functions of the ledger. */
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/api/operations.ts';
import { HOUR, MINUTE, SECOND } from '../../src/base/units.ts';
import { PriceCheck } from '../../src/credits/price-check.ts';
import { departures, holdsOn, nextTurn, windowsNow } from '../../src/credits/schedule.ts';
import { type Hold, type SentRequest, Usage } from '../../src/credits/usage.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const LIST = OPERATIONS.signals.path;
const CARD = OPERATIONS.signal.path;
const ACCESS = OPERATIONS.access.path;

/** A request that was answered so many seconds ago; undefined: it is under way. */
const answered = (secondsAgo: number | undefined): SentRequest => {
  const ended = secondsAgo === undefined ? null : NOW - secondsAgo * SECOND;
  const sent = ended === null ? NOW : ended - SECOND;
  return { id: String(secondsAgo), operation: LIST, cost: 1, sent, ended, status: 200 };
};

const held = (operation: string, secondsLeft: number, more: Partial<Hold> = {}): Hold => ({
  operation,
  at: NOW - 10 * MINUTE,
  millis: 10 * MINUTE + secondsLeft * SECOND,
  status: 503,
  ...more,
});

const usageOf = (usage: Partial<Usage>): Usage => ({ ...parse(Usage, {}), ...usage });

/** Seconds until the turn comes, 0 if it has, and why. */
function turnOf(usage: Partial<Usage>, operation: string | undefined = LIST) {
  const { until, reason } = nextTurn(usageOf(usage), NOW, operation);
  return until <= NOW ? 'now' : { seconds: (until - NOW) / SECOND, reason };
}

describe('a turn', () => {
  const fifteen = Array.from({ length: 15 }, (_, i) => answered(30 - i));

  it('comes when fewer requests than are allowed were answered within a minute', () => {
    const reason = 'only 15 requests a minute';
    expect({
      none: turnOf({}),
      fourteen: turnOf({ requests: fifteen.slice(1) }),
      // The oldest was answered 30 s ago; a tenth of a second is added.
      fifteen: turnOf({ requests: fifteen }),
      allowed: turnOf({ requests: fifteen, allowances: { per_minute: 16 } }),
      single: turnOf({ requests: [answered(30)], allowances: { per_minute: 0 } }),
    }).toEqual({
      none: 'now',
      fourteen: 'now',
      fifteen: { seconds: 30.1, reason },
      allowed: 'now',
      single: {
        seconds: 30.1,
        reason: 'only 1 request a minute',
      },
    });
  });

  it('comes one request after the other for an hour after the service refused more', () => {
    const learnt = (hoursAgo: number, allowance = 3) => ({ at: NOW - hoursAgo * HOUR, allowance });
    const requests = [answered(40), answered(30), answered(20)];
    expect({
      learnt: turnOf({ requests, strict: learnt(0.5) }),
      anHourAgo: turnOf({ requests, strict: learnt(1) }),
      moreThanAllowed: turnOf({ requests: fifteen, strict: learnt(0.5, 40) }),
    }).toEqual({
      learnt: { seconds: 20.1, reason: 'the service refused more than 3 requests a minute' },
      anHourAgo: 'now',
      moreThanAllowed: { seconds: 30.1, reason: 'only 15 requests a minute' },
    });
  });

  it('comes later by what was refused in a minute, whatever a longer window allows', () => {
    const usage = usageOf({
      requests: [59, 58, 57, 56, 55].map(answered),
      strict: { at: NOW - 6 * SECOND, allowance: 5 },
    });
    const minute = { name: 'minute', millis: MINUTE, allowance: 15 };
    const hour = { name: 'hour', millis: HOUR, allowance: 600 };
    const { until } = nextTurn(usage, NOW, LIST, [minute, hour]);
    expect((until - NOW) / SECOND).toBeCloseTo(1.1, 9);
  });

  it('waits for those under way: four at a time, one just after a refusal', () => {
    const underWay = (count: number) => Array.from({ length: count }, () => answered(undefined));
    const reason = 'other requests of this account are under way';
    const isWaiting = (usage: Partial<Usage>) => turnOf(usage) !== 'now';
    expect({
      three: isWaiting({ requests: underWay(3) }),
      four: turnOf({ requests: underWay(4) }),
      justRefused: turnOf({
        requests: underWay(1),
        holds: [held(CARD, 0, { at: NOW - 90 * SECOND, millis: 60 * SECOND })],
      }),
      refusedBefore: isWaiting({
        requests: underWay(1),
        holds: [held(CARD, 0, { at: NOW - 121 * SECOND, millis: 60 * SECOND })],
      }),
    }).toEqual({
      three: false,
      four: { seconds: expect.any(Number), reason },
      justRefused: { seconds: expect.any(Number), reason },
      refusedBefore: false,
    });
  });

  it('waits for a refusal of its own, or of another operation until /access lifts it', () => {
    const of = (hold: Hold, operation?: string) => turnOf({ holds: [hold] }, operation);
    const wait = { seconds: 30, reason: 'the service is unavailable (503)' };
    expect({
      own: of(held(LIST, 30)),
      other: of(held(CARD, 30)),
      ownLifted: of(held(LIST, 30, { isLifted: true })),
      otherLifted: of(held(CARD, 30, { isLifted: true })),
      access: of(held(ACCESS, 30)),
      over: of(held(LIST, 0)),
      quota: of(held(LIST, 30, { status: 429 })),
    }).toEqual({
      own: wait,
      other: wait,
      ownLifted: wait,
      otherLifted: 'now',
      access: 'now',
      over: 'now',
      quota: { seconds: 30, reason: 'the service is refusing requests (429)' },
    });
    const holds = [held(LIST, 10), held(CARD, 30), held(ACCESS, 60)];
    const lasting = holdsOn({ holds }, NOW, LIST).map(({ operation, until }) => ({
      operation,
      seconds: (until - NOW) / SECOND,
    }));
    expect(lasting).toEqual([
      { operation: CARD, seconds: 30 },
      { operation: LIST, seconds: 10 },
    ]);
  });

  it('of each of several requests is foreseen', () => {
    const secondsOf = (usage: Partial<Usage>, count: number) =>
      departures(usageOf(usage), NOW, count).map((at) => (at - NOW) / SECOND);
    const twoAMinute = { allowances: { per_minute: 2 } };
    expect({
      free: secondsOf(twoAMinute, 5),
      held: secondsOf({ ...twoAMinute, holds: [held(CARD, 30)] }, 3),
      used: secondsOf({ ...twoAMinute, requests: [answered(20)] }, 2),
    }).toEqual({
      free: [0, 0, 60.1, 60.1, 120.2],
      held: [30, 30, 90.1],
      used: [0, 40.1],
    });
  });

  it('is counted in the windows of the service', () => {
    const requests = [answered(70), answered(60), answered(30), answered(undefined)];
    expect(windowsNow(usageOf({ requests }), NOW)).toEqual([
      { name: 'minute', millis: MINUTE, allowance: 15, used: 3 },
    ]);
  });
});

describe('prices', () => {
  /** What a command has sent: `details` at 1 credit each, unless other operations are named. */
  const sent = (details: number, others: Readonly<Record<string, number>> = {}) => ({
    requests: details + Object.keys(others).length,
    credits: new Map(Object.entries({ '/signals/{id}': details, ...others })),
  });

  interface Look {
    readonly sent: number;
    readonly unexplained: number;
  }

  /** Answers of `/access`, each after so many more details, with what they do not explain. */
  function verdicts(
    looks: readonly Look[],
    more: { readonly hasNeighbours?: boolean; readonly others?: number } = {},
  ) {
    const { hasNeighbours = false, others = 0 } = more;
    const check = new PriceCheck();
    check.learn(sent(0), NOW, undefined);
    let details = 0;
    return looks.map(({ sent: sentMore, unexplained }, i) => {
      details += sentMore;
      const from = NOW + i * MINUTE;
      const since = { from, requests: sentMore + others, unexplained, hasNeighbours };
      const overcharge = check.learn(sent(details), from + MINUTE, since);
      return overcharge && { excess: overcharge.excess, isConfirmed: overcharge.isConfirmed };
    });
  }

  it('of outcomes alone are wrong: 54 credits were charged where 30 were expected', () => {
    const check = new PriceCheck();
    const listAndMedians = { '/signals': 1, '/signal-stats': 5 };
    check.learn(sent(0), NOW, undefined);
    const first = check.learn(sent(24, listAndMedians), NOW + MINUTE, {
      from: NOW,
      requests: 26,
      unexplained: 24,
      hasNeighbours: false,
    });
    const second = check.learn(sent(32, listAndMedians), NOW + 2 * MINUTE, {
      from: NOW + MINUTE,
      requests: 8,
      unexplained: 8,
      hasNeighbours: false,
    });
    expect({ first, second }).toEqual({
      first: { excess: 24, charged: 54, expected: 30, isConfirmed: false },
      second: { excess: 8, charged: 70, expected: 38, isConfirmed: true },
    });
  });

  it('of outcomes alone stay in doubt until enough outcomes were sent, whatever came between', () => {
    const check = new PriceCheck();
    check.learn(sent(0), NOW, undefined);
    const looks = [
      { details: 10, lists: 0, more: { requests: 10, unexplained: 10 } },
      { details: 14, lists: 1, more: { requests: 5, unexplained: 4 } },
      { details: 18, lists: 2, more: { requests: 5, unexplained: 4 } },
      { details: 22, lists: 3, more: { requests: 5, unexplained: 4 } },
    ];
    const found = looks.map(({ details, lists, more }, i) => {
      const soFar = {
        requests: details + lists,
        credits: new Map([
          ['/signals/{id}', details],
          ['/signals', lists],
        ]),
      };
      const since = { from: NOW + i * MINUTE, hasNeighbours: false, ...more };
      return check.learn(soFar, NOW + (i + 1) * MINUTE, since)?.isConfirmed;
    });
    expect(found).toEqual([false, undefined, undefined, true]);
  });

  it('are asked for after five credits, then ten, then twenty if they are right', () => {
    const check = new PriceCheck();
    const dueAt = (from: number) => {
      let requests = from;
      while (!check.isDue(sent(requests))) requests += 1;
      return requests;
    };
    const first = dueAt(0);
    check.learn(sent(first), NOW, undefined);
    const second = dueAt(first);
    const since = { from: NOW, requests: second - first, unexplained: 0, hasNeighbours: false };
    check.learn(sent(second), NOW + MINUTE, since);
    expect({ first, second, third: dueAt(second) }).toEqual({ first: 5, second: 15, third: 35 });
  });

  it('are looked at no less often after a look that no price explains', () => {
    const check = new PriceCheck();
    check.learn(sent(5), NOW, undefined);
    const since = { from: NOW, requests: 10, unexplained: 7, hasNeighbours: false };
    check.learn(sent(15), NOW + MINUTE, since);
    expect({ after9: check.isDue(sent(24)), after10: check.isDue(sent(25)) }).toEqual({
      after9: false,
      after10: true,
    });
  });

  it('are wrong where as much again, or a multiple, is charged; twice in a row ends the command', () => {
    expect({
      double: verdicts([
        { sent: 10, unexplained: 10 },
        { sent: 5, unexplained: 5 },
      ]),
      triple: verdicts([
        { sent: 10, unexplained: 20 },
        { sent: 5, unexplained: 5 },
      ]),
      right: verdicts([{ sent: 10, unexplained: 0 }]),
      noPrice: verdicts([{ sent: 10, unexplained: 7 }]),
      interrupted: verdicts([
        { sent: 10, unexplained: 10 },
        { sent: 5, unexplained: 0 },
        { sent: 5, unexplained: 5 },
      ]),
    }).toEqual({
      double: [
        { excess: 10, isConfirmed: false },
        { excess: 5, isConfirmed: true },
      ],
      triple: [
        { excess: 20, isConfirmed: false },
        { excess: 5, isConfirmed: false },
      ],
      right: [undefined],
      noPrice: [undefined],
      interrupted: [
        { excess: 10, isConfirmed: false },
        undefined,
        { excess: 5, isConfirmed: false },
      ],
    });
  });

  it('are judged by five credits or more, and not where another program spends', () => {
    const look = { sent: 10, unexplained: 10 };
    expect({
      four: verdicts([{ sent: 4, unexplained: 4 }]),
      together: verdicts([
        { sent: 4, unexplained: 4 },
        { sent: 1, unexplained: 1 },
      ]),
      elsewhere: verdicts([look], { hasNeighbours: true }),
      here: verdicts([look], { others: 1 }),
    }).toEqual({
      four: [undefined],
      together: [undefined, { excess: 5, isConfirmed: false }],
      elsewhere: [undefined],
      here: [undefined],
    });
  });
});
