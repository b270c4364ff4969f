import { ScreenerError } from '../errors.ts';
import { errorTextOf, resourceOf } from './answer.ts';
import { badAnswer } from './bad-answer.ts';
import { checkResource } from './body.ts';
import { type Unlisted, unlistedValues } from './contract/unlisted.ts';
import type { Gate, Turn } from './gate.ts';
import { answerLostError, notSentError } from './network-error.ts';
import { OPERATIONS, type OperationName, type ParamsOf, type ResourceOf } from './operations.ts';
import { type Failure, nextWait } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';
import { statusError } from './status-error.ts';
import type { RawAnswer, Transport } from './transport.ts';
import { AnswerLost, NotSent, TooLarge } from './transport-errors.ts';
import type { Client } from './types.ts';

interface ClientOptions {
  readonly transport: Transport;
  readonly gate: Gate;
  /** Longest acceptable wait before a retry, milliseconds. */
  readonly maxWait: number;
  /** For one request in all, milliseconds. */
  readonly timeout: number;
  readonly clock: { now(): number; sleep(millis: number, signal?: AbortSignal): Promise<void> };
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly listener: ClientListener;
  /** Takes the key out of a text of the service, which may repeat it. */
  readonly conceal: (text: string) => string;
}

/** Hears what the client does, so that the program can show it. Never hears the key. */
export interface ClientListener {
  /** Before a retry: why, and until when (epoch milliseconds UTC). Returns a function to call when it is over. */
  waiting(reason: string, until: number): () => void;
  /** A value that the document does not list. */
  unlisted(found: Unlisted): void;
  /** One line a request, for --verbose. */
  exchanged(line: string): void;
}

/** How one attempt ended: with a resource, or with the reason why there is none. */
type Attempt = { readonly resource: object } | { readonly failure: Failure; readonly error: ScreenerError };

export function createClient(options: ClientOptions): Client {
  return {
    async call<N extends OperationName>(
      name: N,
      params: ParamsOf<N>,
      signal = options.signal,
      recheck?: true,
    ): Promise<ResourceOf<N>> {
      const operation = OPERATIONS[name];
      const target = (operation.target as (params: ParamsOf<N>) => string)(params);
      const resource = await callWithRetry(options, { ...operation, recheck }, target, signal);
      const checked = checkResource(operation.schema, resource) as ResourceOf<N>;
      for (const found of unlistedValues(operation.path, resource)) options.listener.unlisted(found);
      return checked;
    },
  };
}

interface OperationFacts {
  readonly path: string;
  readonly cost: number;
  /** Sent on purpose, and once, although the service asked to stay away. */
  readonly recheck?: true | undefined;
}

async function callWithRetry(
  options: ClientOptions,
  operation: OperationFacts,
  target: string,
  signal: AbortSignal,
): Promise<object> {
  const failures: Failure[] = [];
  let error: ScreenerError | undefined;
  for (;;) {
    const turn = await enter(options, operation, failures.length + 1, error, signal);
    const attempt = await attemptOnce(options, operation, target, turn, signal);
    if ('resource' in attempt) return attempt.resource;
    failures.push(attempt.failure);
    error = attempt.error;
    const { maxWait, random } = options;
    const wait = nextWait(failures, { maxWait, random, cost: operation.cost });
    if (wait === undefined || operation.recheck) throw error;
    const over = options.listener.waiting(`${reasonToWait(attempt.failure)}, trying again`, options.clock.now() + wait);
    try {
      await options.clock.sleep(wait, signal);
    } finally {
      over();
    }
  }
}

/** Where the user's own budget forbids a retry, the error is the failure before it: that is what the user can mend. */
async function enter(
  { gate, timeout }: ClientOptions,
  operation: OperationFacts,
  attempt: number,
  earlier: ScreenerError | undefined,
  signal: AbortSignal,
): Promise<Turn> {
  try {
    return await gate.enter({
      operation: operation.path,
      cost: operation.cost,
      attempt,
      timeout,
      signal,
      recheck: operation.recheck,
    });
  } catch (refusal) {
    if (earlier !== undefined && refusal instanceof ScreenerError && refusal.code === 'budget_reached') throw earlier;
    throw refusal;
  }
}

async function attemptOnce(
  options: ClientOptions,
  operation: OperationFacts,
  target: string,
  turn: Turn,
  signal: AbortSignal,
): Promise<Attempt> {
  const { transport, timeout, clock, listener, conceal } = options;
  const started = clock.now();
  let answer: RawAnswer;
  try {
    answer = await transport.get(target, timeout, signal, operation.cost <= 1);
  } catch (cause) {
    if (cause instanceof NotSent) {
      turn.cancel();
      listener.exchanged(`GET ${target} not sent: ${cause.message}`);
      return { failure: { kind: 'not-sent' }, error: notSentError(cause) };
    }
    turn.settle({ status: undefined });
    if (cause instanceof TooLarge) throw badAnswer(cause.message, { cause });
    if (!(cause instanceof AnswerLost)) throw cause;
    listener.exchanged(`GET ${target} answer lost: ${cause.message}`);
    return { failure: { kind: 'lost' }, error: answerLostError(cause, operation.cost) };
  }
  const { status } = answer;
  const at = clock.now();
  const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), at, answer.headers.get('date'));
  const limits = status === 429 || status === 503;
  turn.settle({ status, retryAfter: limits ? retryAfter : undefined });
  listener.exchanged(`GET ${target} ${status} in ${at - started} ms`);
  if (status === 200) return { resource: await resourceOf(answer, conceal) };
  const errors = await errorTextOf(answer, conceal);
  const error = statusError(operation.path, target, { status, errors, retryAfter, at });
  return { failure: { kind: 'status', status, retryAfter }, error };
}

function reasonToWait(failure: Failure): string {
  if (failure.kind === 'not-sent') return 'the service cannot be reached';
  if (failure.kind === 'lost') return 'the answer was lost';
  if (failure.status === 429) return 'the quota is exhausted for now (429)';
  return `the service is unavailable (${failure.status})`;
}
