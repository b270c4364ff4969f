import { spawn } from 'node:child_process';
import { platform } from 'node:process';

/**
 * Shows a file in the program that the user's desktop has for it.
 * @returns false where there is no desktop to ask
 */
export async function openFile(file: string): Promise<boolean> {
  const [command = '', ...words] =
    platform === 'darwin' ? ['open', file] : platform === 'win32' ? ['explorer.exe', file] : ['xdg-open', file];
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
