import { randomUUID } from 'node:crypto';
import { heldError } from '../api/failures.ts';
import type { Answer, Gate, GateRequest, Turn, Wait } from '../api/gate.ts';
import { OPERATIONS } from '../api/operations.ts';
import { secondsToStayAway } from '../api/retry.ts';
import { isRefusal } from '../api/statuses.ts';
import { pluralize, SECOND } from '../base/units.ts';
import { ScreenerError } from '../errors.ts';
import type { Context, Notes, Progress } from '../runtime/context.ts';
import type { Lock } from '../runtime/lock.ts';
import { type Budgets, budgetUnknown, limitsOf, reached, secondsUntil } from './credit-ceiling.ts';
import type { Ledger } from './ledger.ts';
import { isOvertaken, recordEnd, recordNotSent, recordSent, SPENDING } from './record-usage.ts';
import { holdsOn, type LastingHold, nextTurn } from './schedule.ts';
import { add, NOTHING, type Spending, type Usage } from './usage.ts';

/** Its `daily` is of all programs that share the ledger. */
export interface GateOptions extends Budgets {
  readonly context: Pick<Context, 'clock' | 'signal' | 'random'>;
  readonly ledger: Ledger;
  /** Milliseconds, for what the service asked; waits for a turn are not bounded. */
  readonly maxWait: number;
  readonly notes: Pick<Notes, 'waiting'>;
}

const ACCESS = OPERATIONS.access.path;
/** Poll interval while a request waits, milliseconds: an answer may let it go at any moment. */
export const LOOK_EVERY = 100;
/** Milliseconds: a shorter wait for a turn is not told. */
const SILENT_WAIT = 1_000;
/** Milliseconds: machines should not come back in the same instant. */
const LONGEST_JITTER = 250;

export class RequestGate implements Gate {
  readonly #options: GateOptions;
  /** The spending of this invocation; a request that waits for its turn counts as uncertain. */
  readonly spent: Spending = { ...NOTHING };
  /** Whether the requests are an export's: they are left out of what is usually spent on a day. */
  isExport = false;
  /** Nothing leaves once this is lost. */
  lock: Pick<Lock, 'check'> | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  async enter(request: GateRequest): Promise<Turn> {
    const { context, ledger } = this.#options;
    const { cost } = request;
    context.signal.throwIfAborted();
    this.refuseBlocked(request);
    this.#checkBudget('max_credits', cost, ledger.usage());
    add(this.spent, SPENDING.sent(cost));
    const id = randomUUID();
    try {
      await this.#awaitTurn(id, request);
    } catch (error) {
      add(this.spent, SPENDING.notSent(cost));
      throw error;
    }
    return {
      leave: () => this.#takeTurn(id, request) === undefined,
      cancel: () => {
        add(this.spent, SPENDING.notSent(cost));
        ledger.update((usage) => recordNotSent(usage, id));
      },
      settle: (answer) => this.#settle(id, request, answer),
    };
  }

