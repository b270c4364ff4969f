/**
 * Calls the operations in part 4 of the API document. The gate gives each request its turn, the transport sends it, and the
 * answer is checked against the contract. A hold is a time in which the service wants no requests, because it refused one.
 */
import { ScreenerError } from '../errors.ts';
import type { Context, Notes } from '../runtime/context.ts';
import {
  checkEcho,
  checkResource,
  errorTextIn,
  hasOtherItems,
  type RawAnswer,
  readBody,
  resourceIn,
} from './answer.ts';
import { unlistedValues } from './contract/primitives.ts';
import type { SignalPage } from './contract/resources.ts';
import { attemptsUsedUp, noAnswerError, statusError, waitTooLong } from './failures.ts';
import { type Gate, type GateRequest, type Turn, type Wait, WaitTooLong } from './gate.ts';
import { NoAnswer } from './no-answer.ts';
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
import {
  ATTEMPTS,
  mayHaveBeenServed,
  nextWait,
  parseRetryAfter,
  reasonToWait,
  secondsToStayAway,
} from './retry.ts';
import { ServiceTime } from './service-time.ts';
import type { Transport } from './transport.ts';

/**
 * `despiteHold` sends the call during a hold, once, without a retry. `probe`: to find out what the service still refuses.
 * `recheck`: because the user asks again; a 200 ends the hold.
 */
export interface CallOptions extends Pick<GateRequest, 'despiteHold' | 'lock'> {
  /**
   * Forbids a retry after a failure that may come each time for this resource: a lost answer, or a 500 for one card. A 429 is
   * tried again.
   */
  readonly noRetryOfLostAnswer?: boolean;
}

export interface Client {
  /** @throws ScreenerError, or the signal's reason */
  call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    options?: CallOptions,
  ): Promise<ResourceOf<N>>;
  /** The service's time as far as its answers show it, otherwise this machine's: epoch milliseconds UTC. */
  now(): number;
  /** The service's time by its last Date header, which may be years off: epoch milliseconds UTC; undefined if there was none. */
  dateHeaderTime(): number | undefined;
}

interface ClientOptions {
  readonly transport: Transport;
  readonly gate: Gate;
  /** Milliseconds, for a whole request. */
  readonly timeout: number;
  readonly context: Pick<Context, 'clock' | 'signal' | 'secrets'>;
  readonly notes: Pick<Notes, 'warn' | 'debug'>;
}

/** The client's functions do not use `this`: a wrapper can copy the client and replace one of them. */
export function createClient(options: ClientOptions): Client {
  const client = new ServiceClient(options);
  return {
    call: (name, params, callOptions) => client.call(name, params, callOptions),
    now: () => client.now(),
    dateHeaderTime: () => client.dateHeaderTime(),
  };
}

/** One call: up to three attempts, which all send the same request. */
interface Call {
  readonly operation: Operation;
  /** Path and query, relative to the base URL. */
  readonly target: string;
  readonly options: CallOptions;
}

/** The wait before the next attempt. */
interface Retry {
  /** Why there is another attempt. If the wait is longer than --max-wait, the user is told this failure. */
  readonly failure: ScreenerError;
  readonly wait: Wait;
}

class ServiceClient implements Client {
  readonly #options: ClientOptions;
  readonly #time: ServiceTime;
  readonly #planRefusals = new PlanRefusals();

  constructor(options: ClientOptions) {
    const { context, notes } = options;
    this.#options = options;
    this.#time = new ServiceTime(context.clock, notes.warn);
  }

  now(): number {
    return this.#time.now();
  }

  dateHeaderTime(): number | undefined {
    return this.#time.dateHeaderTime();
  }

