/** What the API sees of a request. Header names are lower case, as node gives them. */
export interface ApiRequest {
  readonly method: string;
  /** Path with query, as in the request line. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How the answer goes over the wire; only faults ask for anything but `whole`. */
type Wire = 'whole' | 'truncate' | 'drip' | 'reset' | 'hang';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire: Wire;
  /** Milliseconds before the answer (for `drip`: between two bytes). */
  readonly delay: number;
  /** Charged for it. */
  readonly credits: number;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** The Envelope of part 2 around a resource. */
export function success(response: object, credits: number): ApiResponse {
  return { ...reply(200, JSON.stringify({ hasError: false, response, errors: null })), credits };
}

/** The Envelope of part 2 around an error text; the text's format is not in the document. */
export function failure(status: number, errors: string, headers: Record<string, string> = {}): ApiResponse {
  return reply(status, JSON.stringify({ hasError: true, response: null, errors }), headers);
}

export function reply(status: number, body: string, headers: Record<string, string> = {}): ApiResponse {
  return { status, headers: { ...JSON_TYPE, ...headers }, body, wire: 'whole', delay: 0, credits: 0 };
}
