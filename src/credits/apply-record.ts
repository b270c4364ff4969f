/** How each record of the ledger changes the usage. */
import { parseApiTime } from '../api/time.ts';
import { dayNumber, MINUTE, SECOND } from '../runtime/units.ts';
import type { AccessRecord, AnswerRecord, LedgerRecord, PermitRecord, StepRecord } from './ledger-records.ts';
import { isAboutPace, recordAccepted, recordRefused } from './strict-service.ts';
import {
  type AccessCheck,
  type DaySpending,
  LONGEST_TIMEOUT,
  NOTHING,
  type Permit,
  type Spending,
  type Usage,
} from './usage.ts';

/** A month of spending, and some days for a clock that was set. */
const DAYS_KEPT = 35;
/** Permits that ended this long ago are of no interest to any rule. */
const PERMITS_KEPT = 10 * MINUTE;

/**
 * Credits spent elsewhere (MCP or another machine) between two checks of `/access`. A range where requests of this
 * machine may or may not have been charged.
 */
export interface Elsewhere {
  readonly least: number;
  readonly most: number;
  /** The earlier check, epoch milliseconds UTC. */
  readonly since: number;
}

/** Adds one record to `usage`, in place. */
export function applyRecord(usage: Usage, record: LedgerRecord): void {
  if (record.is === 'day') {
    // Who has read anything before it knows all that it says. Several processes may each write one.
    if (usage.latest === 0) Object.assign(usage, record.usage);
    return;
  }
  if (record.is === 'clock') {
    setBack(usage, record.at);
    return;
  }
  usage.latest = Math.max(usage.latest, record.at);
  if (record.is === 'access') checkAccess(usage, record);
  else if (record.is === 'permit') addPermit(usage, record);
  else {
    const permit = usage.permits.findLast(({ nonce }) => nonce === record.nonce);
    if (permit === undefined) return;
    if (record.is === 'answer') answer(usage, permit, record);
    else step(usage, permit, record);
  }
}

function addPermit(usage: Usage, { is: _is, ...permit }: PermitRecord): void {
  const over = usage.latest - PERMITS_KEPT;
  // A record may lie about its time, but not keep its permit for ever.
  usage.permits = usage.permits.filter(({ at, ended }) => (ended ?? at + LONGEST_TIMEOUT) > over);
  usage.permits.push({ ...permit, sent: null, ended: null, status: null });
}

function step(usage: Usage, permit: Permit, { is, at }: StepRecord): void {
  if (is === 'sent') {
    if (permit.sent !== null) return;
    permit.sent = at;
    // It was taken for dead (a process of another container, perhaps) and was not.
    permit.ended = null;
    count(usage, permit, { requests: 1, charged: 0, uncertain: permit.cost });
    return;
  }
  if (is === 'cancel' && permit.sent !== null && permit.status === null) {
    count(usage, permit, { requests: -1, charged: 0, uncertain: -permit.cost });
    permit.sent = null;
  }
  permit.ended ??= at;
}

function answer(usage: Usage, permit: Permit, { at, status, cooldown, spacing }: AnswerRecord): void {
  permit.ended = at;
  if (permit.status !== null || permit.sent === null) return;
  permit.status = status;
  if (status === 200) {
    count(usage, permit, { requests: 0, charged: permit.cost, uncertain: -permit.cost });
    if (permit.recheck) usage.cooldown = null;
  }
  if (cooldown !== undefined && status !== null) {
    const tooFast = spacing !== undefined && isAboutPace(usage, permit.sent);
    const millis = cooldown * SECOND;
    const until = usage.cooldown === null ? 0 : usage.cooldown.at + usage.cooldown.millis;
    // A deliberate request learns the latest; else the one that lasts longest holds.
    if (at + millis > until || permit.recheck) usage.cooldown = { at, millis, status };
    usage.refusals += 1;
    if (tooFast) recordRefused(usage, permit.sent, at, spacing * SECOND, spacing === cooldown);
  } else if (status !== null && status < 500 && permit.sent > (usage.cooldown?.at ?? -1)) {
    if (usage.refusals > 0) usage.limitsSince = Math.max(usage.limitsSince, at);
    usage.refusals = 0;
    recordAccepted(usage, permit.sent, at);
  }
}

/** Adds to the day of sending, and to what was spent since `/access` was last asked. */
function count(usage: Usage, permit: Permit, by: Spending): void {
  if (permit.sent === null) return;
  const day = dayAt(usage, dayNumber(permit.sent));
  day.operations[permit.operation] ??= { ...NOTHING };
  add(day.operations[permit.operation] as Spending, by);
  if (permit.keep) day.kept[permit.keep] = (day.kept[permit.keep] ?? 0) + by.charged;
  add(usage.sinceAccess, by);
}

/** A clock that was set back may have moved a request to another day: no sum goes below 0. */
function add(sum: Spending, by: Spending): void {
  sum.requests = Math.max(0, sum.requests + by.requests);
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

function checkAccess(usage: Usage, { is: _is, from, ...access }: AccessRecord): void {
  const { at, perMinute } = access;
  const elsewhere = spentElsewhere(usage, access, from);
  if (elsewhere !== undefined && elsewhere.least > 0) dayAt(usage, dayNumber(at)).elsewhere += elsewhere.least;
  if (usage.perMinute !== perMinute) usage.limitsSince = Math.max(usage.limitsSince, at);
  usage.perMinute = perMinute;
  usage.sinceAccess = { ...NOTHING, uncertain: spanning(usage, from).all };
  usage.access = access;
}

/**
 * What a new check of `/access` says of spending elsewhere, by the usage before it. Requests that failed or were under
 * way at either check may or may not be in the difference: they make it a range.
 * @param from when the request for it left, epoch milliseconds UTC
 * @returns undefined where there is no earlier check of the same month
 */
export function spentElsewhere(usage: Usage, check: AccessCheck, from: number): Elsewhere | undefined {
  const { access, sinceAccess } = usage;
  if (access === null || parseApiTime(access.resetsAt) !== parseApiTime(check.resetsAt)) return undefined;
  const difference = check.used - access.used;
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
  const open = usage.permits.filter(({ sent, ended }) => sent !== null && (ended === null || ended >= from));
  const sum = (permits: Permit[]) => permits.reduce((total, { cost }) => total + cost, 0);
  return { all: sum(open), charged: sum(open.filter(({ status }) => status === 200)) };
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
