import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { recordNotSent, recordOutcome, recordSent, setBack } from '../../src/credits/record-usage.ts';
import { blockedUntil, departures, nextTurn } from '../../src/credits/schedule.ts';
import { emptyUsage, Usage } from '../../src/credits/usage.ts';

const T0 = Date.UTC(2026, 10, 20, 12);
const WINDOW = 60_100;

/** A step of some history: what happens to one of the latest requests, and how long after the step before. */
const step = fc.record({
  kind: fc.constantFrom('sent', 'sent', 'sent', 'answer', 'answer', 'answer', 'cancel', 'access', 'clock'),
  which: fc.nat({ max: 5 }),
  gap: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 40_000 })),
  number: fc.nat({ max: 20 }),
  status: fc.constantFrom(200, 200, 404, 429, 503, undefined),
});

const usages = fc.array(step, { maxLength: 80 }).map((steps) => {
  const usage = emptyUsage();
  let at = T0;
  let requests = 0;
  for (const { kind, which, gap, number, status } of steps) {
    at += gap;
    const id = `n${Math.max(1, requests - which)}`;
    if (kind === 'sent') {
      requests += 1;
      const rest = { pid: requests, place: 'here', operation: '/signals', cost: (number % 5) + 1 };
      recordSent(usage, { id: `n${requests}`, ...rest, timeout: number * 1000, sent: at });
    }
    const stayAway = status === 429 || status === 503 ? { millis: number * 1000, said: number > 5 } : undefined;
    if (kind === 'answer') recordOutcome(usage, id, { at, status, stayAway });
    if (kind === 'cancel') recordNotSent(usage, id);
    if (kind === 'access') usage.allowances = { per_minute: number % 6 };
    if (kind === 'clock') {
      at -= number * 10_000;
      setBack(usage, at);
    }
  }
  return { usage, now: at };
});

/** The rules, read from their definitions: try every moment at which anything changes. */
function dueByTrying({ refusedPace, refusals, cooldown, allowances, requests }: Usage, now: number): number {
  const pause = refusedPace === null ? 0 : refusedPace.burst * refusedPace.spacing;
  const limits = [
    { pause: WINDOW, most: Math.max(1, allowances.per_minute ?? 15) },
    { pause: 0, most: refusedPace !== null || refusals > 0 ? 1 : 4 },
    { pause, most: refusedPace?.burst ?? Number.POSITIVE_INFINITY },
  ];
  const overs = requests.map(({ sent, ended, timeout, status }) => {
    const before = sent <= (refusedPace?.refusedAt ?? 0);
    const isFree = ended !== refusedPace?.refusedAt && (before || status === 429 || status === 503);
    return { at: ended ?? sent + timeout + 5_000, isFree };
  });
  // Refused requests space nobody: the cooldown does.
  const releasedAt = ({ at, isFree }: (typeof overs)[number], pause: number) =>
    at + (isFree && pause !== WINDOW ? 0 : pause);
  const open = (moment: number, pause: number) => overs.filter((over) => releasedAt(over, pause) > moment).length;
  const held = Math.max(now, cooldown === null ? 0 : cooldown.at + cooldown.millis);
  const ends = overs.flatMap((over) => limits.map(({ pause }) => releasedAt(over, pause)));
  const moments = [held, ...ends.filter((end) => end > held)].sort((a, b) => a - b);
  const first = (rules: typeof limits) =>
    moments.find((moment) => rules.every(({ pause, most }) => open(moment, pause) < most)) ?? Number.NaN;
  const besidesAnswers = first(limits.filter((_, index) => index !== 1));
  const last = Math.max(0, ...requests.map(({ sent }) => sent));
  return besidesAnswers > now ? Math.max(first(limits), last + 50) : first(limits);
}

describe('over random histories', () => {
  test('a request is due at the first moment at which every rule has room for it', () => {
    let waiting = 0;
    fc.assert(
      fc.property(usages, ({ usage, now }) => {
        const { due } = nextTurn(usage, now, {});
        if (due > now) waiting += 1;
        expect(due).toBe(dueByTrying(usage, now));
      }),
      { numRuns: 1000 },
    );
    expect(waiting).toBeGreaterThan(200);
  });

  test('spending is never negative, and nobody is blocked for ever by whoever never answers', () => {
    fc.assert(
      fc.property(usages, ({ usage, now }) => {
        const sums = [usage.sinceAccess, ...usage.days.flatMap(({ operations }) => Object.values(operations))];
        for (const sum of sums) expect(Math.min(...Object.values(sum))).toBeGreaterThanOrEqual(0);
        expect(nextTurn(usage, now, {}).due).toBeLessThan(now + 300_000);
        const hold = blockedUntil(usage, now);
        if (hold !== undefined) expect(hold.until - now).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  test('a state survives being written and read', () => {
    fc.assert(
      fc.property(usages, ({ usage }) => {
        expect(v.parse(Usage, JSON.parse(JSON.stringify(usage)))).toEqual(usage);
      }),
    );
  });

  test('a forecast never packs more than the allowance into a window, and starts no later than it must', () => {
    fc.assert(
      fc.property(usages, fc.integer({ min: 1, max: 60 }), ({ usage, now }, requests) => {
        const times = departures(usage, now, requests);
        const limit = Math.max(1, usage.allowances.per_minute ?? 15);
        times.forEach((time, index) => {
          expect(time).toBeGreaterThanOrEqual(now);
          const before = times[index - limit];
          if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(WINDOW);
        });
        if (usage.requests.length === 0) expect(times[0]).toBe(blockedUntil(usage, now)?.until ?? now);
      }),
    );
  });
});
