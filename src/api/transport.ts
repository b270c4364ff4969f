/** One GET, from the first byte of the connection to the last of the answer. */
import type { Dispatcher } from 'undici';
import { SECOND } from '../base/units.ts';
import type { Credentials } from '../config/settings.ts';
import { LONGEST_TIMER } from '../runtime/clock.ts';
import type { Env } from '../runtime/directories.ts';
import { isOutOfMemory } from '../runtime/engine.ts';
import type { RawAnswer } from './answer.ts';
import { badAnswer } from './breach.ts';
import { noProxyOf, openDispatcher, proxyVariable } from './dispatcher.ts';
import { NoAnswer, noAnswerOf } from './no-answer.ts';

/** The most bytes of a body. A page of 25 cards has some 20 KB. */
const BODY_CAP = 16 * 1024 * 1024;

interface TransportRequest {
  /** Path with query, relative to the base URL. */
  readonly target: string;
  /** Milliseconds for the exchange: connecting, waiting, reading the body. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Called right before the request leaves. If this throws, the request does not leave. */
  onLeaving(): void;
}

/** @throws NoAnswer, ScreenerError bad_answer, what `onLeaving` throws, the signal's reason */
export type Transport = (request: TransportRequest) => Promise<RawAnswer>;

interface TransportOptions extends Credentials {
  readonly userAgent: string;
  readonly env: Env;
}

/**
 * Each request opens a connection of its own. The service may close a kept connection just when the next request leaves. That
 * request would be lost, and count as possibly charged.
 */
export function createTransport({ baseUrl, key, userAgent, env }: TransportOptions): Transport {
  const base = new URL(baseUrl);
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  const variableName = proxyVariable(base, env);
  const proxyRemark = proxyRemarkOf(variableName, noProxyOf(env));
  return async ({ target, timeout, signal, onLeaving }) => {
    const dispatcher = await openDispatcher(base, variableName, env);
    const end = new ExchangeEnd(signal, timeout, tooLate(timeout, variableName));
    try {
      signal.throwIfAborted();
      const path = `${base.pathname}${target}`;
      const request = { origin: base.origin, path, method: 'GET', headers } as const;
      return await exchange({ dispatcher, request, signal: end.signal, onLeaving, proxyRemark });
    } finally {
      end.clear();
      await dispatcher.destroy();
    }
  };
}

/** ` (HTTPS_PROXY is set)`, which is added to an error of the network: the proxy may be its reason. */
function proxyRemarkOf(variableName: string | undefined, noProxy: string): string {
  if (variableName === undefined) return '';
  return noProxy === '' ? ` (${variableName} is set)` : ` (${variableName} and NO_PROXY are set)`;
}

/** The error of an exchange whose time is over. */
function tooLate(timeout: number, variableName: string | undefined): NoAnswer {
  // A longer --timeout does not help behind a proxy that closes every connection: undici connects again until the time is over.
  // Without a remedy, the user is told what to check between this machine and the service.
  const remedy =
    variableName === undefined
      ? undefined
      : `Check the proxy that ${variableName} names: it may not reach that host.`;
  const text = `no complete answer within ${timeout / SECOND} s`;
  return new NoAnswer(text, { isTimeout: true, remedy });
}

/** Ends one exchange at the program's signal, or when its time is over. */
class ExchangeEnd {
  readonly #program: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;

  /** @param timeout milliseconds @param late the reason that `signal` has if the time is over */
  constructor(program: AbortSignal, timeout: number, late: NoAnswer) {
    this.#program = program;
    this.#stop = () => this.#controller.abort(program.reason);
    // `clear` removes the listener: otherwise `signals watch` would keep a listener for each request that it ever made.
    program.addEventListener('abort', this.#stop);
    const end = () => this.#controller.abort(late);
    // When the machine wakes up from sleep, the timer fires first, although an answer may already wait to be read. With
    // `setImmediate` that answer is read before the exchange ends.
    this.#timer = setTimeout(() => setImmediate(end), Math.min(timeout, LONGEST_TIMER));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#program.removeEventListener('abort', this.#stop);
  }
}

/** What one exchange needs. */
interface Exchange {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly signal: AbortSignal;
  readonly proxyRemark: string;
  onLeaving(): void;
}

/** Makes one exchange. undici's dispatcher tells when the request leaves: from then on a credit may be spent. */
function exchange({
  dispatcher,
  request,
  signal,
  proxyRemark,
  onLeaving,
}: Exchange): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: RawAnswer['headers'] = {};
    const body = new BodyBuffer();
    signal.addEventListener('abort', () => reject(signal.reason));
    dispatcher.dispatch(request, {
      onRequestStart() {
        try {
          onLeaving();
        } catch (error) {
          reject(error);
          throw error;
        }
      },
      onResponseStart(_controller, statusCode, fields) {
        status = statusCode;
        headers = fields;
      },
      onResponseData(_controller, chunk) {
        if (body.size + chunk.length > BODY_CAP) {
          const what = `it is larger than ${BODY_CAP / 1024 / 1024} MB`;
          // `moment`: the next request may get a smaller answer.
          reject(badAnswer(what, { scope: 'moment' }));
          return;
        }
        body.add(chunk);
      },
      onResponseEnd() {
        resolve({ status, headers, body: body.bytes() });
      },
      onResponseError(_controller, cause) {
        // Memory that ran out is no fault of the network.
        reject(isOutOfMemory(cause) ? cause : noAnswerOf(cause, proxyRemark));
      },
    });
  });
}

/** Collects the bytes of a body. The buffer doubles when it is full, so that many small chunks cost little. */
class BodyBuffer {
  size = 0;
  #room = new Uint8Array(0);

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.length;
    if (size > this.#room.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#room.length));
      larger.set(this.bytes());
      this.#room = larger;
    }
    this.#room.set(chunk, this.size);
    this.size = size;
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.size);
  }
}
