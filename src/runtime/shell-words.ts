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

/** One argument of a program, quoted where the shell would read it otherwise; for PowerShell so that cmd reads most, too. */
export function shellWord(text: string, shell: LineShell = 'sh'): string {
  if (shell === 'powershell') {
    if (/^[\w./][\w:+=./-]*$/.test(text)) return text;
    // PowerShell 5 hands quotes and backslashes on as they are: the program that reads its own command line needs them
    // escaped.
    // The last alternative takes a run that needs nothing: without it, time would grow with the square of a run.
    const escaped = text.replace(/\\*"|\\+$|\\+/g, (run, at: number) => {
      if (run.endsWith('"')) return `${run.slice(0, -1).repeat(2)}\\"`;
      return at + run.length === text.length ? run.repeat(2) : run;
    });
    // In double quotes cmd reads it, too.
    return /["$`%!“”„\x00-\x1f]/.test(text) ? powershellText(escaped) : `"${escaped}"`;
  }
  // A word that begins with `=` is quoted, because zsh takes it for the path of a command.
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : posixText(text);
}

/** A whole command line; its options need no quotes. */
export function shellLine(words: readonly (string | number)[], shell: LineShell): string {
  return words
    .map((word) => (/^--?[a-z][a-z-]*$/i.test(String(word)) ? word : shellWord(String(word), shell)))
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
