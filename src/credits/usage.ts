/** What the records of a ledger amount to: everything that the schedule and the figures of spending need. */
import { LIMITS } from '../api/limits.ts';
import { parseApiTime } from '../api/time.ts';
import { DAY, MINUTE } from '../runtime/units.ts';
import type {
  AccessRecord,
  AnswerRecord,
  CancelRecord,
  Carried,
  DaySpending,
  DiedRecord,
  LedgerRecord,
  PermitRecord,
  SentRecord,
  Spent,
} from './ledger-records.ts';
import { recordAccepted, recordRefused } from './strict-service.ts';

/**
 * A request from its permit on. Waiting: neither sent nor ended. Under way: sent only. Given up: ended only. Answered
 * (or lost for good): both.
 */
export interface Permit extends Omit<PermitRecord, 'is' | 'at'> {
  /** When it was asked for, epoch milliseconds UTC. */
  at: number;
  sent: number | null;
  ended: number | null;
  /** HTTP status; null where there was none. */
  status: number | null;
  /** Whether it was under way when `/access` was last asked. */
  spansAccessCheck: boolean;
}

export interface Usage extends Carried {
  /** The latest time of any record; the clock was set back where it now says less. */
  latest: number;
  /** In the order of their records. Permits that can no longer matter are dropped. */
  permits: Permit[];
}

/** A Retry-After beyond this is a server's mistake and must not lock its user out for ever. */
export const LONGEST_COOLDOWN = 31 * DAY;
/** A month of spending, and some days for a clock that was set. */
const DAYS_KEPT = 35;
/** Permits that ended this long ago are of no interest to any rule. */
const PERMITS_KEPT = 10 * MINUTE;
/** No timeout counts for longer than this, whatever a record says. */
export const LONGEST_TIMEOUT = 60 * MINUTE;
const PRUNED_AT_ONCE = 64;

/** @param perMinute the allowance as long as `/access` has not been asked */
export function emptyUsage(perMinute: number = LIMITS.requestsPerMinute): Usage {
  return {
    latest: 0,
    permits: [],
    cooldown: null,
    strict: null,
    probing: false,
    access: null,
    sinceAccess: { charged: 0, uncertain: 0 },
    perMinute,
    limitsSince: 0,
    days: [],
  };
}

export function usageOf(records: Iterable<LedgerRecord>): Usage {
  const usage = emptyUsage();
  for (const record of records) applyRecord(usage, record);
  return usage;
}

/** Adds one record to `usage`, in place. */
export function applyRecord(usage: Usage, record: LedgerRecord): void {
  if (record.is === 'clock') {
    setBack(usage, record.at);
    return;
  }
  usage.latest = Math.max(usage.latest, record.at);
  if (record.is === 'day') takeOver(usage, record.carried);
  else if (record.is === 'access') checkAccess(usage, record);
  else if (record.is === 'permit') addPermit(usage, record);
  else {
    for (const nonce of record.is === 'died' ? record.nonces : [record.nonce]) {
      const permit = usage.permits.findLast((candidate) => candidate.nonce === nonce);
      if (permit !== undefined) change(usage, permit, record);
    }
  }
}

/** What a new file begins with: all that matters but the permits. */
export function carriedFrom({ latest: _latest, permits: _permits, ...carried }: Usage): Carried {
  return carried;
}

export function isWaiting(permit: Permit): boolean {
  return permit.sent === null && permit.ended === null;
}

export function isUnderWay(permit: Permit): boolean {
  return permit.sent !== null && permit.ended === null;
}

