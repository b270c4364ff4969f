/**
 * When a request may be sent: pure functions of what the ledger's records amount to.
 *
 * SENIORITY: only permits above one's own decide when it is due, with what became of them. Every process reads the
 * same records in the same order, so all compute the same turns and need neither a lock nor a daemon; and a request
 * that comes later delays nobody.
 *
 * A rule says how many of the permits above may still count when a request leaves, and until when each of them counts.
 * To add a limit, add a rule.
 */
import { refusalInWords } from '../api/retry.ts';
import { MINUTE, SECOND } from '../runtime/units.ts';
import { isUnderWay, isWaiting, LONGEST_TIMEOUT, type Permit, type Usage } from './usage.ts';

/** The window of the allowance, plus a margin for clocks of another grain and timers that fire early. */
export const WINDOW = MINUTE + 100;
/**
 * A turn that came and was not taken within this time is forfeited: its process hangs or was suspended. The process
 * itself gives up after half of it, so that the two views never overlap.
 */
export const GRACE = 10 * SECOND;
/** A request ends by its own timeout; this much later nobody waits for its answer any more. */
const SLACK = 5 * SECOND;
/** Requests under way at once: a service that lets fewer through at a time shows it by so many refusals at most. */
const IN_FLIGHT = 4;
/** Those whom anything else kept waiting leave one after the other. */
const STAGGER = 50;

/** Why a user waits. */
interface Reason {
  sentence(usage: Usage): string;
}

interface Rule extends Reason {
  /** How many of the permits above may count when a request leaves. */
  limit(usage: Usage): number;
  /** When a permit that was not given up ceases to count, given when its request is over; epoch milliseconds UTC. */
  releasedAt(over: number, usage: Usage, permit: Permit): number;
}

const MINUTE_RULE: Rule = {
  // The service counts a request somewhere between its leaving and its answer: measured to the answer, no window of
  // 60 s holds more than the allowance, wherever the service begins it.
  limit: allowance,
  releasedAt: (over) => over + WINDOW,
  sentence: (usage) => `the ${allowance(usage)} requests of this minute are taken`,
};

const FLIGHT_RULE: Rule = {
  // After a refusal one request finds out whether the service accepts any.
  limit: ({ strict, refusals }) => (strict !== null || refusals > 0 ? 1 : IN_FLIGHT),
  releasedAt: (over) => over,
  sentence: () => 'other requests of this account are under way',
};

const STRICT_RULE: Rule = {
  limit: ({ strict }) => strict?.burst ?? Number.POSITIVE_INFINITY,
  releasedAt(over, { strict }, { sent, ended, status }) {
    if (strict === null) return over;
    // What left before the latest refusal, or was refused, is no reason to wait longer than the cooldown. The latest
    // refused request is, because a service may count refusals, or ask for too little each time.
    const isFree = status === 429 || status === 503 || (sent !== null && sent <= strict.refusedAt);
    return isFree && ended !== strict.refusedAt ? over : over + strict.burst * strict.spacing;
  },
  sentence: ({ strict }) =>
    `the service refused faster requests, so they go one every ${Math.ceil((strict?.spacing ?? 0) / SECOND)}s`,
};

const RULES = [MINUTE_RULE, FLIGHT_RULE, STRICT_RULE];

const COOLDOWN: Reason = { sentence: ({ cooldown }) => refusalInWords(cooldown?.status ?? 0) };

/** One permit's place in time, on the records so far. */
interface Slot {
  readonly permit: Permit;
  /** From when on it may be sent, epoch milliseconds UTC, if nothing more happens. */
  readonly due: number;
  /** The same without the rule of requests in flight, which an answer may end at any moment. */
  readonly dueBesidesFlight: number;
  /** What it waits for last. */
  readonly reason: Reason | undefined;
}

/** Requests a minute. An allowance of 0 is paced as 1: otherwise nobody could ever learn of a better one. */
export function allowance({ perMinute }: Pick<Usage, 'perMinute'>): number {
  return Math.max(1, perMinute);
}

/** Until when nobody may send, epoch milliseconds UTC, and the status that said so; undefined where all may. */
export function blockedUntil(
  { cooldown }: Usage,
  now: number,
): { readonly until: number; readonly status: number } | undefined {
  const until = endOfCooldown(cooldown);
  return cooldown === null || until <= now ? undefined : { until, status: cooldown.status };
}

/** Every permit's place in time. */
export function schedule(usage: Usage): Slot[] {
  return plan(usage, usage.permits, overAt);
}

