import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { build } from 'rolldown';

const root = path.resolve(import.meta.dirname, '../..');
export const screener = path.join(root, 'bin/screener.js');

/** The stand-in of the service in a process of its own. */
export async function startService() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-service-'));
  // Not written here: the compiler holds what it asks of the stand-in against what there is.
  const input = path.join(import.meta.dirname, 'serve.ts');
  const file = path.join(folder, 'serve.mjs');
  await build({ input, platform: 'node', output: { file, format: 'esm', codeSplitting: false }, logLevel: 'silent' });
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the stand-in of the service did not start')));
  });
  fs.rmSync(folder, { recursive: true });
  return { ...JSON.parse(String(first)), stop: () => child.kill() };
}

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -addext';

/** The same service over TLS, as a real one is. @returns also the file of its certificate, for NODE_EXTRA_CA_CERTS */
export async function behindTls(service, folder) {
  const [key, cert] = ['tls.key', 'tls.crt'].map((name) => path.join(folder, name));
  const words = [...CERTIFICATE.split(' '), 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync('openssl', words, { stdio: 'ignore' });
  const server = tls.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }, (socket) => {
    const inner = net.connect(Number(new URL(service).port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const one of [socket, inner]) one.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = service.replace('http:', 'https:').replace(/:\d+/, `:${server.address().port}`);
  return { baseUrl, cert, stop: () => server.close() };
}
