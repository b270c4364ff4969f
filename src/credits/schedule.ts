/** When a request may be sent. Pure: the gate calls it within one update of the ledger, so that no turn is taken twice. */
import type { Wait } from '../api/gate.ts';
import { CREDIT_PERIODS, type RequestWindow, windowsOf } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { reasonToWait } from '../api/retry.ts';
import { dayNumber, HOUR, MINUTE, pluralize } from '../base/units.ts';
import { overAt } from './record-usage.ts';
import { atMost, type Hold, type SentRequest, spentWithin, type Usage } from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/** Milliseconds that are added to every window, because timers may fire early. */
const TIMER_MARGIN = 100;
/** The most requests that are under way at once. If the service allows fewer, it refuses no more than these. */
const IN_FLIGHT = 4;

/** At most `limit` requests may count at a time. */
interface RequestRule {
  readonly limit: number;
  /** How long a request counts after it is over, milliseconds. */
  readonly counts: number;
  /** Why a request waits, for the user. */
  readonly reason: string;
}

/**
 * `/access` waits for a learnt allowance, too: who refuses more than so many requests counts them whatever they cost. A refusal
 * of `/access` would keep this machine from asking it for an hour.
 */
function rulesOf(
  { strict, holds }: Usage,
  now: number,
  requestWindows: readonly RequestWindow[],
): RequestRule[] {
  const learnt = strict !== null && strict.at + HOUR > now ? strict.allowance : undefined;
  const windows = requestWindows.map(({ name, millis, allowance }): RequestRule => {
    const learntAllowance = millis === MINUTE ? learnt : undefined;
    // An allowance of 0 is paced as 1: otherwise nobody could ever learn of a better one.
    const limit = Math.max(1, Math.min(allowance, learntAllowance ?? allowance));
    const reason =
      limit < allowance
        ? `the service refused more than ${pluralize(limit, 'request')} a ${name}`
        : `only ${pluralize(limit, 'request')} a ${name}`;
    // The service counts a request some time before its answer is here. We count from the answer, so that the request
    // leaves our window no sooner than the service's.
    return { limit, counts: millis + TIMER_MARGIN, reason };
  });
  // Only the first two minutes after a refusal count: an operation that is refused for a day must not slow down others.
  const isJustRefused = holds.some(
    ({ at, millis }) => at + Math.min(millis, MINUTE) + MINUTE > now,
  );
  const limit = learnt !== undefined || isJustRefused ? 1 : IN_FLIGHT;
  return [...windows, { limit, counts: 0, reason: 'other requests of this account are under way' }];
}

/** A refusal whose Retry-After has not passed. */
export interface LastingHold extends Hold {
  /** Epoch milliseconds UTC. */
  readonly until: number;
}

/**
 * The refusals that hold an operation. Each holds its own operation. One that did not come from `/access` holds all others,
 * too, until an answer of `/access` says that credits are left.
 * @param operation undefined for one that was not refused itself
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
  /** Until when each request so far counts, epoch milliseconds UTC, ascending. */
  readonly ends: number[];
}

/** @param endOf when a request is over */
function rulesNow(
  usage: Usage,
  now: number,
  endOf: (request: SentRequest) => number,
  windows = windowsOf(usage.allowances),
): RuleNow[] {
  return rulesOf(usage, now, windows).map((rule) => ({
    ...rule,
    ends: usage.requests.map((request) => endOf(request) + rule.counts).sort((a, b) => a - b),
  }));
}

/** From when on fewer than `limit` requests count: when the `limit`-th latest of them ends. */
function freeAt({ ends, limit }: RuleNow): number {
  return ends.at(-limit) ?? 0;
}

/**
 * When the next request may leave.
 * @param operation undefined for one that no hold stops
 * @returns what it waits for. If `until` has passed, the request may leave.
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

/** When each of so many requests would leave, one after the other, if all that are under way are answered now. */
export function departures(usage: Usage, now: number, requests: number): number[] {
  const rules = rulesNow(usage, now, (request) => Math.min(overAt(request), now));
  const holdEnds = holdsOn(usage, now)[0]?.until ?? now;
  return Array.from({ length: requests }, () => {
    const due = Math.max(holdEnds, ...rules.map(freeAt));
    for (const { ends, counts } of rules) ends.push(due + counts);
    return due;
  });
}

/** A window of the service, and how many requests it counts now. */
export interface WindowNow extends RequestWindow {
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
  /** UTC days, today the last of them. */
  readonly days: number;
  /** The limit. */
  readonly credits: number;
  /** Credits that were spent here, or may have been. */
  readonly spent: number;
}

export function creditPeriodsNow(usage: Usage, now: number): CreditPeriodNow[] {
  const today = dayNumber(now);
  return CREDIT_PERIODS.map(({ days, credits }) => {
    return { days, credits, spent: atMost(spentWithin(usage, today - days + 1, today)) };
  });
}
