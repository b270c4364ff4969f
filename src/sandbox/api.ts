import type { Access } from '../api/contract/resources.ts';
import { DOCUMENTED } from '../api/limits.ts';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { damaged, type Fault, parseFault, standIn } from './faults.ts';
import { createMarketWorld } from './market/market-world.ts';
import { PREFIX, type Route, routeOf } from './operations.ts';
import { DEFAULTS } from './options.ts';
import { InvalidArgument, idParam, signalsParams } from './params.ts';
import { createQuota, type Limits, type Quota, type Refusal, type Used } from './quota.ts';
import { type ApiRequest, type ApiResponse, failure, success } from './response.ts';
import { signalPage } from './signal-page.ts';
import { statsOf } from './stats.ts';
import type { World } from './world.ts';

/** Good for nothing but a sandbox: it is printed, and the same every time. */
const SANDBOX_KEY = 'sandbox-key';

/** How a service may answer where the document leaves it open: what tests set in place of the sandbox's own ways. */
export interface Behaviour {
  /** @throws InvalidArgument */
  readonly list: typeof signalPage;
  readonly stats: typeof statsOf;
}

export interface ApiOptions extends Partial<Omit<Limits, 'allowances'>> {
  readonly perMinute?: number | undefined;
  readonly cards?: number | undefined;
  readonly seed?: number | undefined;
  /** Each as `signals:2:503:retry-after=3`. */
  readonly faults?: readonly string[] | undefined;
  /** Epoch milliseconds UTC. */
  readonly now?: (() => number) | undefined;
  /** In place of the generated market. */
  readonly world?: World | undefined;
  readonly onRequest?: ((entry: LoggedRequest) => void) | undefined;
  readonly behaviour?: Partial<Behaviour> | undefined;
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
  /** Whether it carried the right key. */
  readonly authorized: boolean;
}

export interface Api {
  readonly key: string;
  /** The whole API as a function; a socket is needed only for what faults do to the wire. */
  handle(request: ApiRequest): ApiResponse;
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Credits used this month and this day. */
  readonly quota: Used;
  /** Counts requests from now on. @throws ScreenerError usage for a text that is no fault */
  addFault(fault: string): void;
  setWorld(world: World): void;
  /** Credits spent by another client of the account; `today: false` for an earlier day of this month. */
  spend(credits: number, options?: { today?: boolean }): void;
}

/**
 * The API of the document: key, parameters, quotas, the six resources and the errors of part 7. Assumptions, since the
 * document is silent: credits are charged for answers with 200 only; a path or method it does not list is answered with
 * 404 or 405, after the key was checked; arguments are checked before credits, so a mistake costs nothing.
 * @throws ScreenerError usage, where a fault cannot be read
 */
