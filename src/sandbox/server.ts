import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { usageError } from '../errors.ts';
import type { Behaviour } from './behaviour.ts';
import type { ApiRequest, ApiResponse } from './response.ts';

export interface Listening {
  readonly port: number;
  /** Resolves when the port is free again; connections still open are cut. */
  close(): Promise<void>;
}

/**
 * Puts the API on a loopback port: the only part that knows sockets.
 * @param port 0 for any free one
 * @throws ScreenerError usage, where the port is taken or not allowed
 */
export async function listen(
  handle: (request: ApiRequest) => ApiResponse,
  port: number,
  { latency, closeSocket }: Pick<Behaviour, 'latency' | 'closeSocket'>,
): Promise<Listening> {
  const used = new WeakSet<Socket>();
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers, socket } = incoming;
    if (closeSocket === 'on-reuse' && used.has(socket)) {
      socket.destroy();
      return;
    }
    used.add(socket);
    // The answer says nothing of it: the client may keep the connection for its next request.
    if (closeSocket === 'after-answer') outgoing.once('finish', () => socket.destroySoon());
    // A request body is not part of this API; unread it would block the connection for the next request.
    incoming.resume();
    deliver(handle({ method, url, headers }), latency, incoming, outgoing);
  });
  await bound(server, port);
  return {
    port: (server.address() as AddressInfo).port,
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

function deliver(response: ApiResponse, latency: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (response.wire === 'hang') return;
  if (response.wire === 'drip') {
    drip(response, outgoing);
  } else if (response.delay + latency > 0) {
    later(response.delay + latency, () => send(response, incoming, outgoing));
  } else {
    send(response, incoming, outgoing);
  }
}

function send(response: ApiResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  if (response.wire === 'reset') {
    incoming.socket.resetAndDestroy();
    return;
  }
  const body = Buffer.from(response.body);
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': body.length });
  if (response.wire === 'truncate') {
    outgoing.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroySoon());
  } else {
    outgoing.end(body);
  }
}

/** One byte at a time: each resets a timeout between chunks, so only an overall one ends it. */
function drip(response: ApiResponse, outgoing: ServerResponse): void {
  const body = Buffer.from(response.body);
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': body.length });
  const step = (at: number): void => {
    if (outgoing.destroyed) return;
    if (at >= body.length) {
      outgoing.end();
      return;
    }
    outgoing.write(body.subarray(at, at + 1));
    later(response.delay, () => step(at + 1));
  };
  step(0);
}

/** Not a reason to stay alive: the server and its connections are. */
function later(millis: number, run: () => void): void {
  setTimeout(run, millis).unref();
}
