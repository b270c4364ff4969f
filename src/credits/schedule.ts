/** When a request may be sent. Pure; check and record are one ledger update, so no slot is taken twice. */
import { windowsOf } from '../api/limits.ts';
import { reasonToWait } from '../api/retry.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { HOUR } from '../runtime/units.ts';
import { overAt } from './record-usage.ts';
import type { SentRequest, Usage } from './usage.ts';

/** Milliseconds added to every window: timers may fire early. */
const MARGIN = 100;
/** Bounds the refusals of a service that lets fewer through at a time. */
const IN_FLIGHT = 4;
/** Milliseconds between requests that had to wait. */
const STAGGER = 50;

interface Rule {
  /** How many earlier requests may still count when one leaves. */
  readonly limit: number;
  /** Milliseconds for which a request counts after it was over. */
  readonly counts: number;
  readonly sentence: string;
  readonly endsByAnswer?: true;
}

/** Times in epoch milliseconds UTC. */
export interface Turn {
  readonly due: number;
  readonly answerAlone: boolean;
  /** When it leaves if everything under way is answered now. */
  readonly expected: number;
  readonly sentence: string;
}

function rulesOf({ allowances, strict, refusals }: Usage, now: number): Rule[] {
  const learnt = strict !== null && strict.at + HOUR > now ? strict.allowance : undefined;
  const windows = windowsOf(allowances).map(({ name, millis, allowance }): Rule => {
    // An allowance of 0 is paced as 1: otherwise nobody could ever learn of a better one.
    const limit = Math.max(1, Math.min(allowance, learnt ?? allowance));
    const taken = `the ${pluralize(limit, 'request')} of this ${name} are taken`;
    return {
      limit,
      // Counted from its answer, a request is in no window later than the service's own.
      counts: millis + MARGIN,
      sentence: limit < allowance ? `the service refused more than ${limit} requests a ${name}` : taken,
    };
  });
  const limit = learnt !== undefined || refusals > 0 ? 1 : IN_FLIGHT;
  const sentence = 'other requests of this account are under way';
  return [...windows, { limit, counts: 0, sentence, endsByAnswer: true }];
}

/** @returns until when it may not be sent, epoch milliseconds UTC; undefined if it may */
export function blockedUntil({ hold }: Usage, now: number, operation?: string) {
  if (hold === null || hold.at + hold.millis <= now) return undefined;
  if (hold.isLifted && hold.operation !== operation) return undefined;
  return { until: hold.at + hold.millis, status: hold.status, operation: hold.operation };
}

class Standings {
  readonly #usage: Usage;
  /** `ends`: until when the requests so far count, ascending. */
  readonly #counts: { readonly rule: Rule; readonly ends: number[] }[];
  #last: number;

  constructor(usage: Usage, now: number, over: (request: SentRequest) => number) {
    this.#usage = usage;
    this.#last = Math.max(0, ...usage.requests.map(({ sent }) => sent));
    this.#counts = rulesOf(usage, now).map((rule) => ({
      rule,
      ends: usage.requests.map((request) => over(request) + rule.counts).sort((a, b) => a - b),
    }));
  }

  next(from: number, { operation, despiteHold = false, hasWaited = false }: Asking = {}) {
    let due = from;
    let dueBesidesAnswers = from;
    let sentence = '';
    const wait = (until: number, why: string, endsByAnswer = false) => {
      if (!endsByAnswer) dueBesidesAnswers = Math.max(dueBesidesAnswers, until);
      if (until <= due) return;
      due = until;
      sentence = why;
    };
    // When the earliest of the `limit` latest ends has passed, fewer than `limit` are still to come.
    for (const { rule, ends } of this.#counts) wait(ends.at(-rule.limit) ?? 0, rule.sentence, rule.endsByAnswer);
    const blocked = despiteHold ? undefined : blockedUntil(this.#usage, from, operation);
    if (blocked !== undefined) wait(blocked.until, reasonToWait(blocked));
    if (hasWaited || dueBesidesAnswers > from) wait(this.#last + STAGGER, sentence);
    return { due, dueBesidesAnswers, sentence };
  }

  add(at: number): void {
    this.#last = Math.max(this.#last, at);
    for (const { rule, ends } of this.#counts) {
      const end = at + rule.counts;
      ends.splice(ends.findLastIndex((other) => other <= end) + 1, 0, end);
    }
  }
}

interface Asking {
  readonly operation?: string;
  readonly despiteHold?: boolean;
  readonly hasWaited?: boolean;
}

export function nextTurn(usage: Usage, now: number, asking: Asking): Turn {
  const { due, dueBesidesAnswers, sentence } = new Standings(usage, now, overAt).next(now, asking);
  const soonest = new Standings(usage, now, (request) => Math.min(overAt(request), now)).next(now, asking);
  return {
    due,
    answerAlone: dueBesidesAnswers <= now,
    expected: soonest.due > now ? soonest.due : due,
    sentence: soonest.due > now ? soonest.sentence : sentence,
  };
}

export function departures(usage: Usage, now: number, requests: number): number[] {
  const standings = new Standings(usage, now, (request) => Math.min(overAt(request), now));
  return Array.from({ length: requests }, () => {
    const { due } = standings.next(now);
    standings.add(due);
    return due;
  });
}

export function windowsNow(usage: Usage, now: number) {
  return windowsOf(usage.allowances).map((window) => ({
    ...window,
    used: usage.requests.filter((request) => overAt(request) + window.millis + MARGIN > now).length,
  }));
}
