import { ScreenerError } from '../errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { checkResource, errorTextOf, resourceOf } from './answer.ts';
import { type Unlisted, unlistedValues } from './contract/primitives.ts';
import type { SignalPage } from './contract/resources.ts';
import type { Gate, GateRequest, Turn } from './gate.ts';
import { OPERATIONS, type OperationName, type ParamsOf, type ResourceOf, type SignalsQuery } from './operations.ts';
import { type Failure, nextWait, parseRetryAfter, reasonToWait } from './retry.ts';
import { ServiceTime } from './service-time.ts';
import { statusError } from './status-error.ts';
import type { RawAnswer, Transport } from './transport.ts';
import { NoAnswer } from './transport-errors.ts';

export interface Client {
  /**
   * @param how `recheck`, `probe`: one request despite a hold, never retried (a 200 to a `recheck` ends the hold);
   *   `once`: not repeated after a failure that may be this resource's own
   * @throws ScreenerError, or the signal's reason
   */
  call<N extends OperationName>(
    name: N,
    params: ParamsOf<N>,
    signal?: AbortSignal,
    how?: 'recheck' | 'probe' | 'once',
  ): Promise<ResourceOf<N>>;
  /** The service's time if a Date header is believed, else this machine's: epoch milliseconds UTC. */
  now(): number;
  knowsTime(): boolean;
}

interface ClientOptions {
  readonly transport: Transport;
  readonly gate: Gate;
  /** Milliseconds, for a whole request. */
  readonly timeout: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly listener: ClientListener;
  readonly conceal: (text: string) => string;
}

/** Never hears the key. */
export interface ClientListener {
  unlisted(found: Unlisted): void;
  exchanged(line: string): void;
  /** Heard once: by how many milliseconds this machine's clock is ahead. */
  clockIsOff(ahead: number): void;
}

interface Asked extends Omit<GateRequest, 'attempt' | 'after'> {
  readonly target: string;
  readonly signal: AbortSignal;
  readonly once: boolean;
}

interface Failed {
  readonly failure: Failure;
  readonly error: ScreenerError;
}

export function createClient(options: ClientOptions): Client {
  const { clock, listener } = options;
  const time = new ServiceTime(clock, (ahead) => listener.clockIsOff(ahead));
  return {
    now: () => time.now(),
    knowsTime: () => time.isKnown,
    async call(name, params, signal = options.signal, how) {
      const { path: operation, cost, schema, target: targetOf } = OPERATIONS[name];
      const target = (targetOf as (given: typeof params) => string)(params);
      const once = how === 'once';
      const despiteHold = once ? undefined : how;
      const resource = await callWithRetry(options, time, {
        operation,
        cost,
        target,
        signal,
        despiteHold,
        once,
      });
      const checked = checkResource(schema, resource) as ResourceOf<typeof name>;
      for (const found of unlistedValues(schema, resource)) listener.unlisted(found);
      if (name === 'signals') time.compare(checked as SignalPage, params as SignalsQuery);
      return checked;
    },
  };
}

async function callWithRetry(options: ClientOptions, time: ServiceTime, asked: Asked): Promise<object> {
  const failures: Failure[] = [];
  let after: GateRequest['after'];
  let earlier: ScreenerError | undefined;
  for (;;) {
    const turn = await options.gate
      .enter({ ...asked, attempt: failures.length + 1, after })
      .catch((refusal: unknown) => {
        // Where a retry is not allowed, the failure before it is what the user can mend.
        throw refusal instanceof ScreenerError ? (earlier ?? refusal) : refusal;
      });
    const ended = await attempt(options, time, asked, turn);
    if ('resource' in ended) return ended.resource;
    failures.push(ended.failure);
    earlier = ended.error;
    const wait = nextWait(failures, asked);
    if (wait === undefined || asked.despiteHold) throw earlier;
    after = { until: options.clock.now() + wait, reason: reasonToWait(ended.failure) };
  }
}

async function attempt(
  options: ClientOptions,
  time: ServiceTime,
  asked: Asked,
  turn: Turn,
): Promise<{ readonly resource: object } | Failed> {
  const { clock, listener, conceal } = options;
  const { operation, target } = asked;
  const started = clock.now();
  const answer = await send(options, asked, turn);
  if ('failure' in answer) return answer;
  const { status, headers } = answer;
  const at = clock.now();
  const now = time.learn(headers.date?.toString(), at);
  const retryAfter = parseRetryAfter(headers['retry-after']?.toString(), now);
  turn.settle({ status, retryAfter });
  listener.exchanged(`GET ${target} ${status} in ${at - started} ms`);
  if (status === 200) return { resource: resourceOf(answer, conceal) };
  const errors = errorTextOf(answer, conceal);
  const error = statusError(operation, target, { status, errors, retryAfter, at });
  return { failure: { status, retryAfter }, error };
}

async function send(
  { transport, timeout, listener }: ClientOptions,
  asked: Asked,
  turn: Turn,
): Promise<RawAnswer | Failed> {
  const { cost, target, signal } = asked;
  let hasLeft = false;
  const onLeaving = () => {
    turn.check();
    hasLeft = true;
  };
  try {
    return await transport.get(target, timeout, signal, onLeaving);
  } catch (cause) {
    if (hasLeft) turn.settle({ status: undefined });
    else turn.cancel();
    if (!(cause instanceof NoAnswer)) throw cause;
    cause.hasLeft = hasLeft;
    listener.exchanged(`GET ${target} ${hasLeft ? 'answer lost' : 'not sent'}: ${cause.message}`);
    const code = cause.timedOut ? 'timeout' : 'network';
    if (hasLeft) {
      const hint =
        cost === 0
          ? 'Try again; --timeout gives a slow connection more time.'
          : `The request had left, so ${pluralize(cost, 'credit')} may be spent: \`screener access\` shows it (free).`;
      const error = new ScreenerError(code, `The answer was lost: ${cause.message}.`, { hint, cause });
      return { failure: { status: undefined }, error };
    }
    const remedy = cause.remedy ?? 'Check the base URL, the network and the proxy variables.';
    const hint = `Nothing was sent and no credit was spent. ${remedy}`;
    const error = new ScreenerError(code, `The service cannot be reached: ${cause.message}.`, { hint, cause });
    return { failure: { unsent: cause.remedy === undefined ? 'perhaps later' : 'hopeless' }, error };
  }
}
