import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
export const screener = path.join(root, 'bin/screener.js');

/** The stand-in of the service in a process of its own, generous enough never to refuse. */
export async function startService({ cards = 300 } = {}) {
  const quotas = ['--per-minute', '100000', '--day-credits', '100000000', '--month-credits', '100000000'];
  const child = spawn(process.execPath, [screener, 'sandbox', '--json', '-q', '--cards', String(cards), ...quotas], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const first = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the stand-in of the service did not start')));
  });
  const { base_url: baseUrl, key } = JSON.parse(String(first));
  return { baseUrl, key, stop: () => child.kill() };
}
