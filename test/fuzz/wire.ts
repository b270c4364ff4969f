/**
 * A server below HTTP: it reads a request's head and answers with whatever bytes a case wants, also such as no HTTP
 * library would send.
 */
import net, { type AddressInfo } from 'node:net';
import { PREFIX } from '../support/server.ts';

export interface Reply {
  readonly parts: readonly Uint8Array[];
  /** What follows the last part: the connection stays open, is closed, or is reset. */
  readonly end: 'open' | 'close' | 'reset';
}

export class WireServer {
  /** Requests that came. */
  asked = 0;
  /** What every request gets; set anew by every case. */
  answer: Reply = { parts: [], end: 'reset' };
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor() {
    this.#server = net.createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<WireServer> {
    const wire = new WireServer();
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PREFIX}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: net.Socket): void {
    let head = '';
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      head = head.slice(end + 4);
      this.asked += 1;
      send(socket, this.answer);
    });
  }
}

function send(socket: net.Socket, { parts, end }: Reply): void {
  // Everything in one write: what comes after the answer is then already there when the answer is read.
  if (parts.length > 0) socket.write(Buffer.concat(parts));
  if (end === 'close') socket.end();
  else if (end === 'reset') socket.resetAndDestroy();
}

/** An answer as HTTP/1.1 wants it, with a head that can be bent. */
export function reply(
  body: Uint8Array | string,
  { status = '200 OK', headers = {}, end = 'open' as Reply['end'] } = {} as {
    status?: string;
    headers?: Record<string, string | undefined>;
    end?: Reply['end'];
  },
): Reply {
  const bytes = Buffer.from(body);
  const all = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return { parts: [Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'), bytes], end };
}
