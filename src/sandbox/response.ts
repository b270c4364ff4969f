import { CONDITIONS } from '../api/statuses.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `truncate`: the connection ends after half of the body; `reset`: before the first byte; `hang`: nothing comes. */
  readonly wire: 'whole' | 'truncate' | 'reset' | 'hang';
  /** Milliseconds before the answer. */
  readonly delay: number;
  /** What it costs. */
  readonly credits: number;
}

/** Part 7 of the API document; 500, 502 and 504 are not listed there but happen on every network. */
export const ERRORS: Readonly<Record<number, string>> = {
  ...CONDITIONS,
  500: 'Internal server error.',
  502: 'Bad gateway.',
  504: 'Gateway timeout.',
};

export class Refusal extends Error {
  readonly response: ApiResponse;

  /** @param retryAfter seconds */
  constructor(status: number, errors: string, retryAfter?: number) {
    super(errors);
    this.response = failure(status, errors, retryAfter);
  }
}

export function failure(status: number, errors = ERRORS[status], retryAfter?: number): ApiResponse {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return reply(status, JSON.stringify({ hasError: true, response: null, errors }), headers);
}

export function reply(
  status: number,
  body: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): ApiResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...extraHeaders };
  return { status, headers, body, wire: 'whole', delay: 0, credits: 0 };
}
