import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../version.ts';
import type { Shell } from './values.ts';

const FILES: Readonly<Record<Shell, string>> = {
  bash: 'screener.bash',
  zsh: '_screener',
  fish: 'screener.fish',
  powershell: 'screener.ps1',
};

/**
 * The completion script of a shell, for bash 3.2 (macOS) and fish 3 or later. It knows nothing of the commands: at a TAB
 * it asks the program, by a path that loads no command and sends nothing (`screener complete`), so that it is right for
 * the version that is installed.
 */
export function completionScript(shell: Shell): Promise<string> {
  return readFile(join(packageFolder, 'completions', FILES[shell]), 'utf8');
}
