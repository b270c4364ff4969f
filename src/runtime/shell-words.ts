/** Writes words so that a shell reads them as they are: command lines to copy, and lines that set a variable. */
import type { Context } from './context.ts';

/** The shells for which command lines are written. Two are enough: fish understands the lines for sh, and cmd those for PowerShell. */
type LineShell = 'sh' | 'powershell';

/** The shell that the user probably has. On Windows it is sh under Git Bash, which sets MSYSTEM. */
export function usualShell({ platform, env }: Pick<Context, 'platform' | 'env'>): LineShell {
  return platform === 'win32' && !env.MSYSTEM ? 'powershell' : 'sh';
}

/** Characters that mean something to cmd or PowerShell even within double quotes. */
const SPECIAL_ON_WINDOWS = /["$`%!“”„\x00-\x1f]/;

/** Words that need no quotes. (A word that begins with `=` needs quotes: zsh would replace `=ls` with the path of `ls`.) */
const PLAIN_WORD: Readonly<Record<LineShell, RegExp>> = {
  sh: /^[\w@%+:,./][\w@%+=:,./-]*$/,
  powershell: /^[\w./][\w:+=./-]*$/,
};

/** One word of a command line. @param text for PowerShell it must hold no character of `SPECIAL_ON_WINDOWS` */
export function shellWord(text: string, shell: LineShell = 'sh'): string {
  if (PLAIN_WORD[shell].test(text)) return text;
  return shell === 'powershell' ? windowsText(text) : posixText(text);
}

/** A quoted word for PowerShell and cmd. A backslash at its end is doubled: a single one would escape the closing quote. */
function windowsText(text: string): string {
  const escaped = text.replace(/\\+$/, '$&$&');
  return `"${escaped}"`;
}

/** An option without a value, or `--`: it needs no quotes in any shell. */
const OPTION = /^--?([a-z][a-z-]*)?$/i;

/** A command line. @returns undefined if a word cannot be written for cmd and PowerShell alike */
export function shellLine(
  words: readonly (string | number)[],
  shell: LineShell,
): string | undefined {
  const texts = words.map(String);
  if (shell === 'powershell' && texts.some((text) => SPECIAL_ON_WINDOWS.test(text)))
    return undefined;
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

/** The line that sets an environment variable. @param value for cmd it must hold no `%` and no `"` */
export function setVariable(name: string, value: string, shell: PasteShell): string {
  return SETTERS[shell](name, value);
}

/**
 * A quoted word for sh and fish. Quotes and backslashes stand outside the single quotes: `it's` becomes `'it'\''s'`, and `a\b`
 * becomes `'a'\\'b'`. Backslashes stand outside for fish alone: within single quotes fish, unlike sh, takes `\'` for a quote.
 */
function posixText(text: string): string {
  const escaped = text.replace(/['\\]/g, (sign) => `'\\${sign}'`);
  return `'${escaped}'`;
}

/**
 * A quoted text for PowerShell alone. Single quotes in the text are doubled. Typographic ones are doubled, too, because
 * PowerShell takes them for single quotes.
 */
function powershellText(text: string): string {
  const doubled = text.replace(/['‘’‚‛]/g, '$&$&');
  return `'${doubled}'`;
}
