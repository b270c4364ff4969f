/**
 * A small server of the API for tests, written from the API document alone: it shares no code and no thought with the
 * program or its sandbox. Every answer is prepared by the test; it notes every request, holds each against the
 * document, and counts credits by the document's prices.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationAt, templateOf } from './operations.ts';

export const PREFIX = '/api/external/v1';
export const KEY = 'sk_test_0123456789abcdefSECRET';

export interface Recorded {
  readonly method: string;
  /** Relative to the base URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: http.IncomingHttpHeaders;
  /** By the server's clock, epoch milliseconds UTC. */
  readonly at: number;
  /** When the answer was complete. */
  answeredAt: number | undefined;
  status: number | undefined;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** The first byte comes when this has happened. */
  readonly after?: Promise<unknown>;
  /** Hang up: before any byte, after the head, or after so many bytes of the body. */
  readonly cut?: 'at once' | 'after head' | number;
}

/** What never happens: for answers that do not come. */
export const NEVER = new Promise<never>(() => {});

/** Something that a test lets happen. */
export function event(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

type Responder = (request: Recorded) => Answer | Promise<Answer>;

/** 200 with the resource in an Envelope. */
export function ok(response: unknown): Answer {
  return { body: JSON.stringify({ hasError: false, response, errors: null }) };
}

/** An error answer of part 7. */
export function failure(status: number, retryAfter?: string | number, errors = `E${status}`): Answer {
  return {
    status,
    body: JSON.stringify({ hasError: true, response: null, errors }),
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  };
}

export class ApiServer {
  readonly requests: Recorded[] = [];
  /** What was wrong with requests: unprepared ones, and what the document does not allow. */
  readonly violations: string[] = [];
  /** Credits of requests answered with 200. */
  credits = 0;
  key = KEY;
  now: () => number = Date.now;
  port = 0;
  readonly #server: http.Server;
  readonly #steady = new Map<string, Responder>();
  readonly #queued = new Map<string, Answer[]>();
  readonly #watchers = new Set<() => void>();

  private constructor() {
    this.#server = http.createServer((request, response) => {
      // Its clock is often another one than the test's.
      response.sendDate = false;
      void this.#handle(request, response);
    });
  }

  static async start(): Promise<ApiServer> {
    const server = new ApiServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}${PREFIX}`;
  }

  /** What a program needs to use this server. */
  get env(): Record<string, string> {
    return { SCREENER_BASE_URL: this.baseUrl, SCREENER_API_KEY: this.key };
  }

  /** Answers every request to `path`: exact, or `/signals/{id}` for any id. */
  always(path: string, answer: Answer | Responder): this {
    this.#steady.set(path, typeof answer === 'function' ? answer : () => answer);
    return this;
  }

  /** Answers the next requests to `path`, one each, before what `always` says. */
  next(path: string, ...answers: Answer[]): this {
    this.#queued.set(path, [...(this.#queued.get(path) ?? []), ...answers]);
    return this;
  }

  /** What `always` says of `path`. */
  steady(path: string): Responder {
    return this.#steady.get(path) ?? this.#steady.get(templateOf(path)) ?? (() => failure(404));
  }

  /** Requests to `path`, exact or by template. */
  to(path: string): Recorded[] {
    return this.requests.filter((request) => request.path === path || templateOf(request.path) === path);
  }

  /** Resolves as soon as so many requests have come. */
  asked(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.requests.length < count) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Begins anew on the same port. */
  reset(): void {
    this.requests.length = 0;
    this.violations.length = 0;
    this.credits = 0;
    this.#steady.clear();
    this.#queued.clear();
  }

  /** @throws where anything was asked that was not prepared, or that the document does not allow */
  check(): void {
    if (this.violations.length > 0) throw new Error(`The server was asked wrongly:\n${this.violations.join('\n')}`);
  }

  /** Also when it is closed already. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const recorded: Recorded = {
      method: request.method ?? '',
      path: url.pathname.startsWith(PREFIX) ? url.pathname.slice(PREFIX.length) : url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      at: this.now(),
      answeredAt: undefined,
      status: undefined,
    };
    this.requests.push(recorded);
    for (const look of this.#watchers) look();
    this.#holdAgainstDocument(recorded, url);
    const answer = await this.#answerTo(recorded);
    await answer.after;
    recorded.answeredAt = this.now();
    recorded.status = answer.status ?? 200;
    if (recorded.status === 200 && answer.cut === undefined) this.credits += operationAt(recorded.path)?.cost ?? 1;
    send(answer, response);
  }

  async #answerTo(recorded: Recorded): Promise<Answer> {
    if (recorded.headers.authorization !== `Bearer ${this.key}`) return failure(401);
    const template = templateOf(recorded.path);
    for (const path of [recorded.path, template]) {
      const queued = this.#queued.get(path)?.shift();
      if (queued !== undefined) return queued;
    }
    const steady = this.#steady.get(recorded.path) ?? this.#steady.get(template);
    if (steady !== undefined) return steady(recorded);
    this.violations.push(`nobody prepared ${recorded.method} ${recorded.path}`);
    return failure(500, undefined, 'nobody prepared this');
  }

  /** Parts 4 and 5: GET, the listed parameters and their ranges, a bearer key, no body. */
  #holdAgainstDocument({ method, path, query, headers }: Recorded, url: URL): void {
    const wrong = (what: string) => this.violations.push(`${method} ${url.pathname}${url.search}: ${what}`);
    if (method !== 'GET') wrong('is no GET');
    if (!url.pathname.startsWith(`${PREFIX}/`)) wrong('lies outside of the prefix');
    if (!/^Bearer \S+$/.test(headers.authorization ?? '')) wrong('has no bearer key');
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) wrong('has a body');
    if (!/^screener\//.test(headers['user-agent'] ?? '')) wrong('has a strange User-Agent');
    const allowed = operationAt(path)?.parameters;
    if (allowed === undefined) return;
    for (const name of url.searchParams.keys()) {
      const rule = allowed[name];
      if (rule === undefined) wrong(`has the parameter ${name}`);
      else if (!rule(query[name] ?? '')) wrong(`has ${name} out of its range`);
      if (url.searchParams.getAll(name).length > 1) wrong(`has ${name} twice`);
    }
  }
}

function send(answer: Answer, response: http.ServerResponse): void {
  const { status = 200, headers = {}, body = '', cut } = answer;
  if (cut === 'at once') {
    response.socket?.destroy();
    return;
  }
  const bytes = Buffer.from(body);
  const all: Record<string, string> = { 'Content-Type': 'application/json', ...headers };
  if (cut !== undefined || !('Transfer-Encoding' in all)) all['Content-Length'] ??= String(bytes.length);
  response.writeHead(status, all);
  if (cut === undefined) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  // What was written arrives before the end does.
  if (cut === 'after head') response.socket?.destroySoon();
  else response.write(bytes.subarray(0, cut), () => response.socket?.destroySoon());
}
