/** What changes the usage of an account, in place: requests that leave, their answers, and what `/access` says. */
import * as v from 'valibot';
import type { Access } from '../api/contract/resources.ts';
import { type Allowances, byAllowance, WINDOWS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { dayNumber, MINUTE } from '../runtime/units.ts';
import { isAboutPace, recordAccepted, recordRefused } from './refused-pace.ts';
import { AccessCheck, type DaySpending, NOTHING, type SentRequest, type Spending, type Usage } from './usage.ts';

/** A month of spending, and some days for a clock that was set. */
const DAYS_KEPT = 35;
/** Requests that ended this long ago are of no interest to any rule: the longest window, and a margin. */
const REQUESTS_KEPT = Math.max(...WINDOWS.map(({ millis }) => millis)) + 5 * MINUTE;
/** More requests than any allowance of the document; of a larger one the latest are enough. */
const MOST_REQUESTS = 1_000;
/** No request is under way for longer than this, whatever its timeout, milliseconds. */
export const LONGEST_TIMEOUT = 60 * MINUTE;

/** What came of a request. Durations in milliseconds. */
interface Outcome {
  readonly at: number;
  /** HTTP status; undefined where the answer was lost. */
  readonly status: number | undefined;
  /** After a refusal: for how long nobody may send, and whether the service said so itself. */
  readonly stayAway?: { readonly millis: number; readonly said: boolean } | undefined;
}

/** Credits spent elsewhere (MCP or another machine) between two checks of `/access`. A range where requests of this
 * machine may or may not have been charged. */
export interface Elsewhere {
  readonly least: number;
  readonly most: number;
  /** The earlier check, epoch milliseconds UTC. */
  readonly since: number;
}

/** A request is about to leave. */
export function recordSent(usage: Usage, request: Omit<SentRequest, 'ended' | 'status'>): void {
  const over = request.sent - REQUESTS_KEPT;
  const latest = usage.requests.filter(({ sent, ended }) => (ended ?? sent + LONGEST_TIMEOUT) > over);
  usage.requests = [...latest, { ...request, ended: null, status: null }].slice(-MOST_REQUESTS);
  count(usage, request, { requests: 1, charged: 0, uncertain: request.cost });
}

/** It turned out that the request never left. */
export function recordNotSent(usage: Usage, id: string): void {
  const request = usage.requests.find((one) => one.id === id);
  if (request === undefined) return;
  usage.requests = usage.requests.filter((one) => one !== request);
  count(usage, request, { requests: -1, charged: 0, uncertain: -request.cost });
}

/** The request was answered, or its answer was lost. One of a process that was taken for dead may be answered yet. */
export function recordOutcome(usage: Usage, id: string, { at, status, stayAway }: Outcome): void {
  const request = usage.requests.find((one) => one.id === id);
  if (request === undefined) return;
  if (stayAway !== undefined && status !== undefined) {
    // Before the refusal itself is in the usage.
    const pace = status === 429 && stayAway.millis <= MINUTE && isAboutPace(usage, request);
    stayAwayFor(usage, request, { at, millis: stayAway.millis, status });
    if (pace) recordRefused(usage, request.sent, at, stayAway);
  } else if (status !== undefined && status < 500 && request.sent > (usage.cooldown?.at ?? -1)) {
    usage.refusals = 0;
    recordAccepted(usage, request.sent, at);
  }
  request.ended = at;
  request.status = status ?? null;
  if (status === 200) {
    count(usage, request, { requests: 0, charged: request.cost, uncertain: -request.cost });
    if (request.recheck) usage.cooldown = null;
  }
}

function stayAwayFor(usage: Usage, { recheck }: SentRequest, cooldown: NonNullable<Usage['cooldown']>): void {
  const until = usage.cooldown === null ? 0 : usage.cooldown.at + usage.cooldown.millis;
  // A deliberate request learns the latest; else the one that lasts longest holds.
  if (cooldown.at + cooldown.millis > until || recheck) usage.cooldown = cooldown;
  usage.refusals += 1;
}

/** Adds to the day of sending, and to what was spent since `/access` was last asked. */
function count(usage: Usage, request: Omit<SentRequest, 'ended' | 'status'>, by: Spending): void {
  const day = dayAt(usage, dayNumber(request.sent));
  day.operations[request.operation] ??= { ...NOTHING };
  add(day.operations[request.operation] as Spending, by);
  if (request.keep) day.kept[request.keep] = (day.kept[request.keep] ?? 0) + by.charged;
  if (request.filling) day.filling += by.charged;
  add(usage.sinceAccess, by);
}

/** What was counted before the latest check of `/access` may be given back after it: no sum goes below 0. */
function add(sum: Spending, by: Spending): void {
  sum.requests = Math.max(0, sum.requests + by.requests);
  sum.charged = Math.max(0, sum.charged + by.charged);
  sum.uncertain = Math.max(0, sum.uncertain + by.uncertain);
}

function dayAt(usage: Usage, day: number): DaySpending {
  const known = usage.days.find((entry) => entry.day === day);
  if (known !== undefined) return known;
  const fresh = { day, operations: {}, elsewhere: 0, kept: {}, filling: 0 };
  usage.days = [...usage.days, fresh].sort((a, b) => a.day - b.day).slice(-DAYS_KEPT);
  return fresh;
}

/**
 * Takes in what `/access` said.
 * @param from when the request for it left, epoch milliseconds UTC
 * @param at when it was answered
 * @returns what was spent elsewhere since the last check of the same month; undefined where there is nothing to compare
 *   with
 */
export function recordAccess(
  usage: Usage,
  access: Pick<Access, 'credits'> & Allowances,
  from: number,
  at: number,
): Elsewhere | undefined {
  const check = v.parse(AccessCheck, { at, credits: access.credits });
  const elsewhere = spentElsewhere(usage, check, from);
  if (elsewhere !== undefined && elsewhere.least > 0) dayAt(usage, dayNumber(at)).elsewhere += elsewhere.least;
  usage.allowances = byAllowance((field) => access[field]);
  usage.sinceAccess = { ...NOTHING, uncertain: spanning(usage, from).all };
  usage.access = check;
  return elsewhere;
}

/**
 * Requests that failed or were under way at either check may or may not be in the difference: they make it a range.
 */
function spentElsewhere(usage: Usage, check: AccessCheck, from: number): Elsewhere | undefined {
  const { access, sinceAccess } = usage;
  if (access === null || parseApiTime(access.credits.resets_at) !== parseApiTime(check.credits.resets_at)) {
    return undefined;
  }
  const difference = check.credits.used - access.credits.used;
  const unsure = Math.min(sinceAccess.charged, spanning(usage, from).charged);
  return {
    least: Math.max(0, difference - sinceAccess.charged - sinceAccess.uncertain),
    most: Math.max(0, difference - sinceAccess.charged + unsure),
    since: access.at,
  };
}

/**
 * Credits of requests that were not over when `/access` was asked at `from`: nobody knows whether its figures contain
 * them. `charged`: those of them that have been answered with 200.
 */
function spanning(usage: Usage, from: number): { readonly all: number; readonly charged: number } {
  const open = usage.requests.filter(({ ended }) => ended === null || ended > from);
  const sum = (requests: SentRequest[]) => requests.reduce((total, { cost }) => total + cost, 0);
  return { all: sum(open), charged: sum(open.filter(({ status }) => status === 200)) };
}

/** The clock was set back to `at`: whatever is known happened no later, so no limit lasts longer than its own length. */
export function setBack(usage: Usage, at: number): void {
  const bound = (time: number) => Math.min(time, at);
  usage.latest = bound(usage.latest);
  for (const request of usage.requests) {
    request.sent = bound(request.sent);
    request.ended = request.ended === null ? null : bound(request.ended);
  }
  for (const timed of [usage.cooldown, usage.access]) if (timed !== null) timed.at = bound(timed.at);
  if (usage.refusedPace !== null) {
    usage.refusedPace.since = bound(usage.refusedPace.since);
    usage.refusedPace.refusedAt = bound(usage.refusedPace.refusedAt);
  }
}
