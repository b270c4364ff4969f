import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLine, type Line, parseLine } from '../../src/credits/ledger-records.ts';
import { activeHold, allowance, forecast, GRACE, isWaiting, schedule, WINDOW } from '../../src/credits/schedule.ts';
import type { State } from '../../src/credits/state.ts';
import { fold } from '../../src/credits/usage.ts';

const T0 = Date.UTC(2026, 10, 20, 12);

/** A step of some history: what happens to one of the latest turns, and how long after the step before. */
const step = fc.record({
  kind: fc.constantFrom(
    'turn',
    'turn',
    'turn',
    'sent',
    'sent',
    'answer',
    'answer',
    'cancel',
    'gone',
    'access',
    'clock',
  ),
  which: fc.nat({ max: 12 }),
  gap: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 40_000 })),
  number: fc.nat({ max: 20 }),
  status: fc.constantFrom(200, 404, 503, null),
});

/** Lines such as processes write them. */
function history(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Line[] {
  let at = T0;
  let turns = 0;
  return steps.map(({ kind, which, gap, number, status }): Line => {
    at += gap;
    const nonce = `n${Math.max(1, turns - which)}`;
    switch (kind) {
      case 'turn':
        turns += 1;
        return {
          is: 'turn',
          at,
          nonce: `n${turns}`,
          pid: turns,
          place: 'here',
          operation: '/signals',
          cost: (number % 5) + 1,
          timeout: number * 1000,
        };
      case 'answer':
        return { is: 'answer', at, nonce, status, ...(status === 503 ? { hold: number } : {}) };
      case 'gone':
        return { is: 'gone', at, nonces: [nonce] };
      case 'access': {
        const credits = { used: number, limit: 1000, remaining: 1000 - number, resets_at: '2026-12-01T00:00:00Z' };
        return { is: 'access', at, from: at, ...credits, per_minute: number % 6 };
      }
      case 'clock':
        at -= number * 10_000;
        return { is: 'clock', at };
      case 'sent':
        return { is: 'sent', at, nonce };
      default:
        return { is: 'cancel', at, nonce };
    }
  });
}

const lines = fc.array(step, { maxLength: 80 }).map(history);

/** The rule, read from its definition: try every moment at which anything changes. */
function dueByTrying(state: State): Map<string, number> {
  const ends: number[] = [];
  const dues = new Map<string, number>();
  for (const turn of state.turns) {
    const hold = state.hold === null ? 0 : state.hold.at + state.hold.millis;
    const least = Math.max(turn.at, state.pace.since, hold);
    const moments = [least, ...ends.filter((end) => end > least)].sort((a, b) => a - b);
    const due = moments.find((moment) => ends.filter((end) => end > moment).length < allowance(state)) ?? Number.NaN;
    dues.set(turn.nonce, due);
    if (turn.ended !== null) ends.push(turn.ended + (turn.sent === null ? 0 : WINDOW));
    else ends.push(turn.sent === null ? due + GRACE : turn.sent + turn.timeout + 5_000 + WINDOW);
  }
  return dues;
}

describe('over random histories', () => {
  test('a waiting turn is due at the first moment at which fewer than per_minute earlier ones are open', () => {
    let waiting = 0;
    fc.assert(
      fc.property(lines, (history) => {
        const state = fold(history);
        const oracle = dueByTrying(state);
        for (const { turn, due } of schedule(state)) {
          if (!isWaiting(turn)) continue;
          waiting += 1;
          // Both say the same where it matters: an end before the least moment changes nothing.
          expect(due).toBe(oracle.get(turn.nonce));
        }
      }),
      { numRuns: 1000 },
    );
    expect(waiting).toBeGreaterThan(200);
  });

  test('turns keep their order, and nobody is blocked for ever by whoever never writes again', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const state = fold(history);
        const slots = schedule(state).filter(({ turn }) => isWaiting(turn));
        slots.slice(1).forEach((slot, index) => {
          expect(slot.due).toBeGreaterThanOrEqual(Math.min(slot.turn.at, slots[index]?.due ?? 0));
        });
        for (const { due } of slots) expect(due).toBeLessThan(state.latest + 90_000 + state.turns.length * 120_000);
      }),
    );
  });

  test('spending is never negative, and every request that left and was not given back is counted once', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const state = fold(history);
        for (const { operations } of state.days) {
          for (const { requests, charged, uncertain } of Object.values(operations)) {
            expect(Math.min(requests, charged, uncertain)).toBeGreaterThanOrEqual(0);
          }
        }
        expect(Math.min(state.since.charged, state.since.uncertain)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a hold is over no later than its own length after the latest line', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const state = fold(history);
        const hold = activeHold(state, state.latest);
        if (hold !== undefined) expect(hold.until - state.latest).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  test('lines survive being written and read; a line cut anywhere is none or the whole', () => {
    fc.assert(
      fc.property(lines, fc.nat(), (history, cut) => {
        for (const line of history) {
          const text = formatLine(line);
          expect(parseLine(text)).toEqual(line);
          expect(parseLine(text.slice(0, cut % text.length))).toBeUndefined();
        }
      }),
    );
  });

  test('any text is read without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseLine(text)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void parseLine(`{"is":"turn",${JSON.stringify(value).slice(1)}`)));
  });

  test('a forecast never packs more than the allowance into a window, and starts no later than it must', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 60 }), (history, requests) => {
        const state = fold(history);
        const now = state.latest;
        const times = forecast(state, now, requests);
        const limit = allowance(state);
        times.forEach((time, index) => {
          expect(time).toBeGreaterThanOrEqual(now);
          const before = times[index - limit];
          if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(WINDOW);
        });
        if (state.turns.length === 0) expect(times[0]).toBe(Math.max(now, activeHold(state, now)?.until ?? now));
      }),
    );
  });
});
