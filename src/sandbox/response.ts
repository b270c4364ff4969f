export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire: 'whole' | 'truncate' | 'reset' | 'hang';
  /** Milliseconds before the answer. */
  readonly delay: number;
  readonly credits: number;
}

export function success(response: object, credits: number): ApiResponse {
  return { ...reply(200, JSON.stringify({ hasError: false, response, errors: null })), credits };
}

export function failure(status: number, errors: string, headers: Record<string, string> = {}): ApiResponse {
  const answer = reply(status, JSON.stringify({ hasError: true, response: null, errors }));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function reply(status: number, body: string): ApiResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body, wire: 'whole', delay: 0, credits: 0 };
}
