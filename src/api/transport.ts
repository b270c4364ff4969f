import type { Dispatcher } from 'undici';
import { badAnswer } from './bad-answer.ts';
import { troubleOf } from './connection-trouble.ts';
import { openWire, type Wire } from './dispatcher.ts';
import type { Env } from './proxy.ts';
import { AnswerLost, NotSent } from './transport-errors.ts';

/** Bytes; a page of 25 cards is some 20 KB. */
const BODY_CAP = 16 * 1024 * 1024;

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, several values joined with ", ". */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface Transport {
  /**
   * @param target path with query, relative to the base URL
   * @param timeout milliseconds for everything: connecting, waiting, reading the body
   * @param onLeaving called right before the request leaves, which it does not where this throws
   * @throws NotSent, AnswerLost, ScreenerError bad_answer, what `onLeaving` throws, the signal's reason
   */
  get(target: string, timeout: number, signal: AbortSignal, onLeaving: () => void): Promise<RawAnswer>;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly userAgent: string;
  readonly env: Env;
}

/** No connection is kept: a request lost on a closing one would count as possibly charged. */
export function createTransport({ baseUrl, key, userAgent, env }: TransportOptions): Transport {
  const { origin, pathname } = new URL(baseUrl);
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  return {
    async get(target, timeout, signal, onLeaving) {
      signal.throwIfAborted();
      const wire = await openWire(new URL(baseUrl), env);
      try {
        const request = { origin, path: `${pathname}${target}`, method: 'GET', headers } as const;
        return await exchange(wire, request, timeout, signal, onLeaving);
      } finally {
        await wire.dispatcher.destroy();
      }
    },
  };
}

/** The bare dispatcher says when a request has left: from then on a credit may be spent. */
function exchange(
  { dispatcher, proxyVariable }: Wire,
  request: Dispatcher.DispatchOptions,
  timeout: number,
  signal: AbortSignal,
  onLeaving: () => void,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let hasLeft = false;
    let status = 0;
    let headers: ReadonlyMap<string, string> = new Map();
    const body = new ArrayBuffer(0, { maxByteLength: BODY_CAP });

    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const timer = setTimeout(() => {
      const Failure = hasLeft ? AnswerLost : NotSent;
      fail(new Failure(`No complete answer within ${timeout / 1000} s.`, { timedOut: true }));
    }, timeout);
    signal.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart() {
        try {
          onLeaving();
        } catch (error) {
          fail(error);
          throw error;
        }
        hasLeft = true;
      },
      onResponseStart(_controller, statusCode, fields) {
        status = statusCode;
        headers = collectHeaders(fields);
      },
      onResponseData(_controller, chunk) {
        const size = body.byteLength;
        if (size + chunk.length > BODY_CAP) {
          fail(badAnswer(`The answer is larger than ${BODY_CAP / 1024 / 1024} MB`));
          return;
        }
        body.resize(size + chunk.length);
        new Uint8Array(body).set(chunk, size);
      },
      onResponseEnd() {
        end();
        resolve({ status, headers, body: new Uint8Array(body.slice()) });
      },
      onResponseError(_controller, cause) {
        const { what, ...trouble } = troubleOf(cause);
        if (hasLeft) {
          fail(new AnswerLost(`The connection failed before the answer was complete: ${what}`, { cause }));
          return;
        }
        const by = proxyVariable ? ` (by way of the proxy in ${proxyVariable})` : '';
        fail(new NotSent(`${what}${by}`, { cause, ...trouble }));
      },
    });
  });
}

function collectHeaders(fields: Record<string, string | string[] | undefined>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
