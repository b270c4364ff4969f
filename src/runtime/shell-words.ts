/** Text as a shell reads it back unchanged: for the command lines that the program offers for copying. */

export const PASTE_SHELLS = ['sh', 'fish', 'powershell', 'cmd'] as const;
/** `sh` stands for bash and zsh too. */
export type PasteShell = (typeof PASTE_SHELLS)[number];

/** What most users of a platform (`process.platform`) paste into. */
export const usualShell = (platform: string | undefined): PasteShell => (platform === 'win32' ? 'powershell' : 'sh');

/** One argument of a program, quoted where the shell would read it otherwise. */
export function shellWord(text: string, shell: PasteShell = 'sh'): string {
  if (shell === 'powershell') {
    if (/^[\w./][\w:+=./-]*$/.test(text)) return text;
    // PowerShell 5 hands quotes on as they are: the program that reads its own command line needs them escaped.
    return powershellText(text.replace(/(\\*)"/g, '$1$1\\"'));
  }
  if (shell === 'cmd') {
    if (/^[\w@+:./=-]+$/.test(text)) return text;
    return carets(`"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`);
  }
  // A word that begins with `=` is quoted, because zsh takes it for the path of a command.
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : posixText(text);
}

/** A whole command line; its options need no quotes. */
export function shellLine(words: readonly (string | number)[], shell: PasteShell): string {
  return words
    .map((word) => (/^--?[a-z][a-z-]*$/i.test(String(word)) ? word : shellWord(String(word), shell)))
    .join(' ');
}

/** The line that sets an environment variable for the commands that follow. */
export function setVariable(name: string, value: string, shell: PasteShell): string {
  switch (shell) {
    case 'sh':
      return `export ${name}=${shellWord(value)}`;
    case 'fish':
      return `set -gx ${name} ${shellWord(value)}`;
    case 'powershell':
      return `$env:${name} = ${powershellText(value)}`;
    case 'cmd':
      // Quotes keep a blank at the end from counting, but neither % nor another quote from being read.
      return /[%"]/.test(value) ? `set ${name}=${carets(value)}` : `set "${name}=${value}"`;
  }
}

/** A backslash stands outside of the quotes, because fish takes `\'` within them for a quote. */
const posixText = (text: string): string => `'${text.replace(/['\\]/g, (sign) => `'\\${sign}'`)}'`;

/** PowerShell takes the typographic quotes for quotes too. */
const powershellText = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;

/** cmd reads these signs before the program does, some of them within quotes too. */
const carets = (text: string): string => text.replace(/[()%!^"<>&|;, ]/g, '^$&');