  /** @returns whether it was an attempt: see `Turn` */
  #settle(id: string, request: GateRequest, answer: Answer): boolean {
    const { context, ledger } = this.#options;
    const { status, retryAfter, isForeign = false } = answer;
    if (status === 200) add(this.spent, SPENDING.charged(request.cost));
    const seconds = isRefusal(status)
      ? secondsToStayAway(status, retryAfter, request.attempt - 1)
      : 0;
    const end = { at: context.clock.now(), status, isForeign, stayAway: seconds * SECOND };
    let isAttempt = true;
    ledger.update((usage) => {
      isAttempt = !isOvertaken(usage, id, end, request.after?.until);
      recordEnd(usage, id, end);
    });
    return isAttempt;
  }

  /** Whether only refusals of other operations hold this one, and `/access` may be asked, which may lift them. */
  mayLift(operation: string): boolean {
    const { context, ledger } = this.#options;
    const usage = ledger.usage();
    const isOf = (name: string) => (hold: LastingHold) => hold.operation === name;
    const isAccessHeld = holdsOn(usage, context.clock.now(), ACCESS).some(isOf(ACCESS));
    const blocking = this.#blocking(operation, usage);
    return blocking.length > 0 && !blocking.some(isOf(operation)) && !isAccessHeld;
  }

  /** What keeps an operation from being asked, unless `/access` may lift it. */
  refusalOf(operation: string): LastingHold | undefined {
    return this.mayLift(operation) ? undefined : this.blocked(operation);
  }

  /** Until when it is held for longer than --max-wait. @param operation undefined for one not refused itself */
  blocked(
    operation?: string,
    usage: Usage = this.#options.ledger.usage(),
  ): LastingHold | undefined {
    return this.#blocking(operation, usage)[0];
  }

  #blocking(operation: string | undefined, usage: Usage): LastingHold[] {
    const { context, maxWait } = this.#options;
    const now = context.clock.now();
    return holdsOn(usage, now, operation).filter(({ until }) => until - now > maxWait);
  }

  /** @throws ScreenerError quota_exhausted, unavailable, if a hold is longer than --max-wait */
  refuseBlocked(
    { operation, despiteHold }: Pick<GateRequest, 'operation' | 'despiteHold'>,
    usage: Usage = this.#options.ledger.usage(),
  ): void {
    const blocked = despiteHold === undefined ? this.blocked(operation, usage) : undefined;
    if (blocked !== undefined) throw heldError(blocked, this.#options.context.clock.now());
  }

  /** Waits for the turn and takes it. @throws ScreenerError, whose failure before it the user sees, beyond --max-wait */
  async #awaitTurn(id: string, request: GateRequest): Promise<void> {
    const { context, ledger, maxWait, notes } = this.#options;
    const { clock, signal } = context;
    const { after } = request;
    const since = clock.now();
    if (after !== undefined && after.until - since > maxWait)
      throw new ScreenerError('unavailable', `The wait would be too long: ${after.sentence}.`);
    let shown: (Wait & { readonly progress: Progress }) | undefined;
    try {
      for (;;) {
        signal.throwIfAborted();
        const now = clock.now();
        let wait =
          after !== undefined && after.until > now ? after : this.#waitOf(request, ledger.usage());
        wait ??= this.#takeTurn(id, request);
        if (wait === undefined) return;
        const isTurn = wait !== after;
        if ((!isTurn || now - since > SILENT_WAIT) && shown?.sentence !== wait.sentence) {
          shown?.progress.stop();
          shown = { ...wait, progress: notes.waiting(wait.sentence, wait.until, isTurn) };
        }
        const rest = Math.ceil(wait.until - now);
        const jitter = Math.ceil(context.random() * LONGEST_JITTER);
        await clock.sleep(isTurn ? Math.min(rest, LOOK_EVERY) : rest + jitter, signal);
      }
    } finally {
      shown?.progress.stop();
    }
  }

  /**
   * The one check: it is made when a turn comes, and right before the request leaves. The record of the first check is
   * taken out before the second: a request must not count against itself.
   * @returns undefined if the request may leave, and is recorded @throws as `#waitOf`
   */
  #takeTurn(id: string, request: GateRequest): Wait | undefined {
    const { context, ledger } = this.#options;
    const { operation, cost, despiteHold } = request;
    let wait: Wait | undefined;
    ledger.update((usage) => {
      recordNotSent(usage, id);
      wait = this.#waitOf(request, usage);
      if (wait !== undefined) return false;
      const isExport = this.isExport || undefined;
      recordSent(usage, {
        id,
        operation,
        cost,
        isExport,
        despiteHold,
        sent: context.clock.now(),
      });
      return true;
    });
    return wait;
  }

  /**
   * @returns undefined if the request may leave
   * @throws ScreenerError if it may not, within --max-wait; busy, if a lock was lost
   */
  #waitOf(request: GateRequest, usage: Usage): Wait | undefined {
    const now = this.#options.context.clock.now();
    this.lock?.check();
    request.lock?.check();
    this.refuseBlocked(request, usage);
    if (request.cost > 0) this.#checkKnown(usage);
    this.#checkBudget('keep', request.cost, usage);
    this.#checkBudget('daily', request.cost, usage);
    const heldOperation = request.despiteHold === undefined ? request.operation : undefined;
    const wait = nextTurn(usage, now, heldOperation);
    return wait.until <= now ? undefined : wait;
  }

  /** A budget fails closed. @throws ScreenerError budget_unknown, if what all programs spent is not known */
  #checkKnown(usage: Usage): void {
    const { context, ledger } = this.#options;
    const unknown = ledger.unknownSpending(usage);
    const error = unknown && budgetUnknown(unknown, this.#options, context.clock.now());
    if (error !== undefined) throw error;
  }

  /** @throws ScreenerError budget_reached, if the limit leaves less than the next request costs */
  #checkBudget(limit: 'max_credits' | 'keep' | 'daily', cost: number, usage: Usage): void {
    const { context, keep = 0 } = this.#options;
    const now = context.clock.now();
    const left = limitsOf(usage, this.#options, this.spent, now)[limit];
    if (cost <= Math.max(0, left)) return;
    const { what, hint, until } = reached(limit, this.#options, usage, now);
    // With the reserve, what is left of the month is more than what --keep leaves.
    const creditsLeft = limit === 'keep' ? left + keep : Math.max(0, left);
    const ofWhat = { max_credits: 'of it', keep: 'this month', daily: 'today' }[limit];
    const text = `${what}: ${pluralize(creditsLeft, 'credit')} left ${ofWhat}, and the next request costs ${cost}.`;
    const retryAfter = secondsUntil(until, now);
    throw new ScreenerError('budget_reached', text, { hint, retryAfter, retryAt: until });
  }
}
