import { spawn } from 'node:child_process';
import { resolve as absolute } from 'node:path';
import { platform } from 'node:process';

/**
 * Shows a file in the program that the user's desktop has for it.
 * @returns false where there is no desktop to ask
 */
export async function openFile(file: string): Promise<boolean> {
  const command = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer.exe' : 'xdg-open';
  return new Promise((resolve) => {
    // As a whole path, for Explorer takes `a/b` and the others `-x` for an option.
    const child = spawn(command, [absolute(file)], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
