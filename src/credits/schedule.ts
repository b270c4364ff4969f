/**
 * When a request may be sent: pure functions of what the ledger holds.
 *
 * A rule says how many of the requests before may still count when one leaves, and until when each of them counts. Whoever
 * finds that every rule has room leaves and says so in the same change of the ledger; who does not, looks again later.
 * A new window of the API document needs no line here; any other limit is a rule.
 */
import { windowsOf } from '../api/limits.ts';
import { isRefusal, reasonToWait } from '../api/retry.ts';
import { SECOND } from '../runtime/units.ts';
import { LONGEST_TIMEOUT } from './record-usage.ts';
import type { SentRequest, Usage } from './usage.ts';

/** Added to every window, for clocks of another grain and timers that fire early. */
const MARGIN = 100;
/** A request ends by its own timeout; this much later nobody waits for its answer any more. */
const SLACK = 5 * SECOND;
/** Requests under way at once: a service that lets fewer through at a time shows it by so many refusals at most. */
const IN_FLIGHT = 4;
/** Requests that had to wait leave one after the other. */
const STAGGER = 50;

interface Rule {
  /** How many of the requests before may count when one leaves. */
  readonly limit: number;
  /** When a request ceases to count, given when it is over; epoch milliseconds UTC. */
  readonly releasedAt: (over: number, request: Pick<SentRequest, 'sent' | 'ended' | 'status'>) => number;
  /** Why a user waits. */
  readonly sentence: string;
  /** An answer may end the wait at any moment. */
  readonly endsByAnswer?: true;
}

/** Where a request stands that asks to be sent. Times in epoch milliseconds UTC. */
export interface Turn {
  /** From when on it may be sent, if nothing more happens. */
  readonly due: number;
  /** Whether an answer to a request under way is all it waits for. */
  readonly answerAlone: boolean;
  /** When it will leave, should whatever is under way be answered now, and what it waits for. */
  readonly expected: number;
  readonly sentence: string;
}

function rulesOf({ allowances, refusedPace, refusals }: Usage): Rule[] {
  const windows = windowsOf(allowances).map(({ name, millis, allowance }): Rule => {
    // An allowance of 0 is paced as 1: otherwise nobody could ever learn of a better one.
    const limit = Math.max(1, allowance);
    return {
      limit,
      // The service counts a request somewhere between its leaving and its answer: measured to the answer, no window
      // holds more than the allowance, wherever the service begins it.
      releasedAt: (over) => over + millis + MARGIN,
      sentence: `the ${limit} requests of this ${name} are taken`,
    };
  });
  const flight: Rule = {
    // After a refusal one request finds out whether the service accepts any.
    limit: refusedPace !== null || refusals > 0 ? 1 : IN_FLIGHT,
    releasedAt: (over) => over,
    sentence: 'other requests of this account are under way',
    endsByAnswer: true,
  };
  if (refusedPace === null) return [...windows, flight];
  const { burst, spacing, refusedAt } = refusedPace;
  const spaced: Rule = {
    limit: burst,
    releasedAt(over, { sent, ended, status }) {
      // What left before the latest refusal, or was refused, is no reason to wait longer than the cooldown. The latest
      // refused request is, because a service may count refusals, or ask for too little each time.
      const isFree = (isRefusal(status) || sent <= refusedAt) && ended !== refusedAt;
      return isFree ? over : over + burst * spacing;
    },
    sentence: `the service refused faster requests, so they go one every ${Math.ceil(spacing / SECOND)}s`,
  };
  return [...windows, flight, spaced];
}

/** Until when nobody may send, epoch milliseconds UTC, and the status that said so; undefined where all may. */
export function blockedUntil(
  { cooldown }: Usage,
  now: number,
): { readonly until: number; readonly status: number } | undefined {
  if (cooldown === null || cooldown.at + cooldown.millis <= now) return undefined;
  return { until: cooldown.at + cooldown.millis, status: cooldown.status };
}

/** When a request is over, at the latest. */
function overAt({ sent, ended, timeout }: SentRequest): number {
  return ended ?? sent + Math.min(timeout, LONGEST_TIMEOUT) + SLACK;
}

/** The rules, and until when the requests so far count for each. */
class Standings {
  readonly #usage: Usage;
  /** `ends` ascending. */
  readonly #counts: { readonly rule: Rule; readonly ends: number[] }[];
  #last: number;

  /** @param over when a request is taken to be over */
  constructor(usage: Usage, over: (request: SentRequest) => number) {
    this.#usage = usage;
    this.#last = Math.max(0, ...usage.requests.map(({ sent }) => sent));
    this.#counts = rulesOf(usage).map((rule) => ({
      rule,
      ends: usage.requests.map((request) => rule.releasedAt(over(request), request)).sort((a, b) => a - b),
    }));
  }

  /** When one more request may leave, from `from` on, and the last reason why not earlier. */
  next(from: number, { recheck = false, hasWaited = false } = {}) {
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
    const blocked = recheck ? undefined : blockedUntil(this.#usage, from);
    if (blocked !== undefined) wait(blocked.until, reasonToWait(blocked));
    if (hasWaited || dueBesidesAnswers > from) wait(this.#last + STAGGER, sentence);
    return { due, dueBesidesAnswers, sentence };
  }

  /** Adds a request that is sent, and answered, at `at`. */
  add(at: number): void {
    this.#last = Math.max(this.#last, at);
    for (const { rule, ends } of this.#counts) {
      const end = rule.releasedAt(at, { sent: at, ended: at, status: 200 });
      ends.splice(ends.findLastIndex((other) => other <= end) + 1, 0, end);
    }
  }
}

/**
 * When a request may leave that asks now.
 * @param asking `hasWaited`: it had to wait before, for something else than an answer; `recheck`: the cooldown is not for it
 */
export function nextTurn(
  usage: Usage,
  now: number,
  asking: { readonly recheck?: boolean; readonly hasWaited?: boolean },
): Turn {
  const { due, dueBesidesAnswers, sentence } = new Standings(usage, overAt).next(now, asking);
  const soonest = new Standings(usage, (request) => Math.min(overAt(request), now)).next(now, asking);
  return {
    due,
    answerAlone: dueBesidesAnswers <= now,
    expected: soonest.due > now ? soonest.due : due,
    sentence: soonest.due > now ? soonest.sentence : sentence,
  };
}

/**
 * When `requests` more requests could leave, on the assumption that whatever is under way is answered now and that
 * everything after that is answered at once.
 * @returns epoch milliseconds UTC for each
 */
export function departures(usage: Usage, now: number, requests: number): number[] {
  const standings = new Standings(usage, (request) => Math.min(overAt(request), now));
  return Array.from({ length: requests }, () => {
    const { due } = standings.next(now);
    standings.add(due);
    return due;
  });
}

/** How many requests of each window count now. */
export function windowsNow(usage: Usage, now: number) {
  return windowsOf(usage.allowances).map((window) => ({
    ...window,
    used: usage.requests.filter((request) => overAt(request) + window.millis + MARGIN > now).length,
  }));
}
