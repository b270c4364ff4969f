/** Builds the driver once and runs it as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

export async function buildDriver(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'history-driver-'));
  chmodSync(dir, 0o755);
  await build({
    input: fileURLToPath(new URL('./driver.ts', import.meta.url)),
    platform: 'node',
    tsconfig: false,
    output: { file: join(dir, 'driver.mjs'), format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  return join(dir, 'driver.mjs');
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(
  command: string,
  args: readonly string[],
  uid?: number,
): { child: ChildProcess; end: Promise<Ended> } {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(uid === undefined ? {} : { uid }) });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const end = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, end };
}
