import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyRecord } from '../../src/credits/apply-record.ts';
import { type LedgerRecord, parseRecord } from '../../src/credits/ledger-records.ts';
import { allowance, blockedUntil, forecast, GRACE, schedule, WINDOW } from '../../src/credits/schedule.ts';
import { emptyUsage, isWaiting, type Usage } from '../../src/credits/usage.ts';

const T0 = Date.UTC(2026, 10, 20, 12);

/** A step of some history: what happens to one of the latest turns, and how long after the step before. */
const step = fc.record({
  kind: fc.constantFrom(
    'permit',
    'permit',
    'permit',
    'sent',
    'sent',
    'answer',
    'answer',
    'cancel',
    'died',
    'access',
    'clock',
  ),
  which: fc.nat({ max: 12 }),
  gap: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 40_000 })),
  number: fc.nat({ max: 20 }),
  status: fc.constantFrom(200, 200, 404, 429, 503, null),
});

/** Lines such as processes write them. */
function history(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): LedgerRecord[] {
  let at = T0;
  let turns = 0;
  return steps.map(({ kind, which, gap, number, status }): LedgerRecord => {
    at += gap;
    const nonce = `n${Math.max(1, turns - which)}`;
    switch (kind) {
      case 'permit':
        turns += 1;
        return {
          is: 'permit',
          at,
          nonce: `n${turns}`,
          pid: turns,
          place: 'here',
          operation: '/signals',
          cost: (number % 5) + 1,
          timeout: number * 1000,
        };
      case 'answer':
        return {
          is: 'answer',
          at,
          nonce,
          status,
          ...(status === 429 || status === 503 ? { cooldown: number } : {}),
          ...(status === 429 ? { spacing: number } : {}),
        };
      case 'died':
        return { is: 'died', at, nonce };
      case 'access': {
        const credits = { used: number, limit: 1000, remaining: 1000 - number, resetsAt: '2026-12-01T00:00:00Z' };
        return { is: 'access', at, from: at, ...credits, perMinute: number % 6 };
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

function usageOf(records: readonly LedgerRecord[]): Usage {
  const usage = emptyUsage();
  for (const record of records) applyRecord(usage, record);
  return usage;
}

/** The rules, read from their definitions: try every moment at which anything changes. */
function dueByTrying(usage: Usage): Map<string, number> {
  const { strict, refusals, cooldown, limitsSince, permits } = usage;
  const pause = strict === null ? 0 : strict.burst * strict.spacing;
  const limits = [
    { pause: WINDOW, most: allowance(usage) },
    { pause: 0, most: strict !== null || refusals > 0 ? 1 : 4 },
    { pause, most: strict?.burst ?? Number.POSITIVE_INFINITY },
  ];
  const overs: { at: number; left: boolean; refused: boolean }[] = [];
  const dues = new Map<string, number>();
  // Refused requests space nobody: the cooldown does.
  const releasedAt = ({ at, left, refused }: (typeof overs)[number], pause: number) =>
    at + (!left || (refused && pause !== WINDOW) ? 0 : pause);
  let last = 0;
  for (const permit of permits) {
    const open = (moment: number, pause: number) => overs.filter((over) => releasedAt(over, pause) > moment).length;
    const free = (moment: number) => limits.every(({ pause, most }) => open(moment, pause) < most);
    const held = cooldown === null ? 0 : cooldown.at + cooldown.millis;
    const least = Math.max(permit.at, limitsSince, held);
    const ends = overs.flatMap((over) => limits.map(({ pause }) => releasedAt(over, pause)));
    const moments = [least, ...ends.filter((end) => end > least)].sort((a, b) => a - b);
    const alone = moments.find(free) ?? Number.NaN;
    const others = limits.filter((_, index) => index !== 1);
    const besidesFlight = moments.find((moment) => others.every(({ pause, most }) => open(moment, pause) < most)) ?? 0;
    const due = besidesFlight > permit.at ? Math.max(alone, last + 50) : alone;
    dues.set(permit.nonce, due);
    const gaveUp = permit.ended !== null && permit.sent === null;
    if (!gaveUp) last = Math.max(last, permit.sent ?? due);
    const before = permit.sent !== null && permit.sent <= (strict?.refusedAt ?? 0);
    const latest = strict !== null && permit.ended === strict.refusedAt;
    const refused = !latest && (before || permit.status === 429 || permit.status === 503);
    if (permit.ended !== null) overs.push({ at: permit.ended, left: permit.sent !== null, refused });
    else if (permit.sent === null) overs.push({ at: due + GRACE, left: true, refused });
    else overs.push({ at: permit.sent + permit.timeout + 5_000, left: true, refused });
  }
  return dues;
}

describe('over random histories', () => {
  test('a waiting turn is due at the first moment at which every rule has room for it', () => {
    let waiting = 0;
    fc.assert(
      fc.property(lines, (history) => {
        const usage = usageOf(history);
        const oracle = dueByTrying(usage);
        for (const { permit, due } of schedule(usage)) {
          if (!isWaiting(permit)) continue;
          waiting += 1;
          // Both say the same where it matters: an end before the least moment changes nothing.
          expect(due).toBe(oracle.get(permit.nonce));
        }
      }),
      { numRuns: 1000 },
    );
    expect(waiting).toBeGreaterThan(200);
  });

  test('turns keep their order, and nobody is blocked for ever by whoever never writes again', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const usage = usageOf(history);
        const slots = schedule(usage).filter(({ permit }) => isWaiting(permit));
        slots.slice(1).forEach((slot, index) => {
          expect(slot.due).toBeGreaterThanOrEqual(Math.min(slot.permit.at, slots[index]?.due ?? 0));
        });
        for (const { due } of slots) expect(due).toBeLessThan(usage.latest + 90_000 + usage.permits.length * 120_000);
      }),
    );
  });

  test('spending is never negative, and every request that left and was not given back is counted once', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const usage = usageOf(history);
        for (const { operations } of usage.days) {
          for (const { requests, charged, uncertain } of Object.values(operations)) {
            expect(Math.min(requests, charged, uncertain)).toBeGreaterThanOrEqual(0);
          }
        }
        expect(Math.min(usage.sinceAccess.charged, usage.sinceAccess.uncertain)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a hold is over no later than its own length after the latest line', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const usage = usageOf(history);
        const hold = blockedUntil(usage, usage.latest);
        if (hold !== undefined) expect(hold.until - usage.latest).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  test('lines survive being written and read; a line cut anywhere is none or the whole', () => {
    fc.assert(
      fc.property(lines, fc.nat(), (history, cut) => {
        for (const line of history) {
          const text = JSON.stringify(line);
          expect(parseRecord(text)).toEqual(line);
          expect(parseRecord(text.slice(0, cut % text.length))).toBeUndefined();
        }
      }),
    );
  });

  test('what they amount to goes over into the next day whole', () => {
    fc.assert(
      fc.property(lines, (history) => {
        const usage = usageOf(history);
        const day = parseRecord(JSON.stringify({ is: 'day', at: usage.latest, usage }));
        expect(day === undefined ? undefined : usageOf([day])).toEqual(usage);
      }),
    );
  });

  test('any text is read without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRecord(text)));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void parseRecord(`{"is":"permit",${JSON.stringify(value).slice(1)}`)),
    );
  });

  test('a forecast never packs more than the allowance into a window, and starts no later than it must', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 60 }), (history, requests) => {
        const usage = usageOf(history);
        const now = usage.latest;
        const times = forecast(usage, now, requests);
        const limit = allowance(usage);
        times.forEach((time, index) => {
          expect(time).toBeGreaterThanOrEqual(now);
          const before = times[index - limit];
          if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(WINDOW);
        });
        if (usage.permits.length === 0) expect(times[0]).toBe(Math.max(now, blockedUntil(usage, now)?.until ?? now));
      }),
    );
  });
});