/** What a waiting permit waits for, and until when it must expect to wait. */
interface Standing {
  readonly due: number;
  /** Due so long ago that it no longer holds. */
  readonly lapsed: boolean;
  /** Whether an answer to a request under way is all it waits for. */
  readonly flightAlone: boolean;
  /** When it will leave, should whatever is under way be answered now, and what it waits for then. */
  readonly expected: number;
  readonly sentence: string;
}

/** Where a permit stands; undefined where it is no longer waiting. */
export function standing(usage: Usage, nonce: string, now: number): Standing | undefined {
  const slot = schedule(usage).find(({ permit }) => permit.nonce === nonce);
  if (slot === undefined || !isWaiting(slot.permit)) return undefined;
  const { due, dueBesidesFlight } = slot;
  const foreseen = plan(usage, usage.permits, expectedAt(now)).find(({ permit }) => permit.nonce === nonce) ?? slot;
  const { reason } = foreseen.due > now ? foreseen : slot;
  return {
    due,
    lapsed: now > due + GRACE / 2,
    flightAlone: dueBesidesFlight <= now,
    expected: Math.max(now, foreseen.due),
    sentence: reason?.sentence(usage) ?? '',
  };
}

/**
 * When `requests` more requests could leave, on the assumption that whatever is under way is answered now and that
 * everything after that is answered at once.
 * @returns epoch milliseconds UTC for each
 */
export function forecast(usage: Usage, now: number, requests: number): number[] {
  const more = Array.from({ length: requests }, (_, index): Permit => ({ ...NOBODY, nonce: `${index}`, at: now }));
  const slots = plan(usage, [...usage.permits, ...more], expectedAt(now));
  return slots.slice(usage.permits.length).map(({ due }) => Math.max(now, due));
}

/** Requests that count against the minute's allowance now. */
export function lastMinute(usage: Usage, now: number): number {
  return schedule(usage).filter(({ permit, due }) => permit.sent !== null && overAt(permit, due) + WINDOW > now).length;
}

/** When a permit's request is over, at the latest. */
function overAt({ sent, ended, timeout }: Permit, due: number): number {
  if (ended !== null) return ended;
  return sent === null ? due + GRACE : sent + Math.min(timeout, LONGEST_TIMEOUT) + SLACK;
}

/** When it will be over, should all answers come at once. */
function expectedAt(now: number): typeof overAt {
  return (permit, due) => {
    const latest = overAt(permit, due);
    if (isUnderWay(permit)) return Math.min(latest, now);
    return isWaiting(permit) && latest > now ? Math.max(due, now) : latest;
  };
}

/** Goes through the permits in order: each is due when every rule has room for it. */
function plan(usage: Usage, permits: readonly Permit[], over: typeof overAt): Slot[] {
  /** `ends`: until when each permit above counts, ascending. */
  const rules = RULES.map((rule) => ({ rule, limit: rule.limit(usage), ends: [] as number[] }));
  const cooldown = endOfCooldown(usage.cooldown);
  let last = 0;
  return permits.map((permit) => {
    // Limits that became looser only now: nobody forfeits a turn that could not be taken before.
    let due = Math.max(permit.at, usage.limitsSince);
    let dueBesidesFlight = due;
    let reason: Reason | undefined;
    const wait = (until: number, why: Reason) => {
      if (why !== FLIGHT_RULE) dueBesidesFlight = Math.max(dueBesidesFlight, until);
      if (until <= due) return;
      due = until;
      reason = why;
    };
    // When the earliest of the `limit` latest ends has passed, fewer than `limit` are still to come.
    for (const { rule, limit, ends } of rules) wait(ends.at(-limit) ?? 0, rule);
    if (!permit.recheck) wait(cooldown, COOLDOWN);
    if (dueBesidesFlight > permit.at) wait(last + STAGGER, reason ?? FLIGHT_RULE);
    const gaveUp = permit.ended !== null && permit.sent === null;
    if (!gaveUp) last = Math.max(last, permit.sent ?? due);
    const end = over(permit, due);
    for (const { rule, ends } of rules) {
      const counts = gaveUp ? end : rule.releasedAt(end, usage, permit);
      // Nearly always the last one.
      ends.splice(ends.findLastIndex((other) => other <= counts) + 1, 0, counts);
    }
    return { permit, due, dueBesidesFlight, reason };
  });
}

function endOfCooldown(cooldown: Usage['cooldown']): number {
  return cooldown === null ? 0 : cooldown.at + cooldown.millis;
}

const NOBODY: Omit<Permit, 'nonce' | 'at'> = {
  pid: 0,
  place: '',
  operation: '/',
  cost: 0,
  timeout: 0,
  sent: null,
  ended: null,
  status: null,
};