/** Days since 1970, UTC. That the API's day turns at UTC midnight is an assumption. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY);
}

/** The UTC day of a time, `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function addPermit(usage: Usage, { is: _is, ...permit }: PermitRecord): void {
  const over = usage.latest - PERMITS_KEPT;
  // A record may lie about its time, but not keep its permit for ever.
  const matters = ({ at, ended }: Permit) => (ended ?? at + LONGEST_TIMEOUT) > over;
  const some = usage.permits[PRUNED_AT_ONCE];
  if (some !== undefined && !matters(some)) usage.permits = usage.permits.filter(matters);
  usage.permits.push({ ...permit, sent: null, ended: null, status: null, spansAccessCheck: false });
}

function change(usage: Usage, permit: Permit, record: SentRecord | CancelRecord | AnswerRecord | DiedRecord): void {
  if (record.is === 'sent') {
    if (permit.sent !== null) return;
    permit.sent = record.at;
    // It was taken for dead (a process of another container, perhaps) and was not.
    permit.ended = null;
    count(usage, permit, { requests: 1, charged: 0, uncertain: permit.cost });
    return;
  }
  if (record.is === 'died') {
    permit.ended ??= record.at;
    return;
  }
  if (record.is === 'cancel') {
    if (permit.sent !== null && permit.status === null) {
      count(usage, permit, { requests: -1, charged: 0, uncertain: -permit.cost });
      permit.sent = null;
    }
    permit.ended ??= record.at;
    return;
  }
  permit.ended = record.at;
  if (permit.status === null && permit.sent !== null) answer(usage, permit, record);
}

function answer(usage: Usage, permit: Permit, { at, status, cooldown, spacing }: AnswerRecord): void {
  permit.status = status;
  if (status === 200) {
    count(usage, permit, { requests: 0, charged: permit.cost, uncertain: -permit.cost });
    if (permit.recheck) usage.cooldown = null;
  }
  if (cooldown !== undefined && status !== null) {
    const millis = Math.min(cooldown * 1000, LONGEST_COOLDOWN);
    const until = usage.cooldown === null ? 0 : usage.cooldown.at + usage.cooldown.millis;
    // A deliberate request learns the latest; else the one that lasts longest holds.
    if (at + millis > until || permit.recheck) usage.cooldown = { at, millis, status };
    usage.probing = true;
    if (spacing !== undefined) {
      recordRefused(usage, permit.sent ?? at, at, spacing * 1000, spacing === cooldown);
    }
  } else if (status !== null && status < 500 && (permit.sent ?? at) > (usage.cooldown?.at ?? -1)) {
    if (usage.probing) usage.limitsSince = Math.max(usage.limitsSince, at);
    usage.probing = false;
    recordAccepted(usage, permit.sent ?? at, at);
  }
}

/** Adds to the day of sending, and to what was spent since `/access` was last asked. */
function count(usage: Usage, permit: Permit, by: Spent): void {
  if (permit.sent === null) return;
  const day = dayAt(usage, dayNumber(permit.sent));
  day.operations[permit.operation] ??= { requests: 0, charged: 0, uncertain: 0 };
  add(day.operations[permit.operation] as Spent, by);
  if (permit.keep) day.kept[permit.keep] = (day.kept[permit.keep] ?? 0) + by.charged;
  // Whether `/access` counted it already is unknown and stays so: it is uncertain, unless it is given back.
  if (!permit.spansAccessCheck || by.requests < 0) add(usage.sinceAccess, by);
}

function add(sum: { requests?: number; charged: number; uncertain: number }, by: Spent): void {
  if (sum.requests !== undefined) sum.requests = Math.max(0, sum.requests + by.requests);
  sum.charged = Math.max(0, sum.charged + by.charged);
  sum.uncertain = Math.max(0, sum.uncertain + by.uncertain);
}

function dayAt(usage: Usage, day: number): DaySpending {
  const known = usage.days.find((entry) => entry.day === day);
  if (known !== undefined) return known;
  const fresh = { day, operations: {}, elsewhere: 0, kept: {} };
  usage.days = [...usage.days, fresh].sort((a, b) => a.day - b.day).slice(-DAYS_KEPT);
  return fresh;
}

function checkAccess(usage: Usage, record: AccessRecord): void {
  const elsewhere = spentElsewhere(usage, record);
  if (elsewhere !== undefined && elsewhere.least > 0) dayAt(usage, dayNumber(record.at)).elsewhere += elsewhere.least;
  if (usage.perMinute !== record.per_minute) usage.limitsSince = Math.max(usage.limitsSince, record.at);
  usage.perMinute = record.per_minute;
  usage.sinceAccess = { charged: 0, uncertain: spanning(usage, record.from).all };
  for (const permit of usage.permits) permit.spansAccessCheck = isUnderWay(permit);
  const { at, used, limit, remaining, resets_at, per_minute } = record;
  usage.access = { at, used, limit, remaining, resetsAt: resets_at, perMinute: per_minute };
}

