import type { Dispatcher } from 'undici';
import { monotonic } from '../runtime/clock.ts';
import { BODY_CAP, Body } from './body.ts';
import { troubleOf } from './connection-trouble.ts';
import { openWire, type Wire } from './dispatcher.ts';
import { AnswerLost, NotSent, TooLarge } from './transport-errors.ts';
import { SocketUse } from './used-socket.ts';

/** An answer as it came over the wire: neither decoded nor checked. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; a header that came several times has its values joined with ", ". */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Sends a GET once: no retry, no redirect, no look at the content. */
export interface Transport {
  /**
   * @param target path with query, relative to the base URL
   * @param timeout milliseconds for everything: connecting, waiting, reading the body
   * @param repeatable whether it may be sent again where a connection that was used before broke without a byte of an
   *   answer: most likely the server had closed it, and never saw the request
   * @throws NotSent, AnswerLost, TooLarge; the signal's reason when aborted
   */
  get(target: string, timeout: number, signal: AbortSignal, repeatable?: boolean): Promise<RawAnswer>;
  close(): Promise<void>;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly userAgent: string;
  /** The environment: only the proxy variables are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createTransport(options: TransportOptions): Transport {
  const base = new URL(options.baseUrl);
  const headers = {
    authorization: `Bearer ${options.key}`,
    accept: 'application/json',
    'user-agent': options.userAgent,
  };
  let opening: Promise<Wire> | undefined;
  return {
    async get(target, timeout, signal, repeatable = false) {
      signal.throwIfAborted();
      const request = { origin: base.origin, path: `${base.pathname}${target}`, method: 'GET', headers } as const;
      const started = monotonic();
      opening ??= openWire(base, options.env);
      const wire = await opening;
      try {
        return await exchange(wire, request, timeout, signal);
      } catch (error) {
        if (!repeatable || !(error instanceof AnswerLost) || !error.onUsedConnection) throw error;
        // The server may have closed the other connections by now as well.
        if ((await opening) === wire) {
          opening = openWire(base, options.env);
          wire.dispatcher.close().catch(() => {});
        }
        const left = Math.max(1, timeout - (monotonic() - started));
        return await exchange(await opening, request, left, signal).catch((again) => {
          throw again instanceof NotSent ? error : again;
        });
      }
    },
    async close() {
      const wire = await opening?.catch(() => undefined);
      await wire?.dispatcher.destroy();
    },
  };
}

/**
 * The bare dispatcher interface instead of `request()`: it says when a request has left, which decides whether its
 * credit may be spent.
 */
function exchange(
  { dispatcher, proxyVariable }: Wire,
  request: Dispatcher.DispatchOptions,
  timeout: number,
  signal: AbortSignal,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    const socket = new SocketUse();
    let settled = false;
    let status = 0;
    let headers: ReadonlyMap<string, string> = new Map();
    const body = new Body();

    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const fail = (error: unknown) => {
      settle(() => reject(error));
      controller?.abort(error instanceof Error ? error : new Error('aborted'));
    };
    const onAbort = () => fail(signal.reason);
    const timer = setTimeout(() => {
      const message = `No complete answer within ${timeout / 1000} s.`;
      fail(
        controller === undefined
          ? new NotSent(message, undefined, { timedOut: true })
          : new AnswerLost(message, undefined, true),
      );
    }, timeout);
    signal.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        socket.starts();
        // The caller gave up while undici was connecting: the request must not leave now.
        if (settled) started.abort(new Error('given up'));
      },
      onResponseStart(_controller, statusCode, fields) {
        status = statusCode;
        headers = collectHeaders(fields);
      },
      onResponseData(_controller, chunk) {
        if (!body.add(chunk)) fail(new TooLarge(`The answer is larger than ${BODY_CAP / 1024 / 1024} MB`));
      },
      onResponseEnd() {
        settle(() => resolve({ status, headers, body: body.bytes() }));
      },
      onResponseError(_controller, error) {
        const { what, ...trouble } = troubleOf(error);
        if (controller === undefined) {
          const by = proxyVariable && !trouble.isLocal ? ` (by way of the proxy in ${proxyVariable})` : '';
          fail(new NotSent(`${what}${by}`, error, trouble));
          return;
        }
        const lost = `The connection failed before the answer was complete: ${what}`;
        fail(new AnswerLost(lost, error, false, socket.used() && status === 0));
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
