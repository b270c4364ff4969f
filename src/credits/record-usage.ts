import * as v from 'valibot';
import type { Access } from '../api/contract/resources.ts';
import { type Allowances, byAllowance, WINDOWS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { isRefusal } from '../api/statuses.ts';
import { parseApiTime } from '../api/time.ts';
import { waitBeforeTrying } from '../base/waits.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../runtime/units.ts';
import {
  AccessCheck,
  add,
  atMost,
  type DaySpending,
  type Hold,
  NOTHING,
  type SentRequest,
  type Spending,
  type Usage,
} from './usage.ts';

const ACCESS = OPERATIONS.access.path;
const DAYS_KEPT = 35;
/** Milliseconds: no rule looks further back. */
const REQUESTS_KEPT = Math.max(...WINDOWS.map(({ millis }) => millis)) + 5 * MINUTE;
/** Milliseconds; a request under way counts no longer: its process may have been killed. */
const LONGEST_FLIGHT = 40_000;
/** `/access` may be an hour late; the minutes are for clocks. */
const ACCESS_LAG = HOUR + 5 * MINUTE;

export function overAt({ sent, ended }: SentRequest): number {
  return ended ?? sent + LONGEST_FLIGHT;
}

/** Spending changes in one of three ways: a request is sent, was not sent after all, or is answered with 200. */
export const SPENDING = {
  sent: (cost: number): Spending => ({ requests: 1, charged: 0, uncertain: cost }),
  notSent: (cost: number): Spending => ({ requests: -1, charged: 0, uncertain: -cost }),
  charged: (cost: number): Spending => ({ requests: 0, charged: cost, uncertain: -cost }),
};

export function recordSent(usage: Usage, request: Omit<SentRequest, 'ended' | 'status'>): void {
  const sent: SentRequest = { ...request, ended: null, status: null };
  const latest = usage.requests.filter((one) => overAt(one) > request.sent - REQUESTS_KEPT);
  usage.requests = [...latest, sent];
  count(usage, sent, SPENDING.sent(request.cost));
}

export function recordNotSent(usage: Usage, id: string): void {
  const request = usage.requests.find((one) => one.id === id);
  if (request === undefined) return;
  usage.requests = usage.requests.filter((one) => one !== request);
  count(usage, request, SPENDING.notSent(request.cost));
}

/** Whether who can do without its answer asks `/access`. */
export function isAccessDue(
  { accessRefused: refused }: Pick<Usage, 'accessRefused'>,
  now: number,
): boolean {
  return refused === null || refused.at + waitBeforeTrying(refused.times) <= now;
}

/** What `accessRefused` says where no refusal of the service's own came: no answer, or a web page in its place. */
export const UNANSWERED = 0;

/** What came of a request. */
export interface Outcome {
  /** Epoch milliseconds UTC. */
  readonly at: number;
  /** Of HTTP; undefined if the answer was lost. */
  readonly status: number | undefined;
  /** Whether the body is no Envelope. */
  readonly isForeign: boolean;
  /** Milliseconds, after a refusal. */
  readonly stayAway: number;
}

/**
 * Whether a request was refused (429) because the account's other requests went first.
 * @param again since when it might leave again, after a refusal before; epoch milliseconds UTC
 */
export function isOvertaken(
  { requests }: Pick<Usage, 'requests'>,
  id: string,
  { status }: Outcome,
  again: number | undefined,
): boolean {
  const refused = requests.find((request) => request.id === id);
  if (status !== 429 || again === undefined || refused === undefined) return false;
  return requests.some(
    (other) => other.sent >= again && other.sent <= refused.sent && isLetThrough(other.status),
  );
}

function isLetThrough(status: number | null): boolean {
  return status !== null && !isRefusal(status);
}

export function recordOutcome(
  usage: Usage,
  id: string,
  { at, status, isForeign, stayAway }: Outcome,
): void {
  const request = usage.requests.find((one) => one.id === id);
  if (request === undefined) return;
  request.ended = at;
  request.status = status ?? null;
  const isAnswered = status === 200 && !isForeign;
  if (request.operation === ACCESS && isAnswered) usage.accessRefused = null;
  // Before its turn it was tried again, or the user asked: such a refusal counts no more.
  else if (request.operation === ACCESS && isAccessDue(usage, at)) {
    usage.accessRefused = {
      at,
      times: (usage.accessRefused?.times ?? 0) + 1,
      status: isForeign ? UNANSWERED : (status ?? UNANSWERED),
    };
  }
  if (isRefusal(status)) {
    if (status === 429 && stayAway <= MINUTE) learnAllowance(usage, request, at);
    hold(usage, request, { at, millis: stayAway, status });
  }
  if (status !== 200) return;
  count(usage, request, SPENDING.charged(request.cost));
  if (request.despiteHold === 'recheck' && isAnswered) usage.holds = [];
}

/** A refusal of so few says nothing of the pace: the service may have been busy. */
const HARDLY_ANYTHING = 3;

/** The service allows as many as passed in the minute before a 429 that pacing did not foresee. */
function learnAllowance(usage: Usage, refused: SentRequest, at: number): void {
  const others = usage.requests.filter(
    (one) => one !== refused && one.sent <= refused.sent && one.status !== null,
  );
  const passed = others.filter(
    ({ sent, status }) => sent > refused.sent - MINUTE && !isRefusal(status),
  ).length;
  const isAgain = others.some(({ status }) => status === 429);
  if (passed > HARDLY_ANYTHING || (passed > 0 && isAgain)) {
    usage.strict = { at, allowance: Math.min(passed, usage.strict?.allowance ?? passed) };
  }
}

function hold(
  usage: Usage,
  { operation, despiteHold }: SentRequest,
  said: Omit<Hold, 'operation' | 'isLifted'>,
): void {
  usage.holds = usage.holds.filter(({ at, millis }) => at + millis > said.at);
  const before = usage.holds.find((one) => one.operation === operation);
  if (before === undefined) usage.holds.push({ operation, ...said });
  else if (before.at + before.millis < said.at + said.millis) Object.assign(before, said);
  // The user's own question learns the latest of all.
  if (despiteHold === 'recheck') for (const one of usage.holds) Object.assign(one, said);
}

function count(usage: Usage, request: SentRequest, by: Spending): void {
  const day = dayAt(usage, dayNumber(request.sent));
  day.operations[request.operation] ??= { ...NOTHING };
  add(day.operations[request.operation] as Spending, by);
  if (request.isExport) day.exports += by.charged;
  add(usage.sinceAccess, by);
}

function dayAt(usage: Usage, day: number): DaySpending {
  const known = usage.days.find((entry) => entry.day === day);
  if (known !== undefined) return known;
  const fresh = { day, operations: {}, elsewhere: 0, exports: 0 };
  usage.days = [...usage.days, fresh].sort((a, b) => a.day - b.day).slice(-DAYS_KEPT);
  return fresh;
}

export type AccessSaid = Pick<Access, 'credits'> & Partial<Pick<Access, 'expires_at'>> & Allowances;

/**
 * What was charged here is carried over until `used` has grown by it: an answer may be an hour old.
 * @param at when the answer came
 * @returns credits spent elsewhere since the check before, at least; undefined in a new month
 */
export function recordAccess(usage: Usage, access: AccessSaid, at: number) {
  const asked = usage.requests.findLast(
    ({ operation, status }) => operation === ACCESS && status === 200,
  );
  const from = asked?.sent ?? at;
  const { access: before } = usage;
  const check = v.parse(AccessCheck, { at, ...access });
  // `/access` may or may not include a request in flight.
  const open = usage.requests.filter(({ ended }) => ended === null || ended > from);
  const charged = sumOf(open.filter(({ status }) => status === 200));
  const isSameMonth = before !== null && areNear(before.credits.resets_at, check.credits.resets_at);
  const growth = Math.max(0, check.credits.used - (before?.credits.used ?? 0));
  const elsewhere = isSameMonth
    ? Math.max(0, growth - usage.missing - atMost(usage.sinceAccess))
    : 0;
  if (before !== null) spreadElsewhere(usage, elsewhere, { from: before.at, until: at });
  const since = Math.max(0, usage.sinceAccess.charged - charged);
  const carried = isSameMonth && at - before.at <= ACCESS_LAG ? usage.missing : 0;
  const unseen = isSameMonth ? Math.max(0, usage.missing + since - growth) : 0;
  usage.missing = charged + Math.min(carried + since, unseen);
  usage.sinceAccess = { ...NOTHING, uncertain: sumOf(open) - charged };
  usage.allowances = byAllowance((field) => access[field]);
  usage.access = check;
  if (access.credits.remaining > 0)
    for (const hold of usage.holds) if (hold.at <= from) hold.isLifted = true;
  return isSameMonth ? { credits: elsewhere, since: before.at } : undefined;
}

/** Whether two answers mean the same reset: a service may work it out anew each time. */
function areNear(resetsAt: string, other: string): boolean {
  return Math.abs((parseApiTime(resetsAt) ?? 0) - (parseApiTime(other) ?? 0)) <= HOUR;
}

/**
 * Shares out what others spent between two answers over their days: those in the middle of each of the 24 hours, so that
 * what a daily run finds in the morning belongs to the day before.
 */
function spreadElsewhere(
  usage: Usage,
  credits: number,
  { from, until }: { readonly from: number; readonly until: number },
): void {
  const count = Math.max(1, Math.round((until - from) / DAY));
  const length = Math.max(0, until - from) / count;
  for (let part = 0; part < count; part += 1) {
    // The remainder is the newest days'.
    const share = Math.floor((credits + count - 1 - part) / count);
    const middle = until - (part + 0.5) * length;
    if (share > 0) dayAt(usage, dayNumber(middle)).elsewhere += share;
  }
}

function sumOf(requests: readonly SentRequest[]): number {
  return requests.reduce((total, { cost }) => total + cost, 0);
}

/** No limit lasts longer than its own length after the clock was set back to `at`. */
export function setBack(usage: Usage, at: number): void {
  const bound = (time: number) => Math.min(time, at);
  usage.latest = bound(usage.latest);
  if (usage.lostAt !== null) usage.lostAt = bound(usage.lostAt);
  for (const request of usage.requests) {
    request.sent = bound(request.sent);
    request.ended = request.ended === null ? null : bound(request.ended);
  }
  for (const timed of [...usage.holds, usage.access, usage.accessRefused, usage.strict]) {
    if (timed !== null) timed.at = bound(timed.at);
  }
}
