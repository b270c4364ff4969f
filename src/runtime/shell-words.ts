/** Text as a shell reads it back unchanged: for the command lines that the program offers for copying. */

export const PASTE_SHELLS = ['sh', 'fish', 'powershell', 'cmd'] as const;
/** `sh` stands for bash and zsh too. */
export type PasteShell = (typeof PASTE_SHELLS)[number];
/** For command lines two are enough: fish reads those for sh. */
export type LineShell = 'sh' | 'powershell';

/** Git Bash and its like say so in MSYSTEM. */
type Place = { readonly platform?: string; readonly env: Readonly<Record<string, string | undefined>> };

/** What most users of a platform (`process.platform`) paste into. */
export const usualShell = ({ platform, env }: Place): LineShell =>
  platform === 'win32' && !env.MSYSTEM ? 'powershell' : 'sh';

/** In double quotes cmd and PowerShell read every word alike that holds none of these. */
const ACTS_ON_WINDOWS = /["$`%!“”„\x00-\x1f]/;

/**
 * One argument of a program, quoted where the shell would read it otherwise; for PowerShell so that cmd reads it, too.
 * @param text for PowerShell without characters of `ACTS_ON_WINDOWS`
 */
export function shellWord(text: string, shell: LineShell = 'sh'): string {
  if (shell === 'powershell') {
    // The program that reads its own command line would take a backslash before the last quote for an escape.
    return /^[\w./][\w:+=./-]*$/.test(text) ? text : `"${text.replace(/\\+$/, '$&$&')}"`;
  }
  // A word that begins with `=` is quoted, because zsh takes it for the path of a command.
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : posixText(text);
}

/**
 * A whole command line; its options need no quotes.
 * @returns undefined where Windows has no spelling of a word that is the same for cmd and PowerShell
 */
export function shellLine(words: readonly (string | number)[], shell: LineShell): string | undefined {
  if (shell === 'powershell' && words.some((word) => ACTS_ON_WINDOWS.test(String(word)))) return undefined;
  return words
    .map((word) => (/^--?([a-z][a-z-]*)?$/i.test(String(word)) ? word : shellWord(String(word), shell)))
    .join(' ');
}

/** The line that sets an environment variable for the commands that follow; for cmd to a value without `%` and `"`. */
export function setVariable(name: string, value: string, shell: PasteShell): string {
  switch (shell) {
    case 'sh':
      return `export ${name}=${shellWord(value)}`;
    case 'fish':
      return `set -gx ${name} ${shellWord(value)}`;
    case 'powershell':
      return `$env:${name} = ${powershellText(value)}`;
    case 'cmd':
      // Quotes keep a blank at the end from counting.
      return `set "${name}=${value}"`;
  }
}

/** A backslash stands outside of the quotes, because fish takes `\'` within them for a quote. */
const posixText = (text: string): string => `'${text.replace(/['\\]/g, (sign) => `'\\${sign}'`)}'`;

/** PowerShell takes the typographic quotes for quotes too. */
const powershellText = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
