import type { Access } from '../api/contract/resources.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../api/operations.ts';
import { formatApiTime } from '../api/time.ts';
import { PATH_PREFIX } from '../config/credentials.ts';
import { invalid, signalPage, signalsParams, statsOf } from './answers.ts';
import type { Faults } from './faults.ts';
import { nextMonth, type Quota } from './quota.ts';
import { type ApiRequest, type ApiResponse, failure, Refusal, reply } from './response.ts';
import type { World } from './world.ts';

export const SANDBOX_KEY = 'sandbox-key';

export interface ApiOptions {
  readonly world: World;
  readonly quota: Quota;
  readonly list?: typeof signalPage | undefined;
  /** The first that meets a request wins. */
  readonly faults?: readonly Faults[];
  readonly now: () => number;
  readonly onRequest?: (entry: LoggedRequest) => void;
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

/**
 * The API of the document: key, parameters, quotas, resources and the errors of part 7. Assumptions, since the document
 * is silent: credits are charged for answers with 200 only; a path or method it does not list is answered with 404 or
 * 405, after the key was checked; arguments are checked before credits, so a mistake costs nothing.
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
    const [whole = '', query = ''] = request.url.split(/(?=\?)/);
    const path = whole.replace(PATH_PREFIX, '');
    const template = whole.replace(/(?<=\/signals\/)[^/]+$/, '{id}');
    const operation = OPERATION_NAMES.find(
      (name) => PATH_PREFIX + OPERATIONS[name].path === template,
    );
    const asked = {
      world,
      quota,
      list,
      now,
      query: new URLSearchParams(query),
      id: path.split('/')[2] ?? '',
    };
    const real = () => answer(asked, request, operation);
    // A fault comes before everything else, as a broken proxy or an overloaded host would.
    const [fault] =
      operation === undefined ? [] : faults.flatMap((meets) => meets(operation) ?? []);
    const response = fault === undefined ? real() : fault(real);
    const { credits, wire } = response;
    quota.charge(credits, now);
    const status = wire === 'reset' || wire === 'hang' ? undefined : response.status;
    onRequest?.({ method: request.method, path, query, status, credits, receivedAt: now });
    return response;
  };
}

interface Asked extends Pick<ApiOptions, 'world' | 'quota'> {
  readonly list: typeof signalPage;
  readonly now: number;
  readonly query: URLSearchParams;
  readonly id: string;
}

/** The resource; undefined for an id that does not exist. @throws Refusal */
const ANSWERS: Readonly<Record<OperationName, (asked: Asked) => object | undefined>> = {
  access: ({ quota, now }) => accessOf(quota, now),
  snapshot: ({ world, now }) => world.snapshot(now),
  screeners: ({ world, now }) => world.screeners(now),
  signals: ({ world, list, now, query }) => list(world, signalsParams(query), now),
  signal({ world, now, id }) {
    if (!/^\d*[1-9]\d*$/.test(id)) throw invalid('id must be a positive integer');
    return world.detail(Number(id), now);
  },
  stats: ({ world, now, query }) => statsOf(world, query.get('screener_type') ?? undefined, now),
};

function answer(
  asked: Asked,
  { method, headers }: ApiRequest,
  operation: OperationName | undefined,
): ApiResponse {
  const [, key] = /^bearer +(.*)$/i.exec(String(headers.authorization ?? '')) ?? [];
  if (key !== SANDBOX_KEY) return failure(401);
  if (operation === undefined) return failure(404);
  if (method !== 'GET') return failure(405, 'Every operation is a GET.');
  const { cost } = OPERATIONS[operation];
  try {
    asked.quota.enter(asked.now);
    const resource = ANSWERS[operation](asked);
    asked.quota.afford(cost, asked.now);
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
    // The sandbox's own names: the document shows none.
    operations: Object.keys(ANSWERS),
    ...quota.allowances,
  };
}
