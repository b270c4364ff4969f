/** What a request changes in the ledger when it is sent, and when it ends. Pure. */
import { WINDOWS } from '../api/limits.ts';
import { OPERATIONS } from '../api/operations.ts';
import { isRefusal } from '../api/statuses.ts';
import { DAY, dayNumber, MINUTE } from '../base/units.ts';
import { waitBeforeTrying } from '../base/waits.ts';
import {
  add,
  type DaySpending,
  type Hold,
  NO_SPENDING,
  type SentRequest,
  type Spending,
  type Usage,
} from './usage.ts';

const ACCESS = OPERATIONS.access.path;
/** Days that the ledger remembers: a little more than a month. */
const DAYS_KEPT = 35;
/** How long a request is remembered after its end, milliseconds. No rule looks further back. */
const REQUESTS_KEPT = Math.max(...WINDOWS.map(({ millis }) => millis)) + 5 * MINUTE;
/**
 * How long a request without an end counts as under way, milliseconds. If it takes longer, its process was probably killed. With a
 * longer --timeout it may still be under way.
 */
const LONGEST_FLIGHT = 40_000;

/** When a request stops counting as under way, epoch milliseconds UTC. */
export function overAt({ sent, ended }: SentRequest): number {
  return ended ?? sent + LONGEST_FLIGHT;
}

/**
 * When a request ended, or ends at the latest if its process still runs. However long --timeout is, a killed process does not leave
 * its request in the ledger for more than a day.
 * @returns epoch milliseconds UTC
 */
function endsBy(request: SentRequest): number {
  const { sent, ended, timeout = 0 } = request;
  return ended ?? Math.max(overAt(request), sent + Math.min(timeout, DAY));
}

/** How a request changes the spending: if it is sent; if it was not sent after all; if it is answered with 200. */
export const SPENDING = {
  sent: (cost: number): Spending => ({ requests: 1, charged: 0, uncertain: cost }),
  notSent: (cost: number): Spending => ({ requests: -1, charged: 0, uncertain: -cost }),
  charged: (cost: number): Spending => ({ requests: 0, charged: cost, uncertain: -cost }),
};

/** Records a request whose turn has come. It has not left yet: if it does not, `recordNotSent` takes it back. */
export function recordSent(usage: Usage, request: Omit<SentRequest, 'ended' | 'status'>): void {
  const sent: SentRequest = { ...request, ended: null, status: null };
  const recentRequests = usage.requests.filter(
    (other) => endsBy(other) > request.sent - REQUESTS_KEPT,
  );
  usage.requests = [...recentRequests, sent];
  addSpending(usage, sent, SPENDING.sent(request.cost));
}

/** Takes out a request that `recordSent` recorded, because it was not sent after all. */
export function recordNotSent(usage: Usage, id: string): void {
  const request = usage.requests.find((sent) => sent.id === id);
  if (request === undefined) return;
  usage.requests = usage.requests.filter((sent) => sent !== request);
  addSpending(usage, request, SPENDING.notSent(request.cost));
}

/**
 * Whether the wait after a failure of `/access` is over. During the wait, a command that can do without `/access` does not ask
 * it. Each failure in a row makes the wait longer.
 */
export function isAccessDue(
  { accessRefused: refused }: Pick<Usage, 'accessRefused'>,
  now: number,
): boolean {
  return refused === null || refused.at + waitBeforeTrying(refused.times) <= now;
}

/** Stands for a status in `accessRefused` if none came from the service: no answer came at all, or a web page in its place. */
export const UNANSWERED = 0;

/** How a request ended: answered, refused, or without an answer. */
export interface RequestEnd {
  /** Epoch milliseconds UTC. */
  readonly at: number;
  /** The HTTP status; undefined if the answer was lost. */
  readonly status: number | undefined;
  /** Whether the body is no Envelope, so that the answer is not the service's own. */
  readonly isForeign: boolean;
  /** How long to stay away after a refusal, milliseconds; 0 for any other end. */
  readonly holdMillis: number;
}

/**
 * Whether a retry was refused (429) because the service let other requests of the account through before the retry. If the
 * service lets no request of the operation through, it refuses the operation itself: other requests are not the reason.
 * @param retriedFrom when the retry was first allowed to leave, epoch milliseconds UTC; undefined for a first attempt, which
 *   counts as not overtaken
 */
