import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'rolldown';

const root = path.resolve(import.meta.dirname, '../..');
export const screener = path.join(root, 'bin/screener.js');

/** Generous, so that it never refuses. */
const SERVE = `
import { createQuota } from ${JSON.stringify(path.join(root, 'src/sandbox/quota.ts'))};
import { startSandbox } from ${JSON.stringify(path.join(root, 'src/sandbox/sandbox.ts'))};
const quota = createQuota({ allowances: { per_minute: 1e5 }, dayCredits: 1e8, monthCredits: 1e8 });
const { baseUrl, key } = await startSandbox({ quota, cards: Number(process.argv[2]) });
process.stdout.write(JSON.stringify({ baseUrl, key }));
`;

/** The stand-in of the service in a process of its own. */
export async function startService({ cards = 300 } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-service-'));
  const input = path.join(folder, 'serve.js');
  const file = path.join(folder, 'serve.mjs');
  fs.writeFileSync(input, SERVE);
  await build({ input, platform: 'node', output: { file, format: 'esm', codeSplitting: false }, logLevel: 'silent' });
  const child = spawn(process.execPath, [file, String(cards)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const first = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the stand-in of the service did not start')));
  });
  fs.rmSync(folder, { recursive: true });
  return { ...JSON.parse(String(first)), stop: () => child.kill() };
}
