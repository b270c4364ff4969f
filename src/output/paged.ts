/** Texts that are longer than the terminal's screen go through the user's pager, as those of git and gh do. */
import type { Context } from '../runtime/context.ts';
import { showInPager } from '../runtime/programs.ts';
import { measure } from './table/measure.ts';
import { terminalWidth } from './terminal.ts';

/** Options of less: end at once if all fits (F), show colours (R), leave the text on the screen afterwards (X). */
const LESS_OPTIONS = 'FRX';

/**
 * The environment of less. LESSSECURE takes away the commands of less that write files or start programs: someone who types or
 * pastes the next command line while less is open would call them by mistake.
 */
const LESS_VARIABLES = { LESS: LESS_OPTIONS, LESSSECURE: '1' } as const;

/** Lines that the screen has below a table: what it cost (1), how to go on (1), a command (2), and the shell's prompt (1). */
const BELOW = 5;

/**
 * Writes texts to standard output, or shows them in the pager until the user leaves it.
 * @param texts may be called twice: to measure the texts, and to write them
 * @param below lines of the screen that are kept free below the texts
 */
export async function writePaged(
  texts: () => Iterable<string>,
  { stdout, env }: Pick<Context, 'stdout' | 'env'>,
  below = BELOW,
): Promise<void> {
  const words = pagerWords(env);
  const { rows, columns } = stdout;
  const isTooLong = rows !== undefined && !fits(texts(), terminalWidth(env, columns), rows - below);
  if (words.length > 0 && isTooLong) {
    // A variable that the user has set counts, also if it is empty.
    const isShown = await showInPager(words, { ...LESS_VARIABLES, ...env }, texts());
    if (isShown) return;
  }
  for (const text of texts()) await stdout.write(text);
}

/**
 * The words of the pager's command: of SCREENER_PAGER if it is set, otherwise of PAGER, otherwise `less`. Empty if there is to
 * be no pager: if the variable is empty or names `cat`, and on a dumb terminal without such a variable.
 */
function pagerWords(env: Context['env']): string[] {
  const usualPager = env.TERM === 'dumb' ? '' : 'less';
  const command = env.SCREENER_PAGER ?? env.PAGER ?? usualPager;
  if (needsShell(command)) return ['sh', '-c', command];
  // A part in quotes belongs to its word, as in a shell: `--prompt="my pager"` is one word, `--prompt=my pager`.
  const quotedWords = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const words = quotedWords.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  return words[0] === 'cat' ? [] : words;
}

/** Whether a command is more than a program and its options: a pipe (`head -50 | cat`), a variable (`LESS=-S less`). */
function needsShell(command: string): boolean {
  const withoutQuotes = command.replace(/"[^"]*"|'[^']*'/g, '');
  return /[|&;<>$`()]|^\s*\w+=/.test(withoutQuotes);
}

/**
 * Whether the texts have room on the screen. It asks for no further text after the first one without room: to make all texts of
 * a long list takes time.
 * @param width columns of the terminal; a longer line takes several rows
 * @param room rows of the screen that are free
 */
function fits(texts: Iterable<string>, width: number, room: number): boolean {
  let rows = 0;
  for (const text of texts) {
    // Each text ends with a line break.
    const lines = text.split('\n').slice(0, -1);
    for (const line of lines) rows += Math.max(1, Math.ceil(measure(line) / width));
    if (rows > room) return false;
  }
  return true;
}
