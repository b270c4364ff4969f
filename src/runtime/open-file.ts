import { spawn } from 'node:child_process';
import { resolve as absolute, join } from 'node:path';
import { platform } from 'node:process';
import { childEnv, findProgram } from './find-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Shows a file in the program that the user's desktop has for it.
 * @returns false where there is no desktop to ask
 */
export async function openFile(file: string, env: Env): Promise<boolean> {
  const opener = openerOf(env);
  if (opener === undefined) return false;
  return new Promise((resolve) => {
    // As a whole path, for Explorer takes `a/b` and the others `-x` for an option.
    const child = spawn(opener, [absolute(file)], { stdio: 'ignore', detached: true, env: childEnv(env) });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerOf(env: Env): string | undefined {
  if (platform === 'win32') return join(env.SystemRoot || 'C:\\Windows', 'explorer.exe');
  return findProgram(platform === 'darwin' ? 'open' : 'xdg-open', env);
}
