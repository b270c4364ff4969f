/** HTTP servers on loopback: the sandbox, and others for tests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATH_PREFIX } from '../config/credentials.ts';
import { usageError } from '../errors.ts';
import { type ApiOptions, createApi, SANDBOX_KEY } from './api.ts';
import type { ApiRequest, ApiResponse } from './response.ts';

/** A server on loopback. */
export interface LocalServer {
  readonly baseUrl: string;
  /** Resolves when the port is free again; connections still open are cut. */
  close(): Promise<void>;
}

export interface Sandbox extends LocalServer {
  /** The only key that it accepts. */
  readonly key: string;
}

/** Serves the sandbox's API on loopback. @throws ScreenerError usage, if the port cannot be used */
export async function startSandbox(
  options: ApiOptions & { readonly port?: number | undefined },
): Promise<Sandbox> {
  // The server takes its port and its clock from the same options.
  const server = await serve(createApi(options), options);
  return { key: SANDBOX_KEY, ...server };
}

/**
 * Serves HTTP on loopback.
 * @param port if it is left out, any free port
 * @param now for the Date header, epoch milliseconds UTC; without it no such header is sent
 * @throws ScreenerError usage, if the port cannot be used: it is in use, or needs more rights
 */
export async function serve(
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  { port = 0, now }: { port?: number | undefined; now?: () => number } = {},
): Promise<LocalServer> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    // This API has no request bodies. If a client sends one, it is thrown away: unread, it would block the connection's next request.
    incoming.resume();
    outgoing.sendDate = false;
    if (now !== undefined) outgoing.setHeader('Date', new Date(now()).toUTCString());
    const response = await answer({ method, url, headers });
    if (response.delay === 0) send(response, incoming, outgoing);
    else setTimeout(send, response.delay, response, incoming, outgoing).unref();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${cause.code ?? cause.message})`;
    throw usageError(
      `Port ${port} ${why}.`,
      'Choose another with --port, or leave it out for any free one.',
    );
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH_PREFIX}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Writes an answer to the connection, or fails as `delivery` says: `hang` never answers, `reset` resets the connection, `truncate`
 * closes it after half of the body.
 */
function send(
  { status, headers, body, delivery }: ApiResponse,
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (outgoing.destroyed || delivery === 'hang') return;
  if (delivery === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { 'content-length': bytes.length, ...headers });
  if (delivery === 'truncate') {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    outgoing.write(half, () => socket.destroySoon());
  } else {
    outgoing.end(bytes);
  }
}
