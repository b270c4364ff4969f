/**
 * Prepared answers, served as the sandbox serves its own: for what it does not say. All is well until a test says
 * otherwise. It notes every request, and counts credits by the document's prices.
 */
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { signalPage, signalsParams } from '../../src/sandbox/answers.ts';
import { type ApiRequest, type ApiResponse, reply } from '../../src/sandbox/response.ts';
import { serve } from '../../src/sandbox/sandbox.ts';
import { OPERATIONS, operationAt, templateOf } from './operations.ts';
import * as samples from './samples.ts';
import { worldOf } from './sandbox.ts';

export const PREFIX = '/api/external/v1';
export const KEY = 'sk_test_0123456789abcdefSECRET';

export interface Recorded extends Pick<ApiRequest, 'method' | 'headers'> {
  /** Relative to the base URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** By the server's clock, epoch milliseconds UTC. */
  readonly at: number;
  /** When the answer was complete. */
  answeredAt: number | undefined;
}

export interface Answer extends Partial<ApiResponse> {
  /** The first byte comes when this has happened. */
  readonly after?: Promise<unknown>;
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
export function failure(
  status: number,
  retryAfter?: string | number,
  errors = `E${status}`,
): Answer {
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  return {
    status,
    body: JSON.stringify({ hasError: true, response: null, errors }),
    ...(headers && { headers }),
  };
}

/** `/signals` over a list of cards, as the sandbox lists them. */
export function listing(
  cards: readonly samples.Json[],
): (request: Pick<Recorded, 'query'>) => Answer {
  const world = worldOf(cards as unknown as SignalDetail[]);
  return ({ query }) => {
    try {
      const params = signalsParams(new URLSearchParams(query));
      const page = signalPage(world, { ...params, since: params.since ?? 0 }, Date.now());
      const { since = '2026-10-21T18:00:00Z', until = '2026-11-20T18:00:00Z' } = query;
      return ok({ ...page, since, until, page_note: 'not in the document' });
    } catch {
      return failure(422);
    }
  };
}

export class ApiServer {
  readonly requests: Recorded[] = [];
  /** Credits of requests answered with 200. */
  credits = 0;
  /** Any other is refused with 401. */
  key = KEY;
  now: () => number = Date.now;
  baseUrl = '';
  port = 0;
  /** What a program needs to use this server. */
  env: Record<string, string> = {};
  close = async (): Promise<void> => {};
  readonly #steady = new Map<string, Responder>();
  readonly #queued = new Map<string, Answer[]>();
  readonly #watchers = new Set<() => void>();

  static async start(): Promise<ApiServer> {
    const server = new ApiServer();
    server.allIsWell();
    const served = await serve((request) => server.#answer(request));
    const { baseUrl } = served;
    const env = { SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: KEY };
    return Object.assign(server, served, { port: Number(new URL(baseUrl).port), env });
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
    return this.requests.filter(
      (request) => request.path === path || templateOf(request.path) === path,
    );
  }

  /** Resolves as soon as so many requests have come. */
  asked(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => this.requests.length >= count && resolve();
      this.#watchers.add(look);
      look();
    });
  }

  /** The account has these cards; those of the samples have outcomes, too. */
  holds(cards: readonly samples.Json[]): this {
    return this.always('/signals', listing(cards)).always('/signals/{id}', ({ path }) => {
      const id = Number(path.slice('/signals/'.length));
      const card = cards.find((card) => card.id === id);
      return card === undefined ? failure(404) : ok({ ...samples.nthDetail(9000 - id), ...card });
    });
  }

  /** Every operation answers as it should, over 60 cards. */
  allIsWell(): void {
    this.#queued.clear();
    this.#steady.clear();
    for (const { path, sample } of OPERATIONS) this.always(path, ok(sample));
    this.holds(samples.cards(60));
    // Of the type that was asked for.
    const stats = samples.stats();
    this.always('/signal-stats', ({ query }) =>
      ok({ ...stats, screener_type: query.screener_type ?? stats.screener_type }),
    );
  }

  async #answer({ method, url, headers }: ApiRequest): Promise<ApiResponse> {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = pathname.replace(PREFIX, '');
    const query = Object.fromEntries(searchParams);
    const recorded: Recorded = {
      method,
      path,
      query,
      headers,
      at: this.now(),
      answeredAt: undefined,
    };
    this.requests.push(recorded);
    for (const look of this.#watchers) look();
    const { after, ...answer } = await this.#answerTo(recorded);
    await after;
    recorded.answeredAt = this.now();
    const date = new Date(this.now()).toUTCString();
    const whole = reply(200, '');
    const response = {
      ...whole,
      ...answer,
      headers: { ...whole.headers, date, ...answer.headers },
    };
    if (response.status === 200 && response.delivery === 'whole')
      this.credits += operationAt(path)?.cost ?? 1;
    return response;
  }

  async #answerTo(recorded: Recorded): Promise<Answer> {
    if (recorded.headers.authorization !== `Bearer ${this.key}`) return failure(401);
    const queues = [recorded.path, templateOf(recorded.path)].map(
      (path) => this.#queued.get(path) ?? [],
    );
    return (
      queues.find((queue) => queue.length > 0)?.shift() ?? this.steady(recorded.path)(recorded)
    );
  }
}
