import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../support/home.ts';
import { cleanEnv, programPath } from '../support/run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const SCRIPTS = {
  bash: path.join(ROOT, 'completions', 'screener.bash'),
  zsh: path.join(ROOT, 'completions', '_screener'),
  fish: path.join(ROOT, 'completions', 'screener.fish'),
  powershell: path.join(ROOT, 'completions', 'screener.ps1'),
};
export const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const SEEN = { symbol: ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'], type: ['price_spike', 'Open Interest'] };

/** A user whose `screener` is the built program, who has seen some answers and stands in a folder with two others. */
function shellUser(home: Home): { env: Record<string, string>; cwd: string } {
  const bin = path.join(home.folder, 'bin');
  const cwd = path.join(home.folder, 'work');
  for (const folder of [bin, home.state, path.join(cwd, 'some-signals'), path.join(cwd, 'other')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(path.join(cwd, 'page.html'), '');
  const program = path.join(bin, 'screener');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${programPath()}' "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(path.join(home.state, 'seen.json'), JSON.stringify(SEEN));
  return { env: cleanEnv(home, { PATH: `${bin}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', TERM: 'xterm' }), cwd };
}

/** Types each line and a TAB into an interactive shell on a pseudo-terminal. @returns what it shows after each TAB */
export function typeInto(home: Home, command: readonly string[], setup: string, lines: readonly string[]): string[] {
  const { env, cwd } = shellUser(home);
  const driver = path.join(ROOT, 'test', 'completion', 'drive.py');
  const input = JSON.stringify({ command, setup, lines });
  return JSON.parse(execFileSync('python3', [driver], { input, env, cwd, encoding: 'utf8' }));
}

/** Runs a script in a shell, and gives what it printed, in lines. */
export function runIn(home: Home, command: readonly string[]): string[] {
  const { env, cwd } = shellUser(home);
  const [file = '', ...args] = command;
  return execFileSync(file, args, { env, cwd, encoding: 'utf8' }).split('\n').slice(0, -1);
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
