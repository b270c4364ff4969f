/**
 * The one test network that is not loopback as loopback is: names have addresses that lead nowhere, connecting takes a
 * second, each byte is on its way for a while, and what answers may be a page of somebody else. It needs no rights: a
 * listener that is stopped while its queue is full lets connections wait as a far host does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Home } from './home.ts';

/** Passes on what comes on its port, each way some milliseconds later. */
const FORWARDER = `
const net = require('node:net');
const [port, millis] = process.argv.slice(1).map(Number);
const pass = (from, to) => {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), millis));
  from.on('end', () => setTimeout(() => to.end(), millis));
  from.on('error', () => to.destroy());
};
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  const upstream = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  pass(socket, upstream);
  pass(upstream, socket);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));
`;

/** How many connections the system takes for a listener with a queue of one: two or three. */
const QUEUE = 8;

interface FarHost {
  readonly port: number;
  /** Ends the wait: the system of whoever connects tries again a second after its first try. */
  letConnect(): void;
  close(): void;
}

/**
 * A host on 127.0.0.1 to which nobody can connect, as if it were far away, until `letConnect`.
 * @param upstream the port that it passes all on to @param millis for each way
 */
export async function startFarHost(upstream: number, millis: number): Promise<FarHost> {
  const child = spawn(process.execPath, ['-e', FORWARDER, String(upstream), String(millis)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(String((await once(child.stdout, 'data'))[0]));
  child.kill('SIGSTOP');
  const queued = await fillQueue(port);
  return {
    port,
    letConnect: () => child.kill('SIGCONT'),
    close: () => stop(child, queued),
  };
}

/** Connects until the system takes no more: the next ones wait. */
async function fillQueue(port: number): Promise<net.Socket[]> {
  const sockets: net.Socket[] = [];
  while (sockets.length < QUEUE) {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    const isTaken = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 150, false)),
    ]);
    if (!isTaken) return sockets;
  }
  throw new Error('The queue of a stopped listener does not fill: this system is none for it.');
}

function stop(child: ChildProcess, queued: readonly net.Socket[]): void {
  for (const socket of queued) socket.destroy();
  child.kill('SIGKILL');
}

/** Of the documentation prefix: no route leads there. */
export const NOWHERE = '2001:db8::1';

/** What the program under test says on stderr once it has begun to connect. */
export const CONNECTING = /CONNECTING/;

/**
 * A resolver for the program under test, in which each name has these addresses, in this order.
 * @returns a NODE_OPTIONS of it
 */
export function resolverFor(
  { folder }: Home,
  addresses: Readonly<Record<string, readonly string[]>>,
): string {
  const hook = path.join(folder, 'resolver.cjs');
  writeFileSync(
    hook,
    `const dns = require('node:dns');
const net = require('node:net');
const ADDRESSES = ${JSON.stringify(addresses)};
dns.lookup = (name, options, callback) => {
  const all = (ADDRESSES[name] ?? []).map((address) => ({ address, family: net.isIP(address) }));
  if (all.length === 0) callback(Object.assign(new Error('ENOTFOUND ' + name), { code: 'ENOTFOUND' }));
  else if (options.all) callback(null, all);
  else callback(null, all[0].address, all[0].family);
  setImmediate(() => console.error('CONNECTING'));
};
`,
  );
  return `--require "${hook}"`;
}

/** Only Linux is known to try again a second later, and never sooner. */
export const isFarKnown = process.platform === 'linux';
