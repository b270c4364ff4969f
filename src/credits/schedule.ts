/** When a request may be sent. Pure: the gate checks and records in one update of the ledger, so no turn is taken twice. */
import type { Wait } from '../api/gate.ts';
import { CREDIT_PERIODS, type RequestWindow, windowsOf } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { reasonToWait } from '../api/retry.ts';
import { dayNumber, HOUR, MINUTE, pluralize } from '../base/units.ts';
import { overAt } from './record-usage.ts';
import { type Hold, type SentRequest, spentSince, type Usage } from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/** Milliseconds added to every window: timers may fire early. */
const MARGIN = 100;
/** Most requests under way at once: if the service allows fewer, it refuses no more than these. */
const IN_FLIGHT = 4;

interface Rule {
  /** How many earlier requests may still count when one leaves. */
  readonly limit: number;
  /** Milliseconds for which a request counts after it was over. */
  readonly counts: number;
  readonly sentence: string;
}

function rulesOf(
  { strict, holds }: Usage,
  now: number,
  requestWindows: readonly RequestWindow[],
): Rule[] {
  const learnt = strict !== null && strict.at + HOUR > now ? strict.allowance : undefined;
  const windows = requestWindows.map(({ name, millis, allowance }): Rule => {
    const learntAllowance = millis === MINUTE ? learnt : undefined;
    // An allowance of 0 is paced as 1: otherwise nobody could ever learn of a better one.
    const limit = Math.max(1, Math.min(allowance, learntAllowance ?? allowance));
    const sentence =
      limit < allowance
        ? `the service refused more than ${limit} requests a ${name}`
        : `only ${pluralize(limit, 'request')} a ${name}`;
    // The service counts a request before it answers. Counted from the answer, it leaves our window no sooner than the
    // service's.
    return { limit, counts: millis + MARGIN, sentence };
  });
  // For at most two minutes after a refusal: an operation that is refused for a day slows down no other.
  const isJustRefused = holds.some(
    ({ at, millis }) => at + Math.min(millis, MINUTE) + MINUTE > now,
  );
  const limit = learnt !== undefined || isJustRefused ? 1 : IN_FLIGHT;
  return [
    ...windows,
    { limit, counts: 0, sentence: 'other requests of this account are under way' },
  ];
}

/** A refusal whose Retry-After has not passed. */
export interface LastingHold extends Hold {
  /** Epoch milliseconds UTC. */
  readonly until: number;
}

/**
 * The refusals that bind an operation. Each binds its own operation; that of another one than `/access` binds all, until
 * an answer of `/access` says that credits are left.
 * @param operation undefined for one that was not refused itself
 * @returns the longest first
 */
export function holdsOn({ holds }: Pick<Usage, 'holds'>, now: number, operation?: string) {
  return holds
    .map((hold): LastingHold => ({ ...hold, until: hold.at + hold.millis }))
    .filter(({ until }) => until > now)
    .filter((hold) => hold.operation === operation || bindsAll(hold))
    .sort((a, b) => b.until - a.until);
}

function bindsAll({ operation, isLifted }: Hold): boolean {
  return operation !== ACCESS && isLifted !== true;
}

/**
 * The rules, each with `ends`: until when the requests so far count, ascending.
 * @param endOf when a request is over
 */
function rulesNow(
  usage: Usage,
  now: number,
  endOf: (request: SentRequest) => number,
  windows = windowsOf(usage.allowances),
) {
  return rulesOf(usage, now, windows).map((rule) => ({
    ...rule,
    ends: usage.requests.map((request) => endOf(request) + rule.counts).sort((a, b) => a - b),
  }));
}

/** From when on fewer than `limit` requests count: the `limit`-th latest of their ends. */
function freeAt({
  ends,
  limit,
}: {
  readonly ends: readonly number[];
  readonly limit: number;
}): number {
  return ends.at(-limit) ?? 0;
}

/**
 * @param operation undefined for one that no hold stops
 * @param windows those of the service
 * @returns until when it waits, epoch milliseconds UTC; has passed if the request may leave
 */
export function nextTurn(
  usage: Usage,
  now: number,
  operation: string | undefined,
  windows = windowsOf(usage.allowances),
): Wait {
  const waits = rulesNow(usage, now, overAt, windows).map((rule) => ({
    until: freeAt(rule),
    sentence: rule.sentence,
  }));
  const [hold] = operation === undefined ? [] : holdsOn(usage, now, operation);
  const held = hold === undefined ? [] : [{ until: hold.until, sentence: reasonToWait(hold) }];
  return [...waits, ...held].reduce((a, b) => (b.until > a.until ? b : a));
}

/** When so many requests would leave, one after the other, if everything under way is answered now. */
export function departures(usage: Usage, now: number, requests: number): number[] {
  const rules = rulesNow(usage, now, (request) => Math.min(overAt(request), now));
  const holdEnds = holdsOn(usage, now)[0]?.until ?? now;
  return Array.from({ length: requests }, () => {
    const due = Math.max(holdEnds, ...rules.map(freeAt));
    for (const { ends, counts } of rules) ends.push(due + counts);
    return due;
  });
}

/** A window of the service's, and how many requests it counts now. */
export interface WindowNow extends RequestWindow {
  readonly used: number;
}

export function windowsNow(usage: Usage, now: number): WindowNow[] {
  return windowsOf(usage.allowances).map((window) => ({
    ...window,
    used: usage.requests.filter((request) => overAt(request) + window.millis + MARGIN > now).length,
  }));
}

/** A period whose credits are limited, and what of them is spent here, or may be. */
export interface CreditPeriodNow {
  readonly days: number;
  readonly credits: number;
  readonly spent: number;
}

export function creditPeriodsNow(usage: Usage, now: number): CreditPeriodNow[] {
  const today = dayNumber(now);
  return CREDIT_PERIODS.map(({ days, credits }) => {
    return { days, credits, spent: spentSince(usage, today - days + 1, today) };
  });
}
