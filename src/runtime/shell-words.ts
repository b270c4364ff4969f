import type { Context } from './context.ts';

/** Command lines need two only: fish reads those for sh. */
type LineShell = 'sh' | 'powershell';

/** Git Bash sets MSYSTEM. */
export const usualShell = ({ platform, env }: Pick<Context, 'platform' | 'env'>): LineShell =>
  platform === 'win32' && !env.MSYSTEM ? 'powershell' : 'sh';

/** Characters that cmd or PowerShell act on in double quotes. */
const ACTS_ON_WINDOWS = /["$`%!“”„\x00-\x1f]/;

/** @param text for PowerShell, and so for cmd, without characters of `ACTS_ON_WINDOWS` */
export function shellWord(text: string, shell: LineShell = 'sh'): string {
  if (shell === 'powershell') {
    // Programs take a backslash before the last quote for an escape.
    return /^[\w./][\w:+=./-]*$/.test(text) ? text : `"${text.replace(/\\+$/, '$&$&')}"`;
  }
  // zsh takes a word that begins with `=` for the path of a command.
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : posixText(text);
}

/** @returns undefined if no spelling of a word is the same for cmd and PowerShell */
export function shellLine(
  words: readonly (string | number)[],
  shell: LineShell,
): string | undefined {
  if (shell === 'powershell' && words.some((word) => ACTS_ON_WINDOWS.test(String(word))))
    return undefined;
  return words
    .map((word) =>
      /^--?([a-z][a-z-]*)?$/i.test(String(word)) ? word : shellWord(String(word), shell),
    )
    .join(' ');
}

const SETTERS = {
  sh: (name: string, value: string) => `export ${name}=${shellWord(value)}`,
  fish: (name: string, value: string) => `set -gx ${name} ${shellWord(value)}`,
  powershell: (name: string, value: string) => `$env:${name} = ${powershellText(value)}`,
  cmd: (name: string, value: string) => `set "${name}=${value}"`,
};
export type PasteShell = keyof typeof SETTERS;
export const PASTE_SHELLS = Object.keys(SETTERS) as readonly PasteShell[];

/** The line that sets an environment variable; for cmd to a value without `%` and `"`. */
export function setVariable(name: string, value: string, shell: PasteShell): string {
  return SETTERS[shell](name, value);
}

/** Backslashes stand outside the quotes: fish takes `\'` within them for a quote. */
const posixText = (text: string): string => `'${text.replace(/['\\]/g, (sign) => `'\\${sign}'`)}'`;

/** PowerShell takes typographic quotes for quotes. */
const powershellText = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
