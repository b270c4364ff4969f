import { randomUUID } from 'node:crypto';
import { heldError } from '../api/failures.ts';
import {
  type Answer,
  type Gate,
  type GateRequest,
  type Turn,
  type Wait,
  WaitTooLong,
} from '../api/gate.ts';
import { OPERATIONS } from '../api/operations.ts';
import { deepCopy } from '../base/collections.ts';
import { dayNumber, pluralize, SECOND } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import type { Context, Notes, Progress } from '../runtime/context.ts';
import type { Lock } from '../runtime/lock.ts';
import {
  type Budgets,
  budgetUnknown,
  creditsByLimit,
  FREE_MEANWHILE,
  limitReached,
  periodWithTooFew,
  secondsUntil,
} from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import { isOvertaken, recordEnd, recordNotSent, recordSent, SPENDING } from './record-usage.ts';
import { holdsOn, type LastingHold, nextTurn } from './schedule.ts';
import {
  add,
  addTo,
  NO_SPENDING,
  type SentRequest,
  type Spending,
  spentAtMost,
  type Usage,
} from './usage.ts';

/** Budgets, and what else a gate works with. `daily` limits all programs that share the ledger; `maxCredits` limits this program. */
export interface GateOptions extends Budgets {
  readonly context: Pick<Context, 'clock' | 'signal' | 'random'>;
  readonly ledger: Ledger;
  /** --max-wait: the longest wait that a Retry-After may ask for, milliseconds. It does not limit waits for a turn. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting'>;
}

const ACCESS = OPERATIONS.access.path;
/** Milliseconds between two looks of a waiting request: any answer may let it leave. */
export const POLL_INTERVAL = 200;
/** The longest wait for a turn of which the user is not told, milliseconds. */
const SILENT_WAIT = 1_000;
/** The most that is added at random to the wait for a retry, milliseconds: machines should not all come back at once. */
const LONGEST_JITTER = 250;

/** How old the record of a request may be when the request leaves, milliseconds. Connecting takes less time. */
const OLDEST_RECORD = 1_000;

/** Whether a request that leaves now may keep the record that was made when its turn came. Its credits count for the day of the record. */
function isOfThisMoment({ sent }: SentRequest, now: number): boolean {
  const age = now - sent;
  return age >= 0 && age <= OLDEST_RECORD && dayNumber(sent) === dayNumber(now);
}

/** A wait of which the user is told. */
interface ShownWait {
  readonly reason: string;
  readonly progress: Progress;
}

/** Lets a request leave when the limits allow it, and records in the ledger what became of it. */
export class RequestGate implements Gate {
  readonly #options: GateOptions;
  /** What this command has spent. A request that waits for its turn counts as uncertain. */
  readonly spent: Spending = { ...NO_SPENDING };
  /** Credits by operation, at the document's prices: of all requests in `spent`. */
  readonly creditsByOperation = new Map<string, number>();
  /** Whether the requests are an export's. What is usually spent is worked out without those. */
  isExport = false;
  /** The lock of the history that an export writes; undefined for other commands. Once it is lost, no request leaves. */
  lock: Pick<Lock, 'check'> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger } = this.#options;
    const { cost } = request;
    context.signal.throwIfAborted();
    const usage = ledger.usage();
    this.throwIfHeld(request, usage);
    this.#checkBudget('max_credits', cost, usage);
    // The credits count from now on, before the turn comes: other requests of this command that wait must see them.
    this.#countAsUncertain(request);
    const id = randomUUID();
    try {
      await this.#awaitTurn(id, request, usage);
    } catch (error) {
      this.#giveBack(request);
      throw error;
    }
    return {
      leave: () => this.#mayStillLeave(id, request),
      cancel: () => {
        this.#giveBack(request);
        ledger.update((usage) => recordNotSent(usage, id));
      },
      settle: (answer) => this.#settle(id, request, answer),
    };
  }

  #countAsUncertain({ operation, cost }: GateRequest): void {
    add(this.spent, SPENDING.sent(cost));
    addTo(this.creditsByOperation, operation, cost);
  }

  #giveBack({ operation, cost }: GateRequest): void {
    add(this.spent, SPENDING.notSent(cost));
    addTo(this.creditsByOperation, operation, -cost);
  }

  /** Records how a request ended. @returns whether it counts as an attempt */
  #settle(id: string, request: GateRequest, answer: Answer): boolean {
    const { context, ledger } = this.#options;
    const { status, holdSeconds = 0, isForeign = false } = answer;
    if (status === 200 && !isForeign) add(this.spent, SPENDING.charged(request.cost));
    const holdMillis = holdSeconds * SECOND;
    const end = { at: context.clock.now(), status, isForeign, holdMillis };
    // The ledger may call the function several times: the result of the last call counts.
    let isAttempt = true;
    ledger.update((usage) => {
      isAttempt = !isOvertaken(usage, id, end, request.waitBefore?.until);
      recordEnd(usage, id, end);
    });
    return isAttempt;
  }

  /**
   * Whether an answer of `/access` may lift all holds on the operation: they are refusals of other operations, and `/access`
   * was not refused itself.
   */
  canBeLiftedByAccess(operation: string): boolean {
    const { context, ledger } = this.#options;
    const usage = ledger.usage();
    const holdsOnAccess = holdsOn(usage, context.clock.now(), ACCESS);
    if (holdsOnAccess.some((hold) => hold.operation === ACCESS)) return false;
    const holds = this.#longHolds(operation, usage);
    return holds.length > 0 && holds.every((hold) => hold.operation !== operation);
  }

  /** The longest hold on the operation, if it lasts longer than --max-wait, and no answer of `/access` may lift it. */
  firmHoldOn(operation: string): LastingHold | undefined {
    return this.canBeLiftedByAccess(operation) ? undefined : this.longHoldOn(operation);
  }

  /**
   * The longest hold, if it lasts longer than --max-wait.
   * @param operation without it only refusals that hold all operations count
   * @returns undefined if the operation may be asked, perhaps after a wait
   */
  longHoldOn(
    operation?: string,
    usage: Usage = this.#options.ledger.usage(),
  ): LastingHold | undefined {
    return this.#longHolds(operation, usage)[0];
  }

  /** The holds that last longer than --max-wait, the longest first. */
  #longHolds(operation: string | undefined, usage: Usage): LastingHold[] {
    const { context, maxWait } = this.#options;
    const now = context.clock.now();
    return holdsOn(usage, now, operation).filter(({ until }) => until - now > maxWait);
  }

  /** @throws WaitTooLong, if a hold lasts longer than --max-wait */
  throwIfHeld(
    { operation, despiteHold }: Pick<GateRequest, 'operation' | 'despiteHold'>,
    usage: Usage = this.#options.ledger.usage(),
  ): void {
    if (despiteHold !== undefined) return;
    const hold = this.longHoldOn(operation, usage);
    if (hold !== undefined) throw heldError(hold, this.#options.context.clock.now());
  }

  /**
   * Waits until the request may leave, and records it as sent.
   * @param usageAtEntry the usage as it was read a moment ago
   * @throws WaitTooLong, if the wait before a retry is longer than --max-wait (the client then reports the failure before the
   *   retry); otherwise as `#waitOf`
   */
  async #awaitTurn(id: string, request: GateRequest, usageAtEntry: Usage): Promise<void> {
    const { context, ledger, maxWait, notes } = this.#options;
    const { clock, signal } = context;
    const { waitBefore } = request;
    const since = clock.now();
    if (waitBefore !== undefined && waitBefore.until - since > maxWait)
      throw new WaitTooLong('unavailable', `The wait would be too long: ${waitBefore.reason}.`);
    let shownWait: ShownWait | undefined;
    let usage = usageAtEntry;
    try {
      for (;;) {
        signal.throwIfAborted();
        const now = clock.now();
        // First comes the wait before a retry, and then the wait for a turn.
        const isForTurn = waitBefore === undefined || waitBefore.until <= now;
        const wait = isForTurn ? this.#takeTurn(id, request, usage) : waitBefore;
        if (wait === undefined) return;
        const isTold = !isForTurn || now - since > SILENT_WAIT;
        if (isTold && shownWait?.reason !== wait.reason) {
          shownWait?.progress.stop();
          const progress = notes.waiting(wait.reason, wait.until, isForTurn);
          shownWait = { reason: wait.reason, progress };
        }
        const waitLeft = Math.ceil(wait.until - now);
        const jitter = Math.ceil(context.random() * LONGEST_JITTER);
        const sleepTime = isForTurn ? Math.min(waitLeft, POLL_INTERVAL) : waitLeft + jitter;
        await clock.sleep(sleepTime, signal);
        usage = ledger.usage();
      }
    } finally {
      shownWait?.progress.stop();
    }
  }

  /**
   * Records the request as sent, if it may leave. The ledger is locked only if the usage that was just read says that it may.
   * @returns what the request has to wait for; undefined if it is recorded
   * @throws as `#waitOf`
   */
  #takeTurn(id: string, request: GateRequest, usage: Usage): Wait | undefined {
    return this.#waitOf(request, usage) ?? this.#tryToRecord(id, request);
  }

  /**
   * Whether the request may still leave. All limits are checked once more, because the process may have been suspended since
   * its turn came. The request's own record does not count in this check: a request must not count against itself. If the record
   * was made in the last second, the ledger is only read, and the record stays: writing takes longer than the whole check.
   * @throws as `#waitOf`
   */
  #mayStillLeave(id: string, request: GateRequest): boolean {
    const { context, ledger } = this.#options;
    const usage = deepCopy(ledger.usage());
    const record = usage.requests.find((sent) => sent.id === id);
    if (record === undefined || !isOfThisMoment(record, context.clock.now()))
      return this.#tryToRecord(id, request) === undefined;
    recordNotSent(usage, id);
    return this.#waitOf(request, usage) === undefined;
  }

  /**
   * Records the request as sent, if it may leave by all limits. An earlier record of the request is replaced.
   * @returns what the request has to wait for; undefined if it is recorded and may leave
   * @throws as `#waitOf`
   */
  #tryToRecord(id: string, request: GateRequest): Wait | undefined {
    const { context, ledger } = this.#options;
    const { operation, cost, despiteHold, timeout } = request;
    let wait: Wait | undefined;
    ledger.update((usage) => {
      recordNotSent(usage, id);
      wait = this.#waitOf(request, usage);
      // `false` keeps the ledger as it was.
      if (wait !== undefined) return false;
      // The file has the field only if it is true.
      const isExport = this.isExport ? true : undefined;
      recordSent(usage, {
        id,
        operation,
        cost,
        isExport,
        despiteHold,
        timeout,
        sent: context.clock.now(),
      });
      return true;
    });
    return wait;
  }

  /**
   * What the request has to wait for.
   * @returns undefined if it may leave now
   * @throws WaitTooLong, if a hold lasts longer than --max-wait; ScreenerError budget_reached, budget_unknown, if a budget
   *   forbids it; quota_exhausted, if the day's credits are spent; busy, if a lock was lost
   */
  #waitOf(request: GateRequest, usage: Usage): Wait | undefined {
    const now = this.#options.context.clock.now();
    this.lock?.check();
    request.lock?.check();
    this.throwIfHeld(request, usage);
    if (request.cost > 0) this.#checkSpendingKnown(usage);
    this.#checkBudget('keep', request.cost, usage);
    this.#checkBudget('daily', request.cost, usage);
    this.#checkPeriods(request, usage);
    const heldOperation = request.despiteHold === undefined ? request.operation : undefined;
    const wait = nextTurn(usage, now, heldOperation);
    return wait.until <= now ? undefined : wait;
  }

  /** No budget can be kept if what all programs spent is not known. @throws ScreenerError budget_unknown */
  #checkSpendingKnown(usage: Usage): void {
    const { context, ledger } = this.#options;
    const unknownSpending = ledger.unknownSpending(usage);
    if (unknownSpending === undefined) return;
    const error = budgetUnknown(unknownSpending, this.#options, context.clock.now());
    if (error !== undefined) throw error;
  }

  /** @throws ScreenerError budget_reached, if the limit leaves less than the next request costs */
  #checkBudget(limit: 'max_credits' | 'keep' | 'daily', cost: number, usage: Usage): void {
    const { context, keep = 0 } = this.#options;
    const now = context.clock.now();
    const left = creditsByLimit(usage, this.#options, this.spent, now)[limit];
    if (left === undefined || cost <= Math.max(0, left)) return;
    const { what, hint, until } = limitReached(limit, this.#options, usage, now);
    // `left` does not have the reserve (--keep) in it, but the sentence is about all credits of the month. Credits that failed
    // requests may have cost are taken off `left`, so that even with the reserve it may be below 0.
    const creditsLeft = Math.max(0, limit === 'keep' ? left + keep : left);
    const ofWhat = { max_credits: 'of it', keep: 'this month', daily: 'today' }[limit];
    const text = `${what}: ${pluralize(creditsLeft, 'credit')} left ${ofWhat}, and the next request costs ${cost}.`;
    const retryAfter = secondsUntil(until, now);
    throw new ScreenerError('budget_reached', text, { hint, retryAfter, retryAt: until });
  }

  /** @throws ScreenerError quota_exhausted, if a period leaves less than the request costs: the day is one */
  #checkPeriods({ cost, dateHeaderTime }: GateRequest, usage: Usage): void {
    const now = this.#options.context.clock.now();
    const period = periodWithTooFew(usage, cost, now, dateHeaderTime);
    if (period === undefined) return;
    const { what, hint, until } = limitReached(period.limit, this.#options, usage, now);
    const verb = period.credits === 1 ? 'is' : 'are';
    const tooFew = `${pluralize(period.credits, 'credit')} ${verb} left ${period.words}, and this costs ${cost}`;
    const reason = period.credits === 0 ? what : tooFew;
    // `spent` counts this request, too, though it was not sent.
    const wasSentBefore = spentAtMost(this.spent) > cost;
    const sentence = wasSentBefore ? `${reason}.` : `${reason}. Nothing billable was sent.`;
    throw new ScreenerError('quota_exhausted', sentence, {
      hint: `${hint} ${FREE_MEANWHILE}`,
      retryAfter: secondsUntil(until, now),
      retryAt: until,
    });
  }
}
