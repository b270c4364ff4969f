import type { Dispatcher } from 'undici';
import type { Settings } from '../config/settings.ts';
import { isOutOfMemory } from '../runtime/engine.ts';
import type { RawAnswer } from './answer.ts';
import { badAnswer } from './breach.ts';
import { type Env, noProxyOf, openDispatcher, proxyVariable } from './dispatcher.ts';
import { NoAnswer, noAnswerOf } from './no-answer.ts';

/** Bytes; a page of 25 cards is some 20 KB. */
const BODY_CAP = 16 * 1024 * 1024;

/**
 * @param target path with query, relative to the base URL
 * @param timeout milliseconds for everything: connecting, waiting, reading the body
 * @param onLeaving called right before the request leaves, which it does not where this throws
 * @throws NoAnswer, ScreenerError bad_answer, what `onLeaving` throws, the signal's reason
 */
export type Transport = (
  target: string,
  timeout: number,
  signal: AbortSignal,
  onLeaving: () => void,
) => Promise<RawAnswer>;

/** No connection is kept: a request lost on a closing one would count as possibly charged. */
export function createTransport({
  baseUrl,
  key,
  userAgent,
  env,
}: Settings & { userAgent: string; env: Env }): Transport {
  const base = new URL(baseUrl);
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  const variable = proxyVariable(base, env);
  const set = noProxyOf(env) ? 'and NO_PROXY are set' : 'is set';
  const hint = variable === undefined ? '' : ` (${variable} ${set})`;
  return async (target, timeout, signal, onLeaving) => {
    const dispatcher = await openDispatcher(base, variable, env);
    // One signal a request: what listens to the program's own would be kept for as long as a watch runs.
    const stopped = new AbortController();
    const stop = () => stopped.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const text = `no complete answer within ${timeout / 1000} s`;
    // A proxy that closes every connection would take as long each time.
    const remedy =
      variable && `Check the proxy that ${variable} names: it may not reach that host.`;
    const error = new NoAnswer(text, { isTimeout: true, remedy });
    // Reads first what came while the process was suspended.
    const timer = setTimeout(() => setImmediate(() => stopped.abort(error)), timeout);
    try {
      signal.throwIfAborted();
      const request = {
        origin: base.origin,
        path: `${base.pathname}${target}`,
        method: 'GET',
        headers,
      } as const;
      return await exchange(dispatcher, request, stopped.signal, onLeaving, hint);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      await dispatcher.destroy();
    }
  };
}

/** The bare dispatcher says when a request leaves: from then on a credit may be spent. */
function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  onLeaving: () => void,
  hint: string,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: RawAnswer['headers'] = {};
    const body = new Body();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
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
          reject(badAnswer(`it is larger than ${BODY_CAP / 1024 / 1024} MB`));
          return;
        }
        body.add(chunk);
      },
      onResponseEnd() {
        resolve({ status, headers, body: body.bytes() });
      },
      onResponseError(_controller, cause) {
        // No network is to blame if memory ran out.
        reject(isOutOfMemory(cause) ? cause : noAnswerOf(cause, hint));
      },
    });
  });
}

/** Bytes as they come, however small the chunks: the room for them doubles where it is too small. */
class Body {
  size = 0;
  #room = new Uint8Array(64 * 1024);

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
