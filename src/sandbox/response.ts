export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

type Wire = 'whole' | 'truncate' | 'reset' | 'hang';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire: Wire;
  /** Milliseconds before the answer. */
  readonly delay: number;
  readonly credits: number;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function success(response: object, credits: number): ApiResponse {
  return { ...reply(200, JSON.stringify({ hasError: false, response, errors: null })), credits };
}

export function failure(status: number, errors: string, headers: Record<string, string> = {}): ApiResponse {
  return reply(status, JSON.stringify({ hasError: true, response: null, errors }), headers);
}

export function reply(status: number, body: string, headers: Record<string, string> = {}): ApiResponse {
  return { status, headers: { ...JSON_TYPE, ...headers }, body, wire: 'whole', delay: 0, credits: 0 };
}
