import { ScreenerError } from '../errors.ts';
import { badAnswer, checkResource, readEnvelope } from './body.ts';
import { inflate } from './content-encoding.ts';
import { type Unlisted, unlistedValues } from './contract/unlisted.ts';
import type { Gate, Turn } from './gate.ts';
import { OPERATIONS, type OperationName, type ParamsOf, type ResourceOf } from './operations.ts';
import { type Failure, nextWait } from './retry.ts';
import { parseRetryAfter } from './retry-after.ts';
import { statusError } from './status-error.ts';
import type { RawAnswer, Transport } from './transport.ts';
import { AnswerLost, NotSent, TooLarge } from './transport-errors.ts';
import type { Client } from './types.ts';

export interface ClientOptions {
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
}

/** Told what happens, so that somebody can show it. Never sees the key. */
export interface ClientListener {
  /** Before a retry: why, and until when (epoch milliseconds UTC). Returns a function to call when it is over. */
  waiting(reason: string, until: number): () => void;
  /** A value that the document does not list. */
  unlisted(found: Unlisted): void;
  /** One line a request, for --verbose. */
  exchanged(line: string): void;
}

/** One attempt's end: an answer, or why there is none. */
type Attempt = { readonly resource: object } | { readonly failure: Failure; readonly error: ScreenerError };

export function createClient(options: ClientOptions): Client {
  return {
    async call<N extends OperationName>(name: N, params: ParamsOf<N>, signal = options.signal): Promise<ResourceOf<N>> {
      const operation = OPERATIONS[name];
      const target = (operation.target as (params: ParamsOf<N>) => string)(params);
      const resource = await callWithRetry(options, operation, target, signal);
      const checked = checkResource(operation.schema, resource) as ResourceOf<N>;
      for (const found of unlistedValues(operation.path, resource)) options.listener.unlisted(found);
      return checked;
    },
  };
}

interface OperationFacts {
  readonly path: string;
  readonly cost: number;
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
    if (wait === undefined) throw error;
    const over = options.listener.waiting(`${reasonToWait(attempt.failure)}, trying again`, options.clock.now() + wait);
    try {
      await options.clock.sleep(wait, signal);
    } finally {
      over();
    }
  }
}

/** A retry that the user's own budget forbids ends with the failure that asked for it: that is what happened. */
async function enter(
  { gate, timeout }: ClientOptions,
  operation: OperationFacts,
  attempt: number,
  earlier: ScreenerError | undefined,
  signal: AbortSignal,
): Promise<Turn> {
  try {
    return await gate.enter({ operation: operation.path, cost: operation.cost, attempt, timeout, signal });
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
  const { transport, timeout, clock, listener } = options;
  const started = clock.now();
  let answer: RawAnswer;
  try {
    answer = await transport.get(target, timeout, signal);
  } catch (cause) {
    if (cause instanceof NotSent) {
      turn.cancel();
      listener.exchanged(`GET ${target} not sent: ${cause.message}`);
      return { failure: { kind: 'not-sent' }, error: unreachable(cause) };
    }
    turn.settle({ status: undefined });
    if (cause instanceof TooLarge) throw badAnswer(cause.message, { cause });
    if (!(cause instanceof AnswerLost)) throw cause;
    listener.exchanged(`GET ${target} answer lost: ${cause.message}`);
    return { failure: { kind: 'lost' }, error: lost(cause, operation.cost) };
  }
  const { status } = answer;
  const at = clock.now();
  const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), at, answer.headers.get('date'));
  const limits = status === 429 || status === 503;
  turn.settle({ status, retryAfter: limits ? retryAfter : undefined });
  listener.exchanged(`GET ${target} ${status} in ${at - started} ms`);
  if (status === 200) return { resource: await successOf(transport, answer) };
  const errors = await errorText(transport, answer);
  const error = statusError(operation.path, target, { status, errors, retryAfter, at });
  return { failure: { kind: 'status', status, retryAfter }, error };
}

async function successOf({ conceal }: Transport, answer: RawAnswer): Promise<object> {
  const envelope = readEnvelope(await inflate(answer));
  if (envelope.hasError) {
    const said = envelope.errors ? `. The service said: ${quoted(conceal(envelope.errors))}` : '';
    throw badAnswer(`status 200, but hasError is true${said}`, { status: 200 });
  }
  if (envelope.response === null) throw badAnswer('response is null where a resource belongs', { status: 200 });
  return envelope.response;
}

/** The text of an error answer. A body that is no Envelope changes nothing: the status has said what happened. */
async function errorText({ conceal }: Transport, answer: RawAnswer): Promise<string | undefined> {
  try {
    const { errors } = readEnvelope(await inflate(answer));
    return errors === null ? undefined : quoted(conceal(errors));
  } catch {
    return undefined;
  }
}

/** Enough for any sentence; a megabyte would bury what we have to say ourselves. */
const LONGEST_QUOTE = 1000;

function quoted(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

function unreachable(cause: NotSent): ScreenerError {
  return new ScreenerError(cause.timedOut ? 'timeout' : 'network', `The service cannot be reached: ${cause.message}`, {
    hint: 'Nothing was sent and no credit was spent. Check the base URL, the network and the proxy variables.',
    cause,
  });
}

function lost(cause: AnswerLost, cost: number): ScreenerError {
  return new ScreenerError(cause.timedOut ? 'timeout' : 'network', `The answer was lost. ${cause.message}`, {
    hint:
      cost === 0
        ? 'Try again; --timeout gives a slow connection more time.'
        : `The request had left, so ${cost === 1 ? '1 credit' : `${cost} credits`} may be spent: \`screener access\` shows it for 0 credits.`,
    cause,
  });
}

function reasonToWait(failure: Failure): string {
  if (failure.kind === 'not-sent') return 'the service cannot be reached';
  if (failure.kind === 'lost') return 'the answer was lost';
  if (failure.status === 429) return 'the quota is exhausted for now (429)';
  return `the service is unavailable (${failure.status})`;
}
