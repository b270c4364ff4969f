import { WINDOWS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { isRefusal } from '../api/statuses.ts';
import { waitBeforeTrying } from '../base/waits.ts';
import { dayNumber, MINUTE } from '../runtime/units.ts';
import {
  add,
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

export function count(
  usage: Usage,
  request: Pick<SentRequest, 'sent' | 'operation' | 'isExport'>,
  by: Spending,
): void {
  const day = dayAt(usage, dayNumber(request.sent));
  day.operations[request.operation] ??= { ...NOTHING };
  add(day.operations[request.operation] as Spending, by);
  if (request.isExport) day.exports += by.charged;
  add(usage.sinceAccess, by);
}

export function dayAt(usage: Usage, day: number): DaySpending {
  const known = usage.days.find((entry) => entry.day === day);
  if (known !== undefined) return known;
  const fresh = { day, operations: {}, elsewhere: 0, exports: 0 };
  usage.days = [...usage.days, fresh].sort((a, b) => a.day - b.day).slice(-DAYS_KEPT);
  return fresh;
}

/**
 * The ledger's clamp: no time in it lies after now. After the clock was set back to `at`, no limit lasts longer than its
 * own length, and what days after today hold was spent today.
 */
export function setBack(usage: Usage, at: number): void {
  const bound = (time: number) => Math.min(time, at);
  usage.latest = bound(usage.latest);
  if (usage.lostAt !== null) usage.lostAt = bound(usage.lostAt);
  if (usage.neighboursAt !== null) usage.neighboursAt = bound(usage.neighboursAt);
  for (const request of usage.requests) {
    request.sent = bound(request.sent);
    request.ended = request.ended === null ? null : bound(request.ended);
  }
  for (const timed of [...usage.holds, usage.access, usage.accessRefused, usage.strict]) {
    if (timed !== null) timed.at = bound(timed.at);
  }
  const today = dayNumber(at);
  const later = usage.days.filter(({ day }) => day > today);
  usage.days = usage.days.filter(({ day }) => day <= today);
  for (const day of later) addDay(dayAt(usage, today), day);
}

function addDay(sum: DaySpending, { operations, elsewhere, exports }: DaySpending): void {
  for (const [operation, spending] of Object.entries(operations)) {
    const total = sum.operations[operation] ?? { ...NOTHING };
    add(total, spending);
    sum.operations[operation] = total;
  }
  sum.elsewhere += elsewhere;
  sum.exports += exports;
}