export function createApi(options: ApiOptions): Api {
  const { cards = DEFAULTS.cards, seed = DEFAULTS.seed, now: clock = Date.now } = options;
  const limits: Limits = {
    allowances: { ...DOCUMENTED, per_minute: options.perMinute ?? DEFAULTS.perMinute },
    dayCredits: options.dayCredits ?? 150,
    monthCredits: options.monthCredits ?? 1000,
  };
  const behaviour: Behaviour = { list: signalPage, stats: statsOf, ...options.behaviour };
  const quota = createQuota(limits);
  const faults: { fault: Fault; seen: number }[] = [];
  const addFault = (text: string): void => void faults.push({ fault: parseFault(text), seen: 0 });
  options.faults?.forEach(addFault);
  const requests: LoggedRequest[] = [];
  let world = options.world ?? createMarketWorld({ seed, history: { cards }, startedAt: clock() });

  const answer = (request: ApiRequest, { route, query }: Target, now: number): Charged => {
    if (!isAuthorized(request)) {
      return free(failure(401, 'Invalid, expired or revoked key.', { 'www-authenticate': 'Bearer' }));
    }
    if (route === undefined) return free(failure(404, 'NOT_FOUND'));
    if (request.method !== 'GET') return free(failure(405, 'Every operation is a GET.', { allow: 'GET' }));
    const { cost } = OPERATIONS[route.operation];
    const tooFast = quota.enter(now);
    if (tooFast !== undefined) return free(refused(tooFast));
    try {
      // Whoever asks wrongly is told so even where no credits are left.
      const resource = find(route, query, { world, quota, limits, behaviour, now });
      const unaffordable = quota.afford(cost, now);
      if (unaffordable !== undefined) return free(refused(unaffordable));
      return resource === undefined ? free(failure(404, 'NOT_FOUND')) : { response: success(resource), credits: cost };
    } catch (error) {
      if (error instanceof InvalidArgument) return free(failure(422, `Invalid arguments: ${error.message}.`));
      throw error;
    }
  };

  /** Counts one request of the operation and says what shall happen to it; the first fault set wins. */
  const nextFault = (operation: OperationName): Fault | undefined => {
    const mine = faults.filter(({ fault }) => fault.operation === '*' || fault.operation === operation);
    for (const entry of mine) entry.seen += 1;
    return mine.find(({ fault, seen }) => seen >= fault.from && seen <= fault.to)?.fault;
  };

  /** A fault comes before everything else, as a broken proxy or an overloaded host would. */
  const answerOrFail = (request: ApiRequest, target: Target, now: number): Charged => {
    const fault = target.route && nextFault(target.route.operation);
    if (target.route === undefined || fault === undefined) return answer(request, target, now);
    const response = standIn(fault, request);
    if (response !== undefined) {
      quota.count(now);
      return { response, credits: fault.charge ? OPERATIONS[target.route.operation].cost : 0 };
    }
    const real = answer(request, target, now);
    return { ...real, response: damaged(real.response, fault) };
  };

  return {
    key: SANDBOX_KEY,
    requests,
    get quota() {
      return quota.used(clock());
    },
    addFault,
    setWorld(next) {
      world = next;
    },
    spend: (credits, { today = true } = {}) => quota.charge(credits, clock(), today),
    handle(request) {
      const now = clock();
      const target = targetOf(request.url);
      const { response, credits } = answerOrFail(request, target, now);
      quota.charge(credits, now);
      const entry: LoggedRequest = {
        method: request.method,
        path: target.path.startsWith(`${PREFIX}/`) ? target.path.slice(PREFIX.length) : target.path,
        query: target.search,
        status: response.wire === 'reset' || response.wire === 'hang' ? undefined : response.status,
        credits,
        receivedAt: now,
        authorized: isAuthorized(request),
      };
      requests.push(entry);
      options.onRequest?.(entry);
      return response;
    },
  };
}

function isAuthorized({ headers }: ApiRequest): boolean {
  return /^bearer +(.*)$/i.exec(String(headers.authorization ?? ''))?.[1] === SANDBOX_KEY;
}

interface Charged {
  readonly response: ApiResponse;
  readonly credits: number;
}

const free = (response: ApiResponse): Charged => ({ response, credits: 0 });

const refused = ({ reason, retryAfter }: Refusal): ApiResponse =>
  failure(429, `Quota exhausted: ${reason}.`, { 'retry-after': String(retryAfter) });

interface Target {
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  readonly route: Route | undefined;
}

function targetOf(url: string): Target {
  const path = url.split('?', 1)[0] ?? url;
  const search = url.slice(path.length);
  return { path, search, query: new URLSearchParams(search), route: routeOf(path) };
}

interface Service {
  readonly world: World;
  readonly quota: Quota;
  readonly limits: Limits;
  readonly behaviour: Behaviour;
  readonly now: number;
}

/**
 * The resource; undefined for an id that does not exist, or one of somebody else: the world holds none of those.
 * @throws InvalidArgument
 */
function find(route: Route, query: URLSearchParams, service: Service): object | undefined {
  const { world, quota, limits, behaviour, now } = service;
  switch (route.operation) {
    case 'access':
      return access(quota, limits, now);
    case 'snapshot':
      return world.snapshot(now);
    case 'screeners':
      return world.screeners(now);
    case 'signals':
      return behaviour.list(world, signalsParams(query), now);
    case 'signal':
      return world.detail(idParam(route.id ?? ''), now);
    case 'stats':
      return behaviour.stats(world, query.get('screener_type') ?? undefined, now);
  }
}

/** `operations` holds names of the sandbox's own: the document shows none. */
function access(quota: Quota, { monthCredits, allowances }: Limits, now: number): Access {
  const { month: used } = quota.used(now);
  const date = new Date(now);
  return {
    beta: true,
    plan: 'PRO',
    expires_at: formatApiTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1)),
    credits: {
      used,
      limit: monthCredits,
      remaining: Math.max(0, monthCredits - used),
      resets_at: formatApiTime(quota.resetsAt(now)),
    },
    operations: ['access', 'market_snapshot', 'screeners', 'signals', 'signal_detail', 'signal_stats'],
    ...allowances,
  };
}
