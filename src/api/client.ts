import { ScreenerError } from '../errors.ts';
import type { Context, Notes } from '../runtime/context.ts';
import { durationInWords } from '../runtime/units.ts';
import { checkEcho, checkResource, errorTextOf, resourceOf } from './answer.ts';
import { unlistedValues } from './contract/primitives.ts';
import type { SignalPage } from './contract/resources.ts';
import type { Gate, GateRequest, Turn } from './gate.ts';
import {
  type Echo,
  OPERATIONS,
  type OperationName,
  type ParamsOf,
  type ResourceOf,
  type SignalsQuery,
} from './operations.ts';
import { mayBeCharged, nextWait, parseRetryAfter, reasonToWait } from './retry.ts';
import { ServiceTime } from './service-time.ts';
import { noAnswerError, statusError } from './status-error.ts';
import type { RawAnswer, Transport } from './transport.ts';
import { NoAnswer } from './transport-errors.ts';

export type How = Partial<Pick<ClientRequest, 'once' | 'despiteHold'>>;

export interface Client {
  /**
   * @param how `despiteHold`: one request, never retried (a 200 to a `recheck` ends the hold); `once`: not repeated
   *   after a failure that may be this resource's own
   * @throws ScreenerError, or the signal's reason
   */
  call<N extends OperationName>(name: N, params: ParamsOf<N>, how?: How): Promise<ResourceOf<N>>;
  /** The service's time as far as its answers tell it, else this machine's: epoch milliseconds UTC. */
  now(): number;
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

interface ClientRequest extends Omit<GateRequest, 'attempt' | 'after'> {
  readonly target: string;
  readonly once: boolean;
}

export function createClient(options: ClientOptions): Client {
  const { context, notes } = options;
  const time = new ServiceTime(context.clock, (ahead) => {
    const far = `${durationInWords(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
    notes.warn(`This machine's clock is ${far} the service's, whose time counts.`);
  });
  let hasOthers = false;
  return {
    now: () => time.now(),
    async call(name, params, how = {}) {
      const { path: operation, cost, schema, echo, target: targetOf } = OPERATIONS[name];
      const target = (targetOf as (given: typeof params) => string)(params);
      const resource = await callWithRetry(options, time, { operation, cost, target, once: false, ...how });
      const checked = checkResource(schema, resource) as ResourceOf<typeof name>;
      for (const { field, value } of unlistedValues(schema, resource))
        notes.warn(`The service sent ${field} '${value}', which the API document does not list.`);
      if (checkEcho(checked, (echo as (given: typeof params) => Echo)(params)) && !hasOthers) {
        hasOthers = true;
        notes.warn('The service sent cards of another symbol or type than was asked for.');
      }
      if (name === 'signals') time.compare(checked as SignalPage, params as SignalsQuery);
      return checked;
    },
  };
}

/** `lost`: earlier attempts that may have been charged. */
type Attempt = ClientRequest & { readonly lost: number };

async function callWithRetry(options: ClientOptions, time: ServiceTime, asked: ClientRequest): Promise<object> {
  const failures: ScreenerError[] = [];
  let after: GateRequest['after'];
  for (;;) {
    const turn = await options.gate
      .enter({ ...asked, attempt: failures.length + 1, after })
      .catch((refusal: unknown) => {
        // Where a retry is not allowed, the failure before it is what the user can mend.
        throw refusal instanceof ScreenerError ? (failures.at(-1) ?? refusal) : refusal;
      });
    try {
      return await attempt(options, time, { ...asked, lost: failures.filter(mayBeCharged).length }, turn);
    } catch (error) {
      if (!(error instanceof ScreenerError) || asked.despiteHold) throw error;
      failures.push(error);
      const wait = nextWait(failures, asked);
      if (wait === undefined) throw error;
      after = { until: options.context.clock.now() + wait, reason: reasonToWait(error) };
    }
  }
}

async function attempt(options: ClientOptions, time: ServiceTime, asked: Attempt, turn: Turn): Promise<object> {
  const { notes } = options;
  const { clock, secrets } = options.context;
  const { operation, target } = asked;
  const started = clock.now();
  const answer = await send(options, asked, turn);
  const { status, headers } = answer;
  const at = clock.now();
  time.learn(headers.date?.toString(), at, operation === OPERATIONS.signals.path);
  const retryAfter = parseRetryAfter(headers['retry-after']?.toString());
  const failed = () => statusError(operation, target, { status, errors: errorTextOf(answer, secrets), retryAfter, at });
  const error = status === 200 ? undefined : failed();
  turn.settle({ status, retryAfter, code: error?.code });
  notes.debug(`GET ${target} ${status} in ${at - started} ms`);
  if (error !== undefined) throw error;
  return resourceOf(answer, secrets);
}

async function send(
  { transport, timeout, notes, context }: ClientOptions,
  { cost, target, lost }: Attempt,
  turn: Turn,
): Promise<RawAnswer> {
  let hasLeft = false;
  try {
    return await transport(target, timeout, context.signal, () => {
      turn.check();
      hasLeft = true;
    });
  } catch (cause) {
    if (hasLeft) turn.settle({ status: undefined });
    else turn.cancel();
    if (!(cause instanceof NoAnswer)) throw cause;
    notes.debug(`GET ${target} ${hasLeft ? 'answer lost' : 'not sent'}: ${cause.message}`);
    throw noAnswerError(cause, hasLeft, cost * (lost + Number(hasLeft)));
  }
}
