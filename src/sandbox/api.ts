import type { Access } from '../api/contract/resources.ts';
import type { Allowances } from '../api/limits.ts';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { type Fault, faultyAnswer } from './faults.ts';
import { createMarketWorld } from './market/market-world.ts';
import { PREFIX, type Route, routeOf } from './operations.ts';
import { DEFAULTS } from './options.ts';
import { InvalidArgument, idParam, signalsParams } from './params.ts';
import { createQuota, type Quota, type Refusal } from './quota.ts';
import { type ApiRequest, type ApiResponse, failure, success } from './response.ts';
import { signalPage } from './signal-page.ts';
import { statsOf } from './stats.ts';
import type { World } from './world.ts';

/** Good for nothing but a sandbox: it is printed, and the same every time. */
const SANDBOX_KEY = 'sandbox-key';

export interface ApiOptions {
  /** The document's where left out. */
  readonly allowances?: Partial<Allowances> | undefined;
  readonly cards?: number | undefined;
  readonly seed?: number | undefined;
  /** The first that meets a request wins; one that is added counts requests from then on. */
  readonly faults?: readonly Fault[] | undefined;
  /** Epoch milliseconds UTC. */
  readonly now?: (() => number) | undefined;
  /** In place of the generated market. */
  readonly world?: World | undefined;
  /** In place of one with the document's credits. */
  readonly quota?: Quota | undefined;
  readonly onRequest?: ((entry: LoggedRequest) => void) | undefined;
  /** How else a service may list cards, where the document leaves it open. @throws InvalidArgument */
  readonly list?: typeof signalPage | undefined;
}

/** One request as the server saw it. The key is not kept. */
export interface LoggedRequest {
  readonly method: string;
  /** Relative to the base URL where it is below it. */
  readonly path: string;
  /** With the question mark; empty where there is none. */
  readonly query: string;
  /** Undefined where the connection was dropped or left hanging instead of an answer. */
  readonly status: number | undefined;
  /** Credits charged. */
  readonly credits: number;
  /** Epoch milliseconds UTC. */
  readonly receivedAt: number;
}

export interface Api {
  readonly key: string;
  /** The whole API as a function; a socket is needed only for what faults do to the wire. */
  handle(request: ApiRequest): ApiResponse;
}

/**
 * The API of the document: key, parameters, quotas, the six resources and the errors of part 7. Assumptions, since the
 * document is silent: credits are charged for answers with 200 only; a path or method it does not list is answered with
 * 404 or 405, after the key was checked; arguments are checked before credits, so a mistake costs nothing.
 */
export function createApi(options: ApiOptions): Api {
  const { cards = DEFAULTS.cards, seed = DEFAULTS.seed, now: clock = Date.now, faults = [] } = options;
  const { list = signalPage, quota = createQuota({ allowances: options.allowances }) } = options;
  const world = options.world ?? createMarketWorld({ seed, history: { cards }, startedAt: clock() });
  /** Requests that each fault has counted. */
  const counts = new Map<Fault, number>();

  /** `operations` holds names of the sandbox's own: the document shows none. */
  const access = (now: number): Access => {
    const { month: used } = quota.used(now);
    const date = new Date(now);
    return {
      beta: true,
      plan: 'PRO',
      expires_at: formatApiTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1)),
      credits: {
        used,
        limit: quota.monthCredits,
        remaining: Math.max(0, quota.monthCredits - used),
        resets_at: formatApiTime(quota.resetsAt(now)),
      },
      operations: ['access', 'market_snapshot', 'screeners', 'signals', 'signal_detail', 'signal_stats'],
      ...quota.allowances,
    };
  };

  /**
   * The resource; undefined for an id that does not exist, or one of somebody else: the world holds none of those.
   * @throws InvalidArgument
   */
  const find = ({ operation, id = '' }: Route, query: URLSearchParams, now: number): object | undefined => {
    switch (operation) {
      case 'access':
        return access(now);
      case 'snapshot':
        return world.snapshot(now);
      case 'screeners':
        return world.screeners(now);
      case 'signals':
        return list(world, signalsParams(query), now);
      case 'signal':
        return world.detail(idParam(id), now);
      case 'stats':
        return statsOf(world, query.get('screener_type') ?? undefined, now);
    }
  };

  const answer = (request: ApiRequest, route: Route | undefined, query: URLSearchParams, now: number): ApiResponse => {
    if (!isAuthorized(request)) {
      return failure(401, 'Invalid, expired or revoked key.', { 'www-authenticate': 'Bearer' });
    }
    if (route === undefined) return failure(404, 'NOT_FOUND');
    if (request.method !== 'GET') return failure(405, 'Every operation is a GET.', { allow: 'GET' });
    const { cost } = OPERATIONS[route.operation];
    const tooFast = quota.enter(now);
    if (tooFast !== undefined) return refused(tooFast);
    try {
      // Whoever asks wrongly is told so even where no credits are left.
      const resource = find(route, query, now);
      const unaffordable = quota.afford(cost, now);
      if (unaffordable !== undefined) return refused(unaffordable);
      return resource === undefined ? failure(404, 'NOT_FOUND') : success(resource, cost);
    } catch (error) {
      if (error instanceof InvalidArgument) return failure(422, `Invalid arguments: ${error.message}.`);
      throw error;
    }
  };

  /** Counts one request of the operation and says what shall happen to it. */
  const nextFault = (asked: OperationName): Fault | undefined => {
    const mine = faults.filter(({ operation }) => operation === '*' || operation === asked);
    for (const fault of mine) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    return mine.find((fault) => {
      const seen = counts.get(fault) ?? 0;
      return seen >= fault.from && seen <= fault.to;
    });
  };

  /** A fault comes before everything else, as a broken proxy or an overloaded host would. */
  const answerOrFail = (
    request: ApiRequest,
    route: Route | undefined,
    query: URLSearchParams,
    now: number,
  ): ApiResponse => {
    const fault = route && nextFault(route.operation);
    if (route === undefined || fault === undefined) return answer(request, route, query, now);
    let isStandIn = true;
    const response = faultyAnswer(fault, request, () => {
      isStandIn = false;
      return answer(request, route, query, now);
    });
    if (!isStandIn) return response;
    quota.count(now);
    return { ...response, credits: fault.charge ? OPERATIONS[route.operation].cost : 0 };
  };

  return {
    key: SANDBOX_KEY,
    handle(request) {
      const now = clock();
      const path = request.url.split('?', 1)[0] ?? '';
      const query = request.url.slice(path.length);
      const response = answerOrFail(request, routeOf(path), new URLSearchParams(query), now);
      quota.charge(response.credits, now);
      options.onRequest?.({
        method: request.method,
        path: path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length) : path,
        query,
        status: response.wire === 'reset' || response.wire === 'hang' ? undefined : response.status,
        credits: response.credits,
        receivedAt: now,
      });
      return response;
    },
  };
}

function isAuthorized({ headers }: ApiRequest): boolean {
  return /^bearer +(.*)$/i.exec(String(headers.authorization ?? ''))?.[1] === SANDBOX_KEY;
}

const refused = ({ reason, retryAfter }: Refusal): ApiResponse =>
  failure(429, `Quota exhausted: ${reason}.`, { 'retry-after': String(retryAfter) });
