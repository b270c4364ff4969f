import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { MINUTE } from '../runtime/units.ts';
import { checkResource, errorTextOf, resourceOf } from './answer.ts';
import { badAnswer } from './bad-answer.ts';
import { type Unlisted, unlistedValues } from './contract/unlisted.ts';
import type { Gate, GateRequest, Turn } from './gate.ts';
import { OPERATIONS, type OperationName, type ParamsOf, type ResourceOf } from './operations.ts';
import { type Failure, nextWait, refusalInWords } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';
import { statusError } from './status-error.ts';
import type { RawAnswer, Transport } from './transport.ts';
import { AnswerLost, NotSent, TooLarge } from './transport-errors.ts';

/** The HTTP layer as commands see it: a call waits for its turn, is retried where that is safe, and is checked. */
export interface Client {
  /**
   * @param how `recheck`: one request on purpose, although the service asked to stay away; never retried. `once`: not
   *   repeated after a failure that may be this resource's own
   * @throws ScreenerError with the exit code of the failure; the signal's reason when interrupted.
   */
  call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    signal?: AbortSignal,
    how?: 'recheck' | 'once',
  ): Promise<ResourceOf<N>>;
  /**
   * The service's time, as the Date header of its last answer told it; this machine's before the first, or where there
   * is none. Epoch milliseconds UTC.
   */
  now(): number;
  /** Whether an answer had a Date header. */
  knowsTime(): boolean;
}

interface ClientOptions {
  readonly transport: Transport;
  readonly gate: Gate;
  /** For one request in all, milliseconds. */
  readonly timeout: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly listener: ClientListener;
  /** Takes the key out of a text of the service, which may repeat it. */
  readonly conceal: (text: string) => string;
}

/** Hears what the client does, so that the program can show it. Never hears the key. */
export interface ClientListener {
  /** A value that the document does not list. */
  unlisted(found: Unlisted): void;
  /** One line a request, for --verbose. */
  exchanged(line: string): void;
  /** Once, where this machine's clock is off: by how many milliseconds it is ahead of the service's. */
  clockIsOff(ahead: number): void;
}

interface Attempting extends ClientOptions {
  /** Hears the Date header of an answer, and when it came. Returns the service's time then, as far as it is known. */
  readonly dated: (date: string | undefined, at: number) => number;
}

/** What is asked for in each attempt of a call. */
interface Asked extends Omit<GateRequest, 'attempt' | 'after'> {
  /** The path with its query, relative to the base URL. */
  readonly target: string;
  readonly signal: AbortSignal;
  readonly once: boolean;
}

/** How one attempt ended: with a resource, or with the reason why there is none. */
type Attempt = { readonly resource: object } | { readonly failure: Failure; readonly error: ScreenerError };

/** Clocks that differ by no more are the same; the service's has whole seconds, and answers take some. */
const SAME_CLOCK = 5 * MINUTE;

export function createClient(options: ClientOptions): Client {
  const { timeout, clock, listener } = options;
  let ahead = 0;
  let hasDate = false;
  const isOff = () => Math.abs(ahead) > SAME_CLOCK;
  const dated = (date: string | undefined, at: number) => {
    const served = Date.parse(date ?? '');
    if (Number.isNaN(served)) return at - ahead;
    const wasOff = isOff();
    hasDate = true;
    ahead = at - served;
    if (isOff() && !wasOff) listener.clockIsOff(ahead);
    return served;
  };
  return {
    now: () => clock.now() - (isOff() ? ahead : 0),
    knowsTime: () => hasDate,
    async call<N extends OperationName>(
      name: N,
      params: ParamsOf<N>,
      signal = options.signal,
      how?: 'recheck' | 'once',
    ): Promise<ResourceOf<N>> {
      const { path: operation, cost, schema, target: targetOf } = OPERATIONS[name];
      const target = (targetOf as (params: ParamsOf<N>) => string)(params);
      const recheck = how === 'recheck' || undefined;
      const asked = { operation, cost, target, timeout, signal, recheck, once: how === 'once' };
      const resource = await callWithRetry({ ...options, dated }, asked);
      const checked = checkResource(schema, resource) as ResourceOf<N>;
      for (const found of unlistedValues(operation, resource)) options.listener.unlisted(found);
      return checked;
    },
  };
}

