/**
 * What a terminal can show: colours, block characters, columns. Pure functions: callers pass what they need of the environment.
 */
import { Chalk } from 'chalk';
import type { Context } from '../runtime/context.ts';
import type { Env } from '../runtime/directories.ts';
import { shellWord } from '../runtime/shell-words.ts';
import { safeText } from './safe-text.ts';
import { cap, wrap } from './table/measure.ts';

/** Whether to write colours. @param flag false for `--no-color`; true and undefined leave it to environment and terminal */
export function usesColor(isTTY: boolean, env: Env, flag?: boolean): boolean {
  if (flag === false || isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (isSet(env.CLICOLOR_FORCE)) return env.CLICOLOR_FORCE !== '0';
  return isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

type Style = (text: string) => string;

/** Colours by meaning. Without colours each returns the text as it is. */
export interface Styles {
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly dim: Style;
  readonly bold: Style;
}

/**
 * chalk's level 1 has the 16 colours of the user's own palette, level 0 has none. chalk does not look at the terminal by
 * itself.
 */
export function stylesOf(colored: boolean): Styles {
  const chalk = new Chalk({ level: colored ? 1 : 0 });
  return {
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    warn: (text) => chalk.yellow(text),
    dim: (text) => chalk.dim(text),
    bold: (text) => chalk.bold(text),
  };
}

/**
 * Whether a terminal shows block characters. It does, unless it is a dumb one, or a locale is set that does not name UTF-8.
 */
export function usesUnicode(env: Env): boolean {
  if (env.TERM === 'dumb') return false;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(isSet);
  return locale === undefined || /utf-?8/i.test(locale);
}

/** The text with the program's own signs replaced by ASCII, for a terminal that shows nothing else. */
export function asciiSigns(text: string): string {
  return text.replaceAll('–', '-').replaceAll('±', '+-').replaceAll('…', '~');
}

/** The columns of a terminal: COLUMNS if it is set; otherwise what the terminal says; otherwise 80. */
export function terminalWidth(env: Env, columns: number | undefined): number {
  const typed = Number(env.COLUMNS);
  if (Number.isInteger(typed) && typed > 0) return typed;
  return columns !== undefined && columns > 0 ? columns : 80;
}

/**
 * A sentence as lines for standard error, without secrets, made safe, and cut to a length that people read. On a terminal it is
 * broken between words, and further lines are indented by the width of the label; elsewhere it is one line.
 * @param label stands before the first line: `hint: `
 * @param commands command lines that the sentence offers: each has a line of its own, and is never broken, so that it can be
 *   copied
 */
export function linesFor(
  {
    stderr,
    env,
    secrets,
    programWords = ['screener'],
  }: Pick<Context, 'stderr' | 'env' | 'secrets' | 'programWords'>,
  sentence: string,
  {
    label = '',
    commands = [],
  }: { readonly label?: string; readonly commands?: readonly string[] } = {},
): string[] {
  const start = programWords.map((word) => shellWord(word)).join(' ');
  const commandLines = commands.map((command) => {
    // A line that is the same for every user begins with the program's usual name.
    const line = command.replace(/^screener(?= )/, start);
    return `  ${safeText(secrets.hide(line))}`;
  });
  const safeSentence = cap(safeText(secrets.hide(sentence)));
  const text = usesUnicode(env) ? safeSentence : asciiSigns(safeSentence);
  if (!stderr.isTTY) return [label + text, ...commandLines];
  const width = terminalWidth(env, stderr.columns) - label.length;
  const [first = '', ...further] = wrap(text, { width });
  const indent = ' '.repeat(label.length);
  return [label + first, ...further.map((line) => indent + line), ...commandLines];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