  async call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    options: CallOptions = {},
  ): Promise<ResourceOf<N>> {
    const operation: Operation = OPERATIONS[name];
    const target = targetOf(operation.path, params);
    const answer = await this.#ask({ operation, target, options });
    const resource = checkResource(operation.schema, answer, operation.subject) as ResourceOf<N>;
    // What the answer must repeat of the request: its card, or its type.
    const expected = (operation.echo as (params: ParamsOf<N>) => Echo)(params);
    this.#checkUnusual(operation, resource, expected);
    if (name === 'signals')
      this.#time.learnFromCards(resource as SignalPage, params as SignalsQuery);
    return resource;
  }

  /** Asks until an answer comes, or no other attempt is allowed. */
  async #ask(call: Call): Promise<object> {
    const failures: ScreenerError[] = [];
    let retry: Retry | undefined;
    for (;;) {
      const turn = await this.#enter(call, retry);
      try {
        return await this.#attempt(call, turn, failures);
      } catch (error) {
        if (error instanceof TurnPassed) {
          // This request does not count as an attempt. If it was never sent, the wait stays as it was.
          if (error.refusal !== undefined) retry = this.#retryAfterRefusedTurn(call, error.refusal);
          continue;
        }
        if (!(error instanceof ScreenerError)) throw error;
        failures.push(error);
        retry = this.#nextAttempt(call, error, failures);
      }
    }
  }

  /** Waits until the gate lets an attempt leave. @throws the error to report, if the gate refuses it */
  async #enter({ operation, options }: Call, retry: Retry | undefined): Promise<Turn> {
    const { gate, timeout, context } = this.#options;
    const { despiteHold, lock } = options;
    try {
      return await gate.enter({
        operation: operation.path,
        cost: operation.cost,
        timeout,
        waitBefore: retry?.wait,
        despiteHold,
        dateHeaderTime: this.#time.dateHeaderTime(),
        lock,
      });
    } catch (refusal) {
      throw errorToReport(refusal, retry?.failure, context.clock.now());
    }
  }

  /** How long to wait before the request is repeated, if the service refused it, but that does not count as an attempt. */
  #retryAfterRefusedTurn({ operation }: Call, refusal: ScreenerError): Retry {
    // This refusal alone: no number of failures may end the call here. It is a 429, after which there always is a wait.
    const millis = nextWait([refusal], { cost: operation.cost }) ?? 0;
    return this.#retryAfter(refusal, millis);
  }

  /** @param failures of all attempts, the last one included @throws the failure, if no other attempt is allowed */
  #nextAttempt(
    { operation, options }: Call,
    failure: ScreenerError,
    failures: readonly ScreenerError[],
  ): Retry {
    if (options.despiteHold !== undefined) throw failure;
    const { noRetryOfLostAnswer: once = false } = options;
    const millis = nextWait(failures, { cost: operation.cost, once });
    if (millis !== undefined) return this.#retryAfter(failure, millis);
    throw failures.length === ATTEMPTS ? attemptsUsedUp(failures, failure) : failure;
  }

  #retryAfter(failure: ScreenerError, millis: number): Retry {
    const until = this.#options.context.clock.now() + millis;
    return { failure, wait: { until, reason: reasonToWait(failure) } };
  }

  /**
   * Sends one request, and reads the answer.
   * @param earlier the failures of the attempts before this one
   * @throws ScreenerError; TurnPassed, if the request does not count as an attempt
   */
  async #attempt(
    { operation, target }: Call,
    turn: Turn,
    earlier: readonly ScreenerError[],
  ): Promise<object> {
    const { context, notes } = this.#options;
    const { clock, secrets } = context;
    const started = clock.now();
    const answer = await this.#exchange(target, turn).catch((cause: unknown) => {
      if (!(cause instanceof NoAnswer)) throw cause;
      const earlierRequests = earlier.filter(mayHaveBeenServed).length;
      const requests = cause.wasSent ? earlierRequests + 1 : earlierRequests;
      const possiblyCharged = operation.cost * requests;
      throw noAnswerError(cause, possiblyCharged);
    });
    const { status, headers } = answer;
    const at = clock.now();
    this.#time.learnFromHeader(headers.date?.toString(), at);
    const retryAfter = parseRetryAfter(headers['retry-after']?.toString());
    const body = readBody(answer.body);
    // A foreign answer is not the service's own: a proxy's page, for example.
    const isForeign = body.kind !== 'envelope';
    const holdSeconds = secondsToStayAway({ status, retryAfter }, earlier);
    // False for a retry whose place another process used up.
    const countsAsAttempt = turn.settle({ status, holdSeconds, isForeign });
    notes.debug(`GET ${target} ${status} in ${at - started} ms`);
    if (status === 200) {
      const resource = resourceIn(body, secrets, operation.subject);
      this.#planRefusals.accept(operation);
      return resource;
    }
    const errors = errorTextIn(body, secrets);
    const error = statusError(operation, target, {
      status,
      body: body.kind,
      errors,
      retryAfter,
      at,
    });
    const failure = this.#planRefusals.scoped(operation, error);
    throw countsAsAttempt ? failure : new TurnPassed(failure);
  }

  /** Sends the request. If no answer comes, the turn learns of it here. @throws TurnPassed, and what the transport throws */
  async #exchange(target: string, turn: Turn): Promise<RawAnswer> {
    const { transport, timeout, context, notes } = this.#options;
    let wasSent = false;
    try {
      return await transport({
        target,
        timeout,
        signal: context.signal,
        onLeaving: () => {
          if (!turn.leave()) throw new TurnPassed();
          wasSent = true;
        },
      });
    } catch (cause) {
      if (wasSent) turn.settle({ status: undefined });
      else turn.cancel();
      if (cause instanceof NoAnswer) {
        // The transport cannot say it: `onLeaving` knows.
        cause.wasSent = wasSent;
        notes.debug(`GET ${target} ${wasSent ? 'answer lost' : 'not sent'}: ${cause.message}`);
      }
      throw cause;
    }
  }

  /**
   * Warns of values that the document does not list, and of cards that were not asked for.
   * @throws ScreenerError bad_answer, if the service sent another card, or the statistics of another type, than was asked for
   */
  #checkUnusual(operation: Operation, resource: object, expected: Echo): void {
    const { warn } = this.#options.notes;
    for (const { field, value } of unlistedValues(operation.schema, resource))
      warn(`The service sent ${field} '${value}', which the API document does not list.`);
    // Not by a field `items`: an unknown field of another resource may be called so.
    const isListOfCards = operation.schema === OPERATIONS.signals.schema;
    if (!isListOfCards) checkEcho(resource as Echo, expected, operation.subject);
    else if (hasOtherItems((resource as SignalPage).items, expected))
      warn('The service sent cards of another symbol or type than was asked for.');
  }
}

