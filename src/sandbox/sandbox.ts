import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { usageError } from '../errors.ts';
import { type Api, type ApiOptions, createApi, PREFIX } from './api.ts';
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
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`,
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
  if (response.wire === 'drip') drip(response, outgoing);
  else later(response.delay, () => send(response, incoming, outgoing));
}

function send(response: ApiResponse, { socket }: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  const { wire } = response;
  if (wire === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  const body = begin(response, outgoing);
  if (wire === 'truncate') outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroySoon());
  else outgoing.end(body);
}

/** One byte at a time: each resets a timeout between chunks, so only an overall one ends it. */
function drip(response: ApiResponse, outgoing: ServerResponse): void {
  const body = begin(response, outgoing);
  const step = (at: number): void => {
    if (outgoing.destroyed) return;
    outgoing.write(body.subarray(at, at + 1));
    if (at + 1 >= body.length) outgoing.end();
    else later(response.delay, () => step(at + 1));
  };
  step(0);
}

function begin({ status, headers, body }: ApiResponse, outgoing: ServerResponse): Buffer {
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  return bytes;
}

function later(millis: number, run: () => void): void {
  if (millis === 0) run();
  else setTimeout(run, millis).unref();
}
