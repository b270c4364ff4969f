import { ScreenerError } from '../errors.ts';
import type { Context, Notes } from '../runtime/context.ts';
import type { Lock } from '../runtime/lock.ts';
import { checkEcho, checkResource, errorTextOf, readAnswer, resourceOf } from './answer.ts';
import { unlistedValues } from './contract/primitives.ts';
import type { SignalPage } from './contract/resources.ts';
import {
  type Echo,
  OPERATIONS,
  type Operation,
  type OperationName,
  type ParamsOf,
  type ResourceOf,
  type SignalsQuery,
  targetOf,
} from './operations.ts';
import { ATTEMPTS, mayBeCharged, nextWait, parseRetryAfter, reasonToWait } from './retry.ts';
import { ServiceTime } from './service-time.ts';
import {
  attemptsUsedUp,
  NoAnswer,
  noAnswerError,
  statusError,
  waitTooLong,
} from './status-error.ts';
import type { Transport } from './transport.ts';

export interface CallOptions extends Pick<GateRequest, 'despiteHold' | 'lock'> {
  /** Not repeated after a failure that may be this resource's own. */
  readonly once?: boolean;
}

export interface Client {
  /** @throws ScreenerError, or the signal's reason */
  call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    how?: CallOptions,
  ): Promise<ResourceOf<N>>;
  /** The service's time as far as its answers tell it, else this machine's: epoch milliseconds UTC. */
  now(): number;
}

/** Says when a request may leave, and learns what became of it; `credits/` implements it. */
export interface Gate {
  /**
   * The one place that waits, and that checks --max-wait.
   * @throws ScreenerError quota_exhausted, unavailable or budget_reached, or the signal's reason: nothing was sent
   */
  enter(request: GateRequest): Promise<Turn>;
}

export interface GateRequest {
  readonly operation: string;
  readonly cost: number;
  readonly attempt: number;
  /** A retry waits until then, epoch milliseconds UTC. */
  readonly after?: { readonly until: number; readonly sentence: string } | undefined;
  /** Why no hold stops it: the user asks again, or it finds out whether the hold is for all. */
  readonly despiteHold?: 'recheck' | 'probe' | undefined;
  /** Held by whoever buys the card: nobody else does meanwhile. */
  readonly lock?: Pick<Lock, 'check'> | undefined;
}

/** `cancel` or `settle` is called, once. */
export interface Turn {
  /**
   * Called right before the request leaves: since its turn came, the process may have been suspended for hours.
   * @returns whether it may leave; false: it is to be cancelled, and waits for a turn once more
   * @throws ScreenerError as `enter`, or busy if a lock was lost: then it is cancelled
   */
  leave(): boolean;
  /** The request never left: no credit was spent. */
  cancel(): void;
  /**
   * @returns whether it was an attempt. A 429 is none where another request of the account was let through since this
   *   one might go again: the service did not refuse it, its turn was taken.
   */
  settle(answer: Answer): boolean;
}

export interface Answer {
  /** Undefined if the answer was lost: the credit may be spent. */
  readonly status: number | undefined;
  /** Seconds; undefined if Retry-After is absent or unreadable. */
  readonly retryAfter?: number | undefined;
  /** Whether the body is no Envelope: a web page in its place says nothing of the account. */
  readonly isForeign?: boolean;
}

interface ClientOptions {
  readonly transport: Transport;
  readonly gate: Gate;
  /** Milliseconds, for a whole request. */
  readonly timeout: number;
  readonly context: Pick<Context, 'clock' | 'signal' | 'secrets'>;
  /** Never hears the key. */
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
}

