import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
