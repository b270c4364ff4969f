import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATH_PREFIX } from '../config/base-url.ts';
import { usageError } from '../errors.ts';
import { type Api, type ApiOptions, createApi } from './api.ts';
import type { ApiResponse } from './response.ts';

export interface Sandbox extends Pick<Api, 'key'> {
  readonly baseUrl: string;
  /** Resolves when the port is free again; connections still open are cut. */
  close(): Promise<void>;
}

interface SandboxOptions extends ApiOptions {
  readonly port?: number | undefined;
  /** Whether answers have a Date header: as servers do, and need not. */
  readonly dated?: boolean;
}

/** Starts the API of the document on loopback. @throws ScreenerError usage if the port is taken */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { key, handle } = createApi(options);
  const { now = Date.now, dated = true, port = 0 } = options;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    // A request body is not part of this API; unread it would block the connection for the next request.
    incoming.resume();
    outgoing.sendDate = false;
    if (dated) outgoing.setHeader('Date', new Date(now()).toUTCString());
    deliver(handle({ method, url, headers }), incoming, outgoing);
  });
  await bound(server, port);
  return {
    key,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH_PREFIX}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function bound(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${cause.code ?? cause.message})`;
      reject(usageError(`Port ${port} ${why}.`, 'Choose another with --port, or leave it out for any free one.'));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

function deliver(response: ApiResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (response.wire === 'hang') return;
  const send = () => sendNow(response, incoming, outgoing);
  if (response.delay === 0) send();
  else setTimeout(send, response.delay).unref();
}

function sendNow(response: ApiResponse, { socket }: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  const { status, headers, wire } = response;
  if (wire === 'reset') return void socket.resetAndDestroy();
  const body = Buffer.from(response.body);
  outgoing.writeHead(status, { ...headers, 'content-length': body.length });
  if (wire === 'truncate') outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroySoon());
  else outgoing.end(body);
}