export function createClient({ transport, gate, timeout, context, notes }: ClientOptions): Client {
  const { clock, signal, secrets } = context;
  const time = new ServiceTime(clock, notes.warn);
  const plan = new PlanRefusals();

  /** @param lost credits that earlier attempts may have cost */
  async function attempt(
    asked: Operation,
    target: string,
    turn: Turn,
    lost: number,
  ): Promise<object> {
    const started = clock.now();
    let hasLeft = false;
    const sending = transport(target, timeout, signal, () => {
      if (!turn.leave()) throw new TurnPassed();
      hasLeft = true;
    });
    const answer = await sending.catch((cause: unknown) => {
      if (hasLeft) turn.settle({ status: undefined });
      else turn.cancel();
      if (!(cause instanceof NoAnswer)) throw cause;
      notes.debug(`GET ${target} ${hasLeft ? 'answer lost' : 'not sent'}: ${cause.message}`);
      throw noAnswerError(cause, hasLeft, lost + (hasLeft ? asked.cost : 0));
    });
    const { status, headers } = answer;
    const at = clock.now();
    time.learn(headers.date?.toString(), at);
    const retryAfter = parseRetryAfter(headers['retry-after']?.toString());
    const reading = readAnswer(answer);
    const isForeign = reading.body !== 'envelope';
    const isAttempt = turn.settle({ status, retryAfter, isForeign });
    notes.debug(`GET ${target} ${status} in ${at - started} ms`);
    if (status === 200) {
      plan.accepts(asked);
      return resourceOf(reading, secrets, asked.subject);
    }
    const errors = errorTextOf(reading, secrets);
    const said = { body: reading.body, errors, status, retryAfter, at };
    const error = plan.scoped(asked, statusError(asked, target, said));
    throw isAttempt ? error : new TurnPassed(error);
  }

  async function callWithRetry(
    asked: Operation,
    target: string,
    { once = false, despiteHold, lock }: CallOptions,
  ): Promise<object> {
    const { path: operation, cost } = asked;
    const failures: ScreenerError[] = [];
    let latest: ScreenerError | undefined;
    let after: GateRequest['after'];
    const waitAfter = (error: ScreenerError, millis: number) => {
      latest = error;
      after = { until: clock.now() + millis, sentence: reasonToWait(error) };
    };
    for (;;) {
      const request = {
        operation,
        cost,
        despiteHold,
        lock,
        attempt: failures.length + 1,
        after,
      };
      const turn = await gate.enter(request).catch((refusal: unknown) => {
        throw mendable(refusal, latest, clock.now());
      });
      try {
        return await attempt(asked, target, turn, cost * failures.filter(mayBeCharged).length);
      } catch (error) {
        if (error instanceof TurnPassed) {
          const { refusal } = error;
          if (refusal !== undefined) waitAfter(refusal, nextWait([refusal], { cost }) ?? 0);
          continue;
        }
        if (!(error instanceof ScreenerError) || despiteHold) throw error;
        failures.push(error);
        const wait = nextWait(failures, { cost, once });
        if (wait === undefined)
          throw failures.length === ATTEMPTS ? attemptsUsedUp(failures, error) : error;
        waitAfter(error, wait);
      }
    }
  }

  return {
    now: () => time.now(),
    async call(name, params, how = {}) {
      const asked: Operation = OPERATIONS[name];
      const resource = await callWithRetry(asked, targetOf(asked.path, params), how);
      const checked = checkResource(asked.schema, resource, asked.subject);
      const mustRepeat = (asked.echo as (given: typeof params) => Echo)(params);
      warnOfStrange(checked as object, asked, mustRepeat, notes);
      if (name === 'signals') time.compare(checked as SignalPage, params as SignalsQuery);
      return checked as ResourceOf<typeof name>;
    },
  };
}

/** What was no attempt: its turn passed before it left, or others of the account took it (`refusal`). */
class TurnPassed extends Error {
  override readonly name = 'TurnPassed';
  readonly refusal: ScreenerError | undefined;

  constructor(refusal?: ScreenerError) {
    super();
    this.refusal = refusal;
  }
}

/** 403 is said of an operation; once `/access` and one more were refused so, it is the account that has no plan. */
class PlanRefusals {
  readonly #refused = new Set<Operation>();

  accepts(asked: Operation): void {
    this.#refused.delete(asked);
  }

  /** @returns the same error, with the scope that the refusals so far give it */
  scoped(asked: Operation, error: ScreenerError): ScreenerError {
    if (error.code !== 'pro_required') return error;
    this.#refused.add(asked);
    if (!this.#refused.has(OPERATIONS.access) || this.#refused.size === 1) return error;
    return new ScreenerError(error.code, error.message, { ...error, scope: 'account' });
  }
}

/** Where a retry is not allowed, the failure before it is what the user can mend; a lock that was lost is none. */
function mendable(refusal: unknown, before: ScreenerError | undefined, now: number): unknown {
  if (!(refusal instanceof ScreenerError) || refusal.code === 'busy') return refusal;
  if (before === undefined) return refusal;
  // A budget may refuse it, too.
  return refusal.scope === 'moment' ? waitTooLong(before, now) : before;
}

/** Of what the document leaves open. @throws ScreenerError bad_answer, if another thing was sent than was asked for */
function warnOfStrange(
  resource: object,
  { schema, subject }: Operation,
  echo: Echo,
  { warn }: Pick<Notes, 'warn'>,
): void {
  for (const { field, value } of unlistedValues(schema, resource))
    warn(`The service sent ${field} '${value}', which the API document does not list.`);
  if (checkEcho(resource, echo, subject))
    warn('The service sent cards of another symbol or type than was asked for.');
}