/**
 * The request does not count as an attempt. Either it never left. Or it was a retry that got a 429 again, because another
 * process had waited for the same moment, and was let through first.
 */
class TurnPassed extends Error {
  override readonly name = 'TurnPassed';
  /** The 429 of such a retry; undefined if nothing was sent. */
  readonly refusal: ScreenerError | undefined;

  constructor(refusal?: ScreenerError) {
    super();
    this.refusal = refusal;
  }
}

/** Remembers which operations answered 403. If `/access` and one more did, the whole account has no plan. */
class PlanRefusals {
  readonly #refused = new Set<Operation>();

  accept(operation: Operation): void {
    this.#refused.delete(operation);
  }

  /** @returns the same error, with the scope that the refusals so far give it */
  scoped(operation: Operation, error: ScreenerError): ScreenerError {
    if (error.code !== 'pro_required') return error;
    this.#refused.add(operation);
    const isOfAccount = this.#refused.has(OPERATIONS.access) && this.#refused.size > 1;
    return isOfAccount ? error.with({ scope: 'account' }) : error;
  }
}

/**
 * The error to report if the gate refuses an attempt. If that was a retry, the failure before it is reported: it tells the
 * user more than the refusal does.
 * @param failure of the attempt before this one; undefined for a first attempt
 * @param now epoch milliseconds UTC
 */
function errorToReport(refusal: unknown, failure: ScreenerError | undefined, now: number): unknown {
  if (failure === undefined || !(refusal instanceof ScreenerError)) return refusal;
  // A lost lock ends the run, whatever the service said before.
  if (refusal.code === 'busy') return refusal;
  if (refusal instanceof WaitTooLong) return waitTooLong(failure, now);
  // A budget forbids the attempt, or the day's credits are spent: a longer --max-wait would not help, and is not offered.
  return failure;
}
