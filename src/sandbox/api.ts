import { access } from './access.ts';
import { altered, withUnsafeInteger } from './altered.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { damaged, damagesOnly, standIn } from './broken.ts';
import { createFaults, type Fault } from './faults.ts';
import { chance } from './market/noise.ts';
import { COST, PREFIX, type Route, routeOf } from './operations.ts';
import { InvalidArgument, idParam, signalsParams } from './params.ts';
import { createQuota, type Quota, type Refusal } from './quota.ts';
import { recordedWorld } from './recorded.ts';
import { type ApiRequest, type ApiResponse, failure, success } from './response.ts';
import { signalPage } from './signal-page.ts';
import type { World } from './world.ts';

export interface ApiOptions {
  readonly key: string;
  readonly perMinute: number;
  readonly dayCredits: number;
  readonly monthCredits: number;
  readonly faults: readonly Fault[];
  /** Default: as the switches' help says. */
  readonly behaviour?: Behaviour | undefined;
  readonly now: () => number;
  readonly world: World;
  readonly onRequest?: ((entry: LoggedRequest) => void) | undefined;
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
  readonly userAgent: string | undefined;
}

export interface Api {
  /** The whole API as a function; a socket is needed only for what faults do to the wire. */
  handle(request: ApiRequest): ApiResponse;
  readonly requests: readonly LoggedRequest[];
  readonly quota: Quota;
  addFault(fault: Fault): void;
  setWorld(world: World): void;
}

/**
 * The API of the document: key, parameters, quotas, the six resources and the errors of part 7. Assumptions, since the
 * document is silent: credits are charged for answers with 200 only, unless a switch says otherwise; a path or method
 * it does not list is answered with 404 or 405, after the key was checked; arguments are checked before credits, so a
 * mistake costs nothing.
 */
export function createApi(options: ApiOptions): Api {
  const behaviour = options.behaviour ?? behaviourOf();
  const quota = createQuota(options, behaviour);
  const faults = createFaults(options.faults);
  const requests: LoggedRequest[] = [];
  let world = recordedWorld(options.world, behaviour);

  const isAuthorized = (request: ApiRequest): boolean =>
    /^bearer +(.*)$/i.exec(String(request.headers.authorization ?? ''))?.[1] === options.key;

  const answer = (request: ApiRequest, target: Target, now: number): Charged => {
    if (!isAuthorized(request)) {
      return free(failure(401, 'Invalid, expired or revoked key.', { 'www-authenticate': 'Bearer' }));
    }
    const { route } = target;
    if (route === undefined) return free(failure(404, 'NOT_FOUND'));
    if (request.method !== 'GET') return free(failure(405, 'Every operation is a GET.', { allow: 'GET' }));
    const tooFast = quota.enter(now);
    const cost = COST[route.operation];
    if (tooFast !== undefined) {
      const credits = behaviour.refusals.charged ? cost : 0;
      quota.charge(credits, now);
      return { response: refused(tooFast), credits };
    }
    try {
      const work = prepare(target, { world, quota, behaviour, now });
      const unaffordable = quota.afford(cost, now);
      if (unaffordable !== undefined) return free(refused(unaffordable));
      const resource = work();
      if (resource === undefined) return free(failure(404, 'NOT_FOUND'));
      const bad = route.operation === 'signal' ? badDetail(Number(route.id), behaviour) : undefined;
      if (typeof bad === 'number') return free(failure(bad, 'This card cannot be read.'));
      quota.charge(cost, now);
      const response = success(resource);
      return { response: bad === 'unsafe' ? withUnsafeInteger(response) : response, credits: cost };
    } catch (error) {
      if (error instanceof InvalidArgument) return free(failure(422, `Invalid arguments: ${error.message}.`));
      throw error;
    }
  };

  /** A fault comes before everything else, as a broken proxy or an overloaded host would. */
  const answerOrFail = (request: ApiRequest, target: Target, now: number): Charged => {
    const fault = target.route === undefined ? undefined : faults.next(target.route.operation);
    if (target.route === undefined || fault === undefined) return answer(request, target, now);
    if (damagesOnly(fault)) {
      const real = answer(request, target, now);
      return { ...real, response: damaged(real.response, fault) };
    }
    quota.count(now);
    const credits = fault.charge === true ? COST[target.route.operation] : 0;
    quota.charge(credits, now);
    return { response: standIn(fault, request), credits };
  };

  return {
    requests,
    quota,
    addFault: faults.add,
    setWorld: (next) => {
      world = recordedWorld(next, behaviour);
    },
    handle(request) {
      const now = options.now();
      const target = targetOf(request.url);
      const { response: plain, credits } = answerOrFail(request, target, now);
      const response = altered(plain, behaviour, options.key);
      const entry: LoggedRequest = {
        method: request.method,
        path: target.path.startsWith(`${PREFIX}/`) ? target.path.slice(PREFIX.length) : target.path,
        query: target.search,
        status: response.wire === 'reset' || response.wire === 'hang' ? undefined : response.status,
        credits,
        receivedAt: now,
        authorized: isAuthorized(request),
        userAgent: request.headers['user-agent']?.toString(),
      };
      requests.push(entry);
      options.onRequest?.(entry);
      return response;
    },
  };
}

interface Charged {
  readonly response: ApiResponse;
  readonly credits: number;
}

interface Target {
  readonly path: string;
  readonly search: string;
  readonly query: URLSearchParams;
  readonly route: Route | undefined;
}

const free = (response: ApiResponse): Charged => ({ response, credits: 0 });

const refused = ({ reason, retryAfter }: Refusal): ApiResponse =>
  failure(429, `Quota exhausted: ${reason}.`, { 'retry-after': String(retryAfter) });

function targetOf(url: string): Target {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  const search = at === -1 ? '' : url.slice(at);
  return { path, search, query: new URLSearchParams(search), route: routeOf(path) };
}

interface Service {
  readonly world: World;
  readonly quota: Quota;
  readonly behaviour: Behaviour;
  readonly now: number;
}

/**
 * Checks the arguments now; the work itself follows once the credits are known to suffice.
 * @returns work that may find nothing: an id that does not exist, or one of somebody else (the world holds none of those)
 * @throws InvalidArgument, also from the work
 */
function prepare({ route, query }: Target, { world, quota, behaviour, now }: Service): () => object | undefined {
  switch (route?.operation) {
    case 'access':
      return () => access(quota, now);
    case 'snapshot':
      return () => world.snapshot(now);
    case 'screeners':
      return () => world.screeners(now);
    case 'signals': {
      const params = signalsParams(query);
      return () => signalPage(world, params, behaviour, now);
    }
    case 'signal': {
      const id = idParam(route.id ?? '');
      return () => world.detail(id, now);
    }
    case 'stats': {
      const type = query.get('screener_type') ?? undefined;
      return () => world.stats(type, now);
    }
    case undefined:
      return () => undefined;
  }
}

function badDetail(id: number, { badDetails }: Behaviour): number | 'unsafe' | undefined {
  if (badDetails === undefined) return undefined;
  const { ids, share, what } = badDetails;
  return ids.includes(id) || chance(5, id) < share ? what : undefined;
}
