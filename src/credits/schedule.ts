/** When a request may be sent. Pure: the gate calls it within one update of the ledger, so that no turn is taken twice. */
import type { Wait } from '../api/gate.ts';
import { CREDIT_PERIODS, type RequestWindow, windowsOf } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { reasonToWait } from '../api/retry.ts';
import { dayNumber, HOUR, MINUTE, pluralize } from '../base/units.ts';
import { overAt } from './record-usage.ts';
import { type Hold, type SentRequest, spentAtMost, spentWithin, type Usage } from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/** Milliseconds that are added to every window, because timers may fire early. */
const TIMER_MARGIN = 100;
/** The most requests that are under way at once: if the service allows none, no more than these are refused. */
const IN_FLIGHT = 4;

/** At most `limit` requests may count at a time. */
interface RequestRule {
  readonly limit: number;
  /** How long a request counts after it is over, milliseconds. */
  readonly countsFor: number;
  /** Why a request waits. It becomes part of a sentence: `only 15 requests a minute`. */
  readonly reason: string;
}

/**
 * The rules that bind now. A learnt allowance binds `/access`, too, though it is free: the service counts requests, whatever
 * they cost. If `/access` were refused, this machine would not ask it for an hour.
 */
function rulesOf(
  { strict, holds }: Usage,
  now: number,
  requestWindows: readonly RequestWindow[],
): RequestRule[] {
  const learnt = strict !== null && strict.at + HOUR > now ? strict.allowance : undefined;
  const windows = requestWindows.map(({ name, millis, allowance }): RequestRule => {
    const learntAllowance = millis === MINUTE ? learnt : undefined;
    // An allowance of 0 counts as 1: without a request this program would never learn of a higher one.
    const limit = Math.max(1, Math.min(allowance, learntAllowance ?? allowance));
    const reason =
      limit < allowance
        ? `the service refused more than ${pluralize(limit, 'request')} a ${name}`
        : `only ${pluralize(limit, 'request')} a ${name}`;
    // The service counts a request from some time before its answer is here. This rule counts the request until its answer and
    // for the whole window after it, so that it stops counting here no sooner than there.
    return { limit, countsFor: millis + TIMER_MARGIN, reason };
  });
  // A refusal counts for two minutes at most: an operation that is refused for a day must not slow down the others.
  const isJustRefused = holds.some(
    ({ at, millis }) => at + Math.min(millis, MINUTE) + MINUTE > now,
  );
  const limit = learnt !== undefined || isJustRefused ? 1 : IN_FLIGHT;
  return [
    ...windows,
    { limit, countsFor: 0, reason: 'other requests of this account are under way' },
  ];
}

/** A refusal whose Retry-After has not passed. */
export interface LastingHold extends Hold {
  /** Epoch milliseconds UTC. */
  readonly until: number;
}

/**
 * The refusals that hold an operation. Each refusal holds the operation that was refused. If that is not `/access`, it holds
 * all others, too, until an answer of `/access` says that credits are left.
 * @param operation without it: the refusals that hold all operations
 * @returns the longest first
 */
export function holdsOn(
  { holds }: Pick<Usage, 'holds'>,
  now: number,
  operation?: string,
): LastingHold[] {
  return holds
    .map((hold): LastingHold => ({ ...hold, until: hold.at + hold.millis }))
    .filter(({ until }) => until > now)
    .filter((hold) => hold.operation === operation || bindsAll(hold))
    .sort((a, b) => b.until - a.until);
}

function bindsAll({ operation, isLifted }: Hold): boolean {
  return operation !== ACCESS && isLifted !== true;
}

interface RuleNow extends RequestRule {
  /** Until when each request counts, epoch milliseconds UTC, the earliest first. */
  readonly ends: number[];
}

/** @param endOf when a request is over, or will be, epoch milliseconds UTC */
function rulesNow(
  usage: Usage,
  now: number,
  endOf: (request: SentRequest) => number,
  windows = windowsOf(usage.allowances),
): RuleNow[] {
  return rulesOf(usage, now, windows).map((rule) => ({
    ...rule,
    ends: usage.requests.map((request) => endOf(request) + rule.countsFor).sort((a, b) => a - b),
  }));
}

/**
 * From when on fewer than `limit` requests count. If 2 are allowed, and three count until 12:00:10, 12:00:20 and 12:00:30, this
 * is 12:00:20: then only one of them counts. If fewer than `limit` count at all, it is long ago (0).
 */
function freeAt({ ends, limit }: RuleNow): number {
  return ends.at(-limit) ?? 0;
}

/**
 * What the next request has to wait for. If `until` has passed, the request may leave.
 * @param operation undefined for a request that no hold stops
 */
export function nextTurn(
  usage: Usage,
  now: number,
  operation: string | undefined,
  windows = windowsOf(usage.allowances),
): Wait {
  const waits = rulesNow(usage, now, overAt, windows).map(
    (rule): Wait => ({ until: freeAt(rule), reason: rule.reason }),
  );
  const hold = operation === undefined ? undefined : holdsOn(usage, now, operation)[0];
  if (hold !== undefined) waits.push({ until: hold.until, reason: reasonToWait(hold) });
  return waits.reduce((longest, wait) => (wait.until > longest.until ? wait : longest));
}

/**
 * When each of these requests would leave, if they, and the requests under way, were answered at once.
 * @param requests how many there are
 */
export function departures(usage: Usage, now: number, requests: number): number[] {
  const rules = rulesNow(usage, now, (request) => Math.min(overAt(request), now));
  const holdEnds = holdsOn(usage, now)[0]?.until ?? now;
  return Array.from({ length: requests }, () => {
    const due = Math.max(holdEnds, ...rules.map(freeAt));
    for (const { ends, countsFor } of rules) ends.push(due + countsFor);
    return due;
  });
}

export interface WindowNow extends RequestWindow {
  /** How many requests it counts now. */
  readonly used: number;
}

export function windowsNow(usage: Usage, now: number): WindowNow[] {
  return windowsOf(usage.allowances).map((window) => ({
    ...window,
    used: usage.requests.filter((request) => overAt(request) + window.millis + TIMER_MARGIN > now)
      .length,
  }));
}

/** A period for which the API limits the credits. */
export interface CreditPeriodNow {
  /** How many UTC days it has, today included. */
  readonly days: number;
  /** The most credits that may be spent in it. */
  readonly credits: number;
  /** Credits of it that were spent here, or may have been. */
  readonly spent: number;
}

export function creditPeriodsNow(usage: Usage, now: number): CreditPeriodNow[] {
  const today = dayNumber(now);
  return CREDIT_PERIODS.map(({ days, credits }) => {
    return { days, credits, spent: spentAtMost(spentWithin(usage, today - days + 1, today)) };
  });
}
