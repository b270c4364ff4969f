/** Requests and answers of the sandbox, without a connection. */
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
  /**
   * How the answer is sent. `truncate`: the connection ends after half of the body. `reset`: it ends before the first byte. `hang`:
   * nothing is sent.
   */
  readonly delivery: 'whole' | 'truncate' | 'reset' | 'hang';
  /** Milliseconds before the answer. */
  readonly delay: number;
  /** The credits that the answer costs. */
  readonly credits: number;
}

/** Texts of errors by status: those of part 7 of the API document, and three that proxies and hosts send. */
export const ERROR_TEXTS: Readonly<Record<number, string>> = {
  ...CONDITIONS,
  500: 'Internal server error.',
  502: 'Bad gateway.',
  504: 'Gateway timeout.',
};

/** Thrown to answer with a status other than 200. */
export class Refusal extends Error {
  readonly response: ApiResponse;

  /** @param retryAfter seconds */
  constructor(status: number, text: string, retryAfter?: number) {
    super(text);
    this.response = failure(status, text, retryAfter);
  }
}

/** An error as part 7 of the API document describes it. @param retryAfter seconds */
export function failure(
  status: number,
  text = ERROR_TEXTS[status],
  retryAfter?: number,
): ApiResponse {
  // `errors` is the API's name for one text.
  const body = JSON.stringify({ hasError: true, response: null, errors: text });
  return reply(status, body, retryAfterHeader(retryAfter));
}

/** The header Retry-After. @param seconds a number, or the text of a fault option; undefined for no such header */
export function retryAfterHeader(seconds: number | string | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** An answer that is sent whole, at once, and costs nothing. */
export function reply(
  status: number,
  body: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): ApiResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...extraHeaders };
  return { status, headers, body, delivery: 'whole', delay: 0, credits: 0 };
}