/**
 * What a new check of `/access` says of spending elsewhere, by the usage before it. Requests that failed or were under
 * way at either check may or may not be in the difference: they make it a range.
 * @returns credits; undefined where there is no earlier check of the same month
 */
export function spentElsewhere(
  usage: Usage,
  record: AccessRecord,
): { readonly least: number; readonly most: number; readonly since: number } | undefined {
  const { access, sinceAccess } = usage;
  if (access === null || !sameInstant(access.resetsAt, record.resets_at)) return undefined;
  const difference = record.used - access.used;
  const unsure = Math.min(sinceAccess.charged, spanning(usage, record.from).charged);
  return {
    least: Math.max(0, difference - sinceAccess.charged - sinceAccess.uncertain),
    most: Math.max(0, difference - sinceAccess.charged + unsure),
    since: access.at,
  };
}

function sameInstant(one: string, other: string): boolean {
  return one === other || parseApiTime(one) === parseApiTime(other);
}

/**
 * Credits of requests that were not over when `/access` was asked at `from`: nobody knows whether its figures contain
 * them. `charged`: those of them that have been answered with 200.
 */
function spanning(usage: Usage, from: number): { readonly all: number; readonly charged: number } {
  const open = usage.permits.filter(({ sent, ended }) => sent !== null && (ended === null || ended >= from));
  const sum = (permits: Permit[]) => permits.reduce((total, { cost }) => total + cost, 0);
  return { all: sum(open), charged: sum(open.filter(({ status }) => status === 200)) };
}

/**
 * Takes over what a first record of a day carries. Several processes may each write one, and most readers know all of
 * it from the file before: so only what is newer or more than what is known changes anything.
 */
function takeOver(usage: Usage, carried: Carried): void {
  const { cooldown, access } = structuredClone(carried);
  const until = (held: Carried['cooldown']) => (held === null ? 0 : held.at + held.millis);
  if (until(cooldown) > until(usage.cooldown)) {
    usage.cooldown = cooldown;
    usage.probing ||= carried.probing;
  }
  if ((carried.strict?.since ?? 0) > (usage.strict?.since ?? 0)) usage.strict = structuredClone(carried.strict);
  if ((access?.at ?? 0) > (usage.access?.at ?? 0)) {
    usage.access = access;
    usage.sinceAccess = { ...carried.sinceAccess };
    usage.perMinute = carried.perMinute;
  }
  usage.limitsSince = Math.max(usage.limitsSince, carried.limitsSince);
  for (const day of structuredClone(carried.days)) {
    const known = dayAt(usage, day.day);
    if (requestsOf(day) > requestsOf(known)) Object.assign(known, day);
    else known.elsewhere = Math.max(known.elsewhere, day.elsewhere);
  }
}

function requestsOf({ operations }: DaySpending): number {
  return Object.values(operations).reduce((sum, { requests }) => sum + requests, 0);
}

/** Nothing above the record happened later than it; so no limit lasts longer than its own length from there. */
function setBack(usage: Usage, at: number): void {
  const bound = (time: number) => Math.min(time, at);
  const boundOrNull = (time: number | null) => (time === null ? null : bound(time));
  usage.latest = bound(usage.latest);
  for (const permit of usage.permits) {
    permit.at = bound(permit.at);
    permit.sent = boundOrNull(permit.sent);
    permit.ended = boundOrNull(permit.ended);
  }
  for (const timed of [usage.cooldown, usage.access]) if (timed !== null) timed.at = bound(timed.at);
  if (usage.strict !== null) {
    usage.strict.since = bound(usage.strict.since);
    usage.strict.refusedAt = bound(usage.strict.refusedAt);
  }
  usage.limitsSince = bound(usage.limitsSince);
}
