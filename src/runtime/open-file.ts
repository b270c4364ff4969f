import { spawn } from 'node:child_process';
import { platform } from 'node:process';

/** Shows a file in the program that the user's desktop has for it. A desktop without one shows nothing. */
export async function openFile(file: string): Promise<void> {
  const [command = '', ...words] =
    platform === 'darwin' ? ['open', file] : platform === 'win32' ? ['explorer.exe', file] : ['xdg-open', file];
  await new Promise<void>((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve());
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
