import type { Fault } from './faults.ts';
import { type ApiRequest, type ApiResponse, failure, reply } from './response.ts';

// Part 7 of the API document; 500, 502 and 504 are not listed there but happen on every network.
const CONDITIONS: Readonly<Record<number, string>> = {
  401: 'Invalid, expired or revoked key.',
  403: 'Active verified PRO required.',
  404: 'NOT_FOUND',
  422: 'Invalid arguments.',
  429: 'Shared account quota or global capacity exhausted.',
  500: 'Internal server error.',
  502: 'Bad gateway.',
  503: 'Service disabled or temporarily unavailable.',
  504: 'Gateway timeout.',
};

/** Whether the request is worked off and charged as usual and only its answer damaged, or a stand-in answers. */
export function damagesOnly(fault: Fault): boolean {
  if (fault.what === 200) return fault.body === undefined;
  return (
    fault.what === 'truncate' || fault.what === 'drip' || fault.what === 'wrong-type' || fault.what === 'reset-after'
  );
}

/** The answer of a fault that stands in for the real one. */
export function standIn(fault: Fault, request: ApiRequest): ApiResponse {
  return withOptions(plainStandIn(fault, request), fault);
}

function plainStandIn({ what }: Fault, request: ApiRequest): ApiResponse {
  switch (what) {
    case 'html':
      return reply(200, '<!doctype html><title>Maintenance</title><p>Back soon.', { 'content-type': 'text/html' });
    case 'empty':
      return reply(200, '');
    case 'garbage':
      return reply(200, 'this is not JSON');
    case 'has-error':
      return { ...failure(503, CONDITIONS[503] ?? ''), status: 200 };
    case 'redirect':
      return reply(302, '', { location: elsewhere(request) });
    case 'reset':
    case 'hang':
      return { ...reply(200, ''), wire: what };
    default:
      return typeof what === 'number' && what !== 200 ? failure(what, CONDITIONS[what] ?? '') : reply(200, '');
  }
}

/** The real answer, damaged. */
export function damaged(response: ApiResponse, fault: Fault): ApiResponse {
  return withOptions(plainDamaged(response, fault), fault);
}

function plainDamaged(response: ApiResponse, { what }: Fault): ApiResponse {
  switch (what) {
    case 'truncate':
      return { ...response, wire: 'truncate' };
    case 'drip':
      return { ...response, wire: 'drip', delay: 200 };
    case 'reset-after':
      return { ...response, wire: 'reset' };
    case 'wrong-type':
      return { ...response, body: JSON.stringify(spoil(JSON.parse(response.body))) };
    default:
      return response;
  }
}

function withOptions(response: ApiResponse, { retryAfter, delay, body }: Fault): ApiResponse {
  const headers = retryAfter === undefined ? response.headers : { ...response.headers, 'retry-after': retryAfter };
  return { ...response, headers, delay: delay ?? response.delay, body: body ?? response.body };
}

/** Another origin that still is this machine: whoever follows is seen in the log, and the key goes nowhere. */
function elsewhere({ headers }: ApiRequest): string {
  const port = /:(\d+)$/.exec(String(headers.host ?? ''))?.[1];
  return `http://localhost${port === undefined ? '' : `:${port}`}/redirected`;
}

/** Turns the last number found deepest inside `response` into text, or the whole of it where it holds none. */
function spoil(envelope: { response: unknown }): unknown {
  const place = deepestNumber(envelope.response, 0);
  if (place === undefined) return { ...envelope, response: [] };
  place.owner[place.key] = `${place.owner[place.key]} or so`;
  return envelope;
}

interface Place {
  readonly owner: Record<string, unknown>;
  readonly key: string;
  readonly depth: number;
}

function deepestNumber(value: unknown, depth: number): Place | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const owner = value as Record<string, unknown>;
  let best: Place | undefined;
  for (const key of Object.keys(owner)) {
    const place = typeof owner[key] === 'number' ? { owner, key, depth } : deepestNumber(owner[key], depth + 1);
    if (place !== undefined && (best === undefined || place.depth >= best.depth)) best = place;
  }
  return best;
}
