/** The sandbox's API, without a server around it. */
import type { Access } from '../api/contract/resources.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { PATH_PREFIX } from '../config/credentials.ts';
import { invalidArguments, signalPage, signalsParams, statsOf } from './answers.ts';
import type { Fault, FaultOf } from './faults.ts';
import { nextMonth, type Quota } from './quota.ts';
import { type ApiRequest, type ApiResponse, failure, Refusal, reply } from './response.ts';
import type { World } from './world.ts';

/** The only key that the sandbox accepts. */
export const SANDBOX_KEY = 'sandbox-key';

export interface ApiOptions {
  readonly world: World;
  readonly quota: Quota;
  /** Makes the pages of `/signals`; `signalPage` if it is left out. */
  readonly list?: typeof signalPage | undefined;
  /** Faults that requests meet. If several apply to one request, the first of them counts. */
  readonly faults?: readonly FaultOf[];
  /** Epoch milliseconds UTC. */
  readonly now: () => number;
  readonly onRequest?: (entry: LoggedRequest) => void;
}

/** What `onRequest` learns of a request. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** `?limit=5`; empty if there is none. */
  readonly query: string;
  /** Undefined if no answer was sent: the connection was dropped, or left hanging. */
  readonly status: number | undefined;
  readonly credits: number;
  /** Epoch milliseconds UTC. */
  readonly receivedAt: number;
}

/**
 * Answers requests as the API document says: key, parameters, quotas, resources and the errors of part 7. Assumptions, since
 * the document is silent:
 * - Only answers with 200 cost credits.
 * - A path or method that the document does not list is answered with 404 or 405, after the key was checked.
 * - Arguments are checked before credits: without credits left, a wrong argument is answered with 422 and not with 429.
 */
export function createApi({
  world,
  quota,
  list = signalPage,
  faults = [],
  now: clock,
  onRequest,
}: ApiOptions) {
  return (request: ApiRequest): ApiResponse => {
    const now = clock();
    const { path: wholePath, query } = pathAndQuery(request.url);
    const path = wholePath.replace(PATH_PREFIX, '');
    const operation = operationAt(wholePath);
    // The card's id in `/signals/{id}`; empty for other paths.
    const id = path.split('/')[2] ?? '';
    const call = { world, quota, list, now, query: new URLSearchParams(query), id };
    const answerAsUsual = () => answer(call, request, operation);
    // A fault comes first: a broken proxy or an overloaded host does not look at keys either.
    const fault = operation === undefined ? undefined : firstFault(faults, operation);
    const response = fault === undefined ? answerAsUsual() : fault(answerAsUsual);
    const { credits, delivery } = response;
    quota.charge(credits, now);
    // With these two deliveries, the client gets nothing.
    const isAnswered = delivery !== 'reset' && delivery !== 'hang';
    const status = isAnswered ? response.status : undefined;
    onRequest?.({ method: request.method, path, query, status, credits, receivedAt: now });
    return response;
  };
}

/** Splits `/api/external/v1/signals?limit=5` into `/api/external/v1/signals` and `?limit=5`. */
function pathAndQuery(url: string): { readonly path: string; readonly query: string } {
  const end = url.indexOf('?');
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end) };
}

function operationAt(path: string): OperationName | undefined {
  const template = path.replace(/\/signals\/[^/]+$/, '/signals/{id}');
  return OPERATION_NAMES.find((name) => PATH_PREFIX + OPERATIONS[name].path === template);
}

/** The first fault that applies to a request. All faults are asked, because each of them counts its requests. */
function firstFault(faults: readonly FaultOf[], operation: OperationName): Fault | undefined {
  const applying = faults
    .map((faultOf) => faultOf(operation))
    .filter((fault) => fault !== undefined);
  return applying[0];
}

/** A request that is to be answered. */
interface Call extends Pick<ApiOptions, 'world' | 'quota'> {
  readonly list: typeof signalPage;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  readonly query: URLSearchParams;
  /** The last part of `/signals/{id}`, as it was sent. */
  readonly id: string;
}

/** Makes the resource of each operation; undefined for an id that does not exist. @throws Refusal */
const ANSWERS: Readonly<Record<OperationName, (call: Call) => object | undefined>> = {
  access: ({ quota, now }) => accessOf(quota, now),
  snapshot: ({ world, now }) => world.snapshot(now),
  screeners: ({ world, now }) => world.screeners(now),
  signals: ({ world, list, now, query }) => list(world, signalsParams(query), now),
  signal({ world, now, id }) {
    // Leading zeros are allowed: `/signals/007` is the card 7.
    if (!/^0*[1-9]\d*$/.test(id)) throw invalidArguments('id must be a positive integer');
    return world.detail(Number(id), now);
  },
  stats: ({ world, now, query }) => statsOf(world, query.get('screener_type') ?? undefined, now),
};

function answer(
  call: Call,
  { method, headers }: ApiRequest,
  operation: OperationName | undefined,
): ApiResponse {
  const authorization = String(headers.authorization ?? '');
  const [, key] = /^bearer +(.*)$/i.exec(authorization) ?? [];
  if (key !== SANDBOX_KEY) return failure(401);
  if (operation === undefined) return failure(404);
  if (method !== 'GET') return failure(405, 'Every operation is a GET.');
  const { cost } = OPERATIONS[operation];
  // Each of the next three steps may throw a Refusal.
  try {
    call.quota.countRequest(call.now);
    const resource = ANSWERS[operation](call);
    call.quota.checkCredits(cost, call.now);
    if (resource === undefined) return failure(404);
    return {
      ...reply(200, JSON.stringify({ hasError: false, response: resource, errors: null })),
      credits: cost,
    };
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}

function accessOf(quota: Quota, now: number): Access {
  const { month: used } = quota.used(now);
  const resetsAt = nextMonth(now);
  const remaining = Math.max(0, quota.perMonth - used);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(nextMonth(resetsAt)),
    credits: { used, limit: quota.perMonth, remaining, resets_at: formatApiTime(resetsAt) },
    // The sandbox's own names: the API document shows none.
    operations: Object.keys(ANSWERS),
    ...quota.allowances,
  };
}