export function isOvertaken(
  { requests }: Pick<Usage, 'requests'>,
  id: string,
  { status }: RequestEnd,
  retriedFrom: number | undefined,
): boolean {
  const refused = requests.find((request) => request.id === id);
  if (status !== 429 || retriedFrom === undefined || refused === undefined) return false;
  if (!isServed(requests, refused.operation)) return false;
  return requests.some(
    (other) =>
      other.sent >= retriedFrom && other.sent <= refused.sent && isLetThrough(other.status),
  );
}

/** Whether one of the requests was of the operation, and was let through. */
function isServed(requests: readonly SentRequest[], operation: string): boolean {
  return requests.some(
    (request) => request.operation === operation && isLetThrough(request.status),
  );
}

function isLetThrough(status: number | null): boolean {
  return status !== null && !isRefusal(status);
}

/**
 * Records how a request ended.
 *
 * An example. A request for 1 credit was sent. The day then has `{ requests: 1, charged: 0, uncertain: 1 }`, since the credit
 * may be charged. What the day has in the end depends on the answer:
 * - After a 200 with an Envelope the credit is charged: `{ requests: 1, charged: 1, uncertain: 0 }`.
 * - After any other end, a lost answer for example, it stays uncertain: the document does not say whether failed requests cost
 *   anything.
 *
 * A 429 or 503 holds its operation for `holdMillis`. A 429 may also show how many requests a minute the service really allows
 * (`strict`).
 */
export function recordEnd(usage: Usage, id: string, end: RequestEnd): void {
  const request = usage.requests.find((sent) => sent.id === id);
  if (request === undefined) return;
  const { at, status, isForeign, holdMillis } = end;
  const isAnswered = status === 200 && !isForeign;
  request.ended = at;
  // A web page with status 200 stands in place of the answer, which counts as lost.
  request.status = status === 200 && isForeign ? null : (status ?? null);
  if (request.operation === ACCESS) recordEndOfAccess(usage, end, isAnswered);
  if (isRefusal(status)) {
    if (status === 429 && holdMillis <= MINUTE) learnAllowance(usage, request, at);
    // The ledger has `isForeign` only where it is true.
    const foreign = isForeign ? true : undefined;
    recordHold(usage, request, { at, millis: holdMillis, status, isForeign: foreign });
  }
  if (!isAnswered) return;
  addSpending(usage, request, SPENDING.charged(request.cost));
  if (request.despiteHold === 'recheck') usage.holds = [];
}

/** Counts the failures of `/access` in a row: the more there are, the later it is asked again. */
function recordEndOfAccess(
  usage: Usage,
  { at, status = UNANSWERED, isForeign }: RequestEnd,
  isAnswered: boolean,
): void {
  if (isAnswered) {
    usage.accessRefused = null;
    return;
  }
  // A user, or a retry, asked before it was due: this failure does not make the wait longer.
  if (!isAccessDue(usage, at)) return;
  const times = (usage.accessRefused?.times ?? 0) + 1;
  usage.accessRefused = { at, times, status: isForeign ? UNANSWERED : status };
}

/**
 * If at most this many requests were let through before a first refusal, the refusal does not show the allowance: the service
 * may just have been busy.
 */
const TOO_FEW_TO_LEARN = 3;

/**
 * After a 429 that pacing did not foresee: the number of requests that were let through in the minute before it is taken for the
 * allowance of a minute. Nothing is learnt from a second 429 of an operation of which no request was let through: the service then
 * refuses that operation, whatever the pace.
 */
function learnAllowance(usage: Usage, refused: SentRequest, at: number): void {
  const answeredRequests = usage.requests.filter(
    (other) => other !== refused && other.sent <= refused.sent && other.status !== null,
  );
  const requestsOfOperation = answeredRequests.filter(
    ({ operation }) => operation === refused.operation,
  );
  const isRepeated = requestsOfOperation.some(({ status }) => status === 429);
  if (isRepeated && !isServed(answeredRequests, refused.operation)) return;
  const requestsOfMinute = answeredRequests.filter(({ sent }) => sent > refused.sent - MINUTE);
  const letThrough = requestsOfMinute.filter(({ status }) => isLetThrough(status)).length;
  const needed = isRepeated ? 1 : TOO_FEW_TO_LEARN + 1;
  if (letThrough < needed) return;
  const learntBefore = usage.strict?.allowance ?? letThrough;
  usage.strict = { at, allowance: Math.min(letThrough, learntBefore) };
}