async function callWithRetry(options: Attempting, asked: Asked): Promise<object> {
  const { gate, clock } = options;
  const failures: Failure[] = [];
  let after: GateRequest['after'];
  let earlier: ScreenerError | undefined;
  for (;;) {
    const turn = await gate.enter({ ...asked, attempt: failures.length + 1, after }).catch((refusal: unknown) => {
      // Where a retry is not allowed, the failure before it is what the user can mend.
      throw refusal instanceof ScreenerError ? (earlier ?? refusal) : refusal;
    });
    const attempt = await attemptOnce(options, asked, turn);
    if ('resource' in attempt) return attempt.resource;
    failures.push(attempt.failure);
    earlier = attempt.error;
    const wait = nextWait(failures, asked);
    if (wait === undefined || asked.recheck) throw earlier;
    after = { until: clock.now() + wait, reason: reasonToWait(attempt.failure) };
  }
}

async function attemptOnce(options: Attempting, asked: Asked, turn: Turn): Promise<Attempt> {
  const { transport, clock, listener, conceal } = options;
  const { operation, cost, target, timeout, signal } = asked;
  const started = clock.now();
  let answer: RawAnswer;
  try {
    answer = await transport.get(target, timeout, signal, cost <= 1);
  } catch (cause) {
    if (cause instanceof NotSent) {
      turn.cancel();
      listener.exchanged(`GET ${target} not sent: ${cause.message}`);
      const hopeless = cause.remedy !== undefined;
      return { failure: { kind: 'not-sent', hopeless }, error: notSentError(cause) };
    }
    turn.settle({ status: undefined });
    if (cause instanceof TooLarge) throw badAnswer(cause.message, { cause });
    if (!(cause instanceof AnswerLost)) throw cause;
    listener.exchanged(`GET ${target} answer lost: ${cause.message}`);
    return { failure: { kind: 'lost' }, error: answerLostError(cause, cost) };
  }
  const { status } = answer;
  const at = clock.now();
  const served = options.dated(answer.headers.get('date'), at);
  const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), served);
  turn.settle({ status, retryAfter });
  listener.exchanged(`GET ${target} ${status} in ${at - started} ms`);
  if (status === 200) return { resource: await resourceOf(answer, conceal) };
  const errors = await errorTextOf(answer, conceal);
  const error = statusError(operation, target, { status, errors, retryAfter, at });
  return { failure: { kind: 'status', status, retryAfter }, error };
}

function reasonToWait(failure: Failure): string {
  if (failure.kind === 'not-sent') return 'the service cannot be reached';
  return failure.kind === 'lost' ? 'the answer was lost' : refusalInWords(failure.status);
}

function notSentError(cause: NotSent): ScreenerError {
  const { remedy, isLocal, timedOut, message } = cause;
  if (isLocal) return new ScreenerError('storage', `Nothing can be sent: ${message}.`, { hint: remedy, cause });
  return new ScreenerError(timedOut ? 'timeout' : 'network', `The service cannot be reached: ${message}`, {
    hint: `Nothing was sent and no credit was spent. ${remedy ?? 'Check the base URL, the network and the proxy variables.'}`,
    cause,
  });
}

/** @param cost credits of the operation: they may be spent */
function answerLostError(cause: AnswerLost, cost: number): ScreenerError {
  return new ScreenerError(cause.timedOut ? 'timeout' : 'network', `The answer was lost. ${cause.message}`, {
    hint:
      cost === 0
        ? 'Try again; --timeout gives a slow connection more time.'
        : `The request had left, so ${pluralize(cost, 'credit')} may be spent: \`screener access\` shows it for 0 credits.`,
    cause,
  });
}
