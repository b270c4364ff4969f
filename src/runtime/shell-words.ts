import type { Context } from './context.ts';

/** Command lines need two only: fish reads those for sh. */
type LineShell = 'sh' | 'powershell';

/** Git Bash sets MSYSTEM. */
export function usualShell({ platform, env }: Pick<Context, 'platform' | 'env'>): LineShell {
  return platform === 'win32' && !env.MSYSTEM ? 'powershell' : 'sh';
}

/** Characters that cmd or PowerShell act on in double quotes. */
const ACTS_ON_WINDOWS = /["$`%!“”„\x00-\x1f]/;

/** Words that need no quotes. zsh takes one that begins with `=` for the path of a command. */
const PLAIN_WORD: Readonly<Record<LineShell, RegExp>> = {
  sh: /^[\w@%+:,./][\w@%+=:,./-]*$/,
  powershell: /^[\w./][\w:+=./-]*$/,
};

/** @param text for PowerShell, and so for cmd, without characters of `ACTS_ON_WINDOWS` */
export function shellWord(text: string, shell: LineShell = 'sh'): string {
  if (PLAIN_WORD[shell].test(text)) return text;
  return shell === 'powershell' ? windowsText(text) : posixText(text);
}

/** Programs take a backslash before the last quote for an escape. */
function windowsText(text: string): string {
  const escaped = text.replace(/\\+$/, '$&$&');
  return `"${escaped}"`;
}

/** An option, or `--`, without a value: no shell acts on it. */
const OPTION = /^--?([a-z][a-z-]*)?$/i;

/** @returns undefined if no spelling of a word is the same for cmd and PowerShell */
export function shellLine(
  words: readonly (string | number)[],
  shell: LineShell,
): string | undefined {
  const texts = words.map(String);
  if (shell === 'powershell' && texts.some((text) => ACTS_ON_WINDOWS.test(text))) return undefined;
  return texts.map((text) => (OPTION.test(text) ? text : shellWord(text, shell))).join(' ');
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
function posixText(text: string): string {
  const escaped = text.replace(/['\\]/g, (sign) => `'\\${sign}'`);
  return `'${escaped}'`;
}

/** PowerShell takes typographic quotes for quotes. */
function powershellText(text: string): string {
  const doubled = text.replace(/['‘’‚‛]/g, '$&$&');
  return `'${doubled}'`;
}
