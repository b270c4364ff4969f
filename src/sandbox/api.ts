import type { Access } from '../api/contract/resources.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { PATH_PREFIX } from '../config/base-url.ts';
import type { Faults } from './faults.ts';
import { InvalidArgument, idParam, signalsParams } from './params.ts';
import { createQuota, nextMonth, type Quota, QuotaExhausted } from './quota.ts';
import { type ApiRequest, type ApiResponse, failure, success } from './response.ts';
import { signalPage } from './signal-page.ts';
import { statsOf } from './stats.ts';
import type { World } from './world.ts';

const SANDBOX_KEY = 'sandbox-key';

export interface ApiOptions {
  readonly world: World;
  readonly quota?: Quota | undefined;
  readonly list?: typeof signalPage | undefined;
  /** The first that meets a request wins. */
  readonly faults?: readonly Faults[] | undefined;
  readonly now?: (() => number) | undefined;
  readonly onRequest?: ((entry: LoggedRequest) => void) | undefined;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Undefined where the connection was dropped or left hanging instead of an answer. */
  readonly status: number | undefined;
  readonly credits: number;
  readonly receivedAt: number;
}

export interface Api {
  readonly key: string;
  /** The whole API as a function; a socket is needed only for what faults do to the wire. */
  handle(request: ApiRequest): ApiResponse;
}

/**
 * The API of the document: key, parameters, quotas, resources and the errors of part 7. Assumptions, since the document
 * is silent: credits are charged for answers with 200 only; a path or method it does not list is answered with 404 or
 * 405, after the key was checked; arguments are checked before credits, so a mistake costs nothing.
 */
export function createApi(options: ApiOptions): Api {
  const { now: clock = Date.now, onRequest, world, quota = createQuota(), list = signalPage, faults = [] } = options;
  const service = { world, quota, list };
  return {
    key: SANDBOX_KEY,
    handle(request) {
      const now = clock();
      const call = readCall(request);
      const { method, operation, path, query } = call;
      const real = () => answer(service, call, now);
      // A fault comes before everything else, as a broken proxy or an overloaded host would.
      const met = operation === undefined ? [] : faults.flatMap((meets) => meets(operation) ?? []);
      const response = met[0] === undefined ? real() : met[0](real);
      const { credits, wire } = response;
      quota.charge(credits, now);
      const status = wire === 'reset' || wire === 'hang' ? undefined : response.status;
      onRequest?.({ method, path, query, status, credits, receivedAt: now });
      return response;
    },
  };
}

interface Service {
  readonly world: World;
  readonly quota: Quota;
  readonly list: typeof signalPage;
}

/** The resource; undefined for an id that does not exist. @throws InvalidArgument */
type Answering = (service: Service, now: number, query: URLSearchParams, id: string) => object | undefined;

const ANSWERS: Readonly<Record<OperationName, Answering>> = {
  access: ({ quota }, now) => accessOf(quota, now),
  snapshot: ({ world }, now) => world.snapshot(now),
  screeners: ({ world }, now) => world.screeners(now),
  signals: ({ world, list }, now, query) => list(world, signalsParams(query), now),
  signal: ({ world }, now, _, id) => world.detail(idParam(id), now),
  stats: ({ world }, now, query) => statsOf(world, query.get('screener_type') ?? undefined, now),
};

function accessOf(quota: Quota, now: number): Access {
  const { month: used } = quota.used(now);
  const resetsAt = nextMonth(now);
  const remaining = Math.max(0, quota.monthCredits - used);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(nextMonth(resetsAt)),
    credits: { used, limit: quota.monthCredits, remaining, resets_at: formatApiTime(resetsAt) },
    // The sandbox's own names: the document shows none.
    operations: Object.keys(ANSWERS),
    ...quota.allowances,
  };
}

interface Call extends ApiRequest {
  readonly path: string;
  readonly query: string;
  readonly operation: OperationName | undefined;
  readonly id: string;
}

const PATTERNS = OPERATION_NAMES.map((operation) => ({
  operation,
  pattern: new RegExp(`^${PATH_PREFIX}${OPERATIONS[operation].path.replace('{id}', '([^/]+)')}$`),
}));

function readCall(request: ApiRequest): Call {
  const path = request.url.split('?', 1)[0] ?? '';
  const found = PATTERNS.find(({ pattern }) => pattern.test(path));
  return {
    ...request,
    path: path.replace(PATH_PREFIX, ''),
    query: request.url.slice(path.length),
    operation: found?.operation,
    id: found?.pattern.exec(path)?.[1] ?? '',
  };
}

function answer(service: Service, call: Call, now: number): ApiResponse {
  const { quota } = service;
  if (!isAuthorized(call)) return failure(401, 'Invalid, expired or revoked key.');
  if (call.operation === undefined) return failure(404, 'NOT_FOUND');
  if (call.method !== 'GET') return failure(405, 'Every operation is a GET.');
  const { cost } = OPERATIONS[call.operation];
  try {
    quota.enter(now);
    const resource = ANSWERS[call.operation](service, now, new URLSearchParams(call.query), call.id);
    quota.afford(cost, now);
    return resource === undefined ? failure(404, 'NOT_FOUND') : success(resource, cost);
  } catch (error) {
    if (error instanceof QuotaExhausted)
      return failure(429, error.message, { 'retry-after': String(error.retryAfter) });
    if (error instanceof InvalidArgument) return failure(422, `Invalid arguments: ${error.message}.`);
    throw error;
  }
}

function isAuthorized({ headers }: ApiRequest): boolean {
  return /^bearer +(.*)$/i.exec(String(headers.authorization ?? ''))?.[1] === SANDBOX_KEY;
}
