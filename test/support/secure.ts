/** Servers beyond loopback's plain HTTP: the API over TLS, and proxies before it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Home } from './home.ts';
import { without } from './programs.ts';
import * as samples from './samples.ts';
import { ok } from './server.ts';

/** Lets a server listen on this machine. @returns its port */
export async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export function shut(server: http.Server | https.Server): void {
  server.closeAllConnections();
  server.close();
}

/** A proxy that tunnels to `port` of this machine, whatever it is asked for; without one it wants a password. */
export async function startProxy(port?: number) {
  /** Targets of CONNECT, and every byte that came. */
  const connects: string[] = [];
  const bytes: Buffer[] = [];
  const server = http.createServer((_, response) => response.writeHead(502).end());
  server.on('connection', (socket) => socket.on('data', (chunk) => bytes.push(chunk)));
  server.on('connect', (request, socket) => {
    connects.push(`${request.url} ${JSON.stringify(request.headers)}`);
    if (port === undefined) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket);
      socket.on('data', (chunk: Buffer) => bytes.push(chunk)).pipe(upstream);
    });
    for (const stream of [socket, upstream]) stream.on('error', () => upstream.destroy());
  });
  const seen = () => Buffer.concat(bytes).toString('latin1');
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    connects,
    seen,
    close: () => shut(server),
  };
}

export const noOpenssl = without('openssl');

/** A private key, and the certificate that it signed itself. */
interface Identity {
  readonly key: Buffer;
  readonly certificate: Buffer;
}

/** By the names and days that were asked for: openssl makes each of them once. */
const identities = new Map<string, Identity>();

function identityOf(home: Home, names: string, days: number): Identity {
  const asked = `${names} ${days}`;
  const known = identities.get(asked);
  if (known !== undefined) return known;
  const file = (name: string) => path.join(home.folder, name);
  const openssl = (words: string) =>
    execFileSync('openssl', words.split(' '), { stdio: 'ignore', cwd: home.folder });
  openssl(
    'req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=api.test -keyout tls.key -out tls.csr',
  );
  writeFileSync(file('tls.ext'), `subjectAltName=${names}`);
  openssl(`x509 -req -in tls.csr -signkey tls.key -days ${days} -extfile tls.ext -out tls.crt`);
  const made = { key: readFileSync(file('tls.key')), certificate: readFileSync(file('tls.crt')) };
  identities.set(asked, made);
  return made;
}

/** The API over TLS, with a certificate for `api.test` and 127.0.0.1 that nobody trusts by itself. */
export async function startSecure(
  home: Home,
  { names = 'DNS:api.test,IP:127.0.0.1', days = 2, answer = ok(samples.snapshot()) } = {},
) {
  const identity = identityOf(home, names, days);
  const certificate = path.join(home.folder, 'tls.crt');
  writeFileSync(certificate, identity.certificate);
  const authorizations: (string | undefined)[] = [];
  const server = https.createServer(
    { key: identity.key, cert: identity.certificate },
    (request, response) => {
      authorizations.push(request.headers.authorization);
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
    },
  );
  let handshakes = 0;
  server.on('connection', () => {
    handshakes += 1;
  });
  server.on('tlsClientError', () => {});
  return {
    port: await listen(server),
    certificate,
    authorizations,
    handshakes: () => handshakes,
    close: () => shut(server),
  };
}