/**
 * Records a hold. If an operation has several holds that `/access` has not lifted, only the longest is kept. A refusal that comes after
 * the lifting is a hold of its own: it holds all operations again, even if it is shorter than the lifted one.
 */
function recordHold(
  usage: Usage,
  { operation, despiteHold }: SentRequest,
  refusal: Pick<Hold, 'at' | 'millis' | 'status' | 'isForeign'>,
): void {
  usage.holds = usage.holds.filter(({ at, millis }) => at + millis > refusal.at);
  const earlierHold = usage.holds.find((hold) => hold.operation === operation && !hold.isLifted);
  if (earlierHold === undefined) {
    usage.holds.push({ operation, ...refusal });
  } else if (earlierHold.at + earlierHold.millis < refusal.at + refusal.millis) {
    Object.assign(earlierHold, refusal);
  }
  // The user asked `/access` in spite of the holds, and it was refused: now each hold lasts as long as this answer says. Holds
  // that were lifted stay lifted, because a refusal of `/access` holds no other operation.
  if (despiteHold === 'recheck') {
    for (const hold of usage.holds) Object.assign(hold, refusal);
  }
}

/** Adds the spending of a request to the sums of its day, and to the sums since the last answer of `/access`. */
export function addSpending(
  usage: Usage,
  request: Pick<SentRequest, 'sent' | 'operation' | 'isExport'>,
  by: Spending,
): void {
  const day = dayAt(usage, dayNumber(request.sent));
  day.operations[request.operation] ??= { ...NO_SPENDING };
  add(day.operations[request.operation] as Spending, by);
  if (request.isExport) day.exports += by.charged;
  add(usage.sinceAccess, by);
}

/** The entry of a day, which is made if there is none. @param day days since 1970, UTC */
export function dayAt(usage: Usage, day: number): DaySpending {
  const existing = usage.days.find((entry) => entry.day === day);
  if (existing !== undefined) return existing;
  const fresh = { day, operations: {}, elsewhere: 0, exports: 0 };
  usage.days = [...usage.days, fresh].sort((a, b) => a.day - b.day).slice(-DAYS_KEPT);
  return fresh;
}

/**
 * Corrects the ledger if the clock was set back to `at`. Times after `at` become `at`, so that no limit lasts longer than it
 * should. What was spent on days after today counts as spent today.
 */
export function correctFutureTimes(usage: Usage, at: number): void {
  const notAfter = (time: number) => Math.min(time, at);
  usage.latest = notAfter(usage.latest);
  if (usage.lostAt !== null) usage.lostAt = notAfter(usage.lostAt);
  if (usage.neighboursAt !== null) usage.neighboursAt = notAfter(usage.neighboursAt);
  for (const request of usage.requests) {
    request.sent = notAfter(request.sent);
    request.ended = request.ended === null ? null : notAfter(request.ended);
  }
  for (const timed of [...usage.holds, usage.access, usage.accessRefused, usage.strict]) {
    if (timed !== null) timed.at = notAfter(timed.at);
  }
  const today = dayNumber(at);
  for (const entry of usage.notShown) {
    entry.at = notAfter(entry.at);
    entry.day = Math.min(entry.day, today);
  }
  const later = usage.days.filter(({ day }) => day > today);
  usage.days = usage.days.filter(({ day }) => day <= today);
  for (const day of later) addDay(dayAt(usage, today), day);
}

function addDay(sum: DaySpending, { operations, elsewhere, exports }: DaySpending): void {
  for (const [operation, spending] of Object.entries(operations)) {
    const total = sum.operations[operation] ?? { ...NO_SPENDING };
    add(total, spending);
    sum.operations[operation] = total;
  }
  sum.elsewhere += elsewhere;
  sum.exports += exports;
}
