/** Command lines that the program offers for copying, quoted for the user's shell. */
import { LIMITS } from '../../api/limits.ts';
import { formatApiTime } from '../../api/time.ts';
import { MINUTE } from '../../base/units.ts';
import type { CardChoice } from '../../outcomes/question.ts';
import { minuteFrom } from '../../output/format.ts';
import { safeText } from '../../output/safe-text.ts';
import { shellLine, usualShell } from '../../runtime/shell-words.ts';
import type { Filters } from './card-options.ts';
import type { Invocation } from './invocation.ts';
import type { CardFilter, OfHistory } from './where.ts';

/** What `signals ls` is asked for. */
export interface ListRequest extends Filters {
  /** A page's `next_cursor`; undefined to begin at the newest card. */
  readonly cursor: string | undefined;
  /** How many cards in all; Infinity for every card. */
  readonly cards: number;
  /** Whether the outcomes are bought, too. */
  readonly outcomes: boolean;
}

/** Characters. A longer line is not offered: a terminal may take no more than 4,095, and cmd no more than 8,191. */
const LONGEST_LINE = 4000;

/** The run whose global options and shell a line is made for. */
type User = Pick<Invocation, 'globals' | 'context'>;

/** Values by flag. A switch is true; undefined and false leave the option out. */
type Options = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A line for a command, with the --demo or --base-url of this run. @returns a sentence in its place if no shell can take the line */
export function commandLine(
  user: User,
  command: string,
  options: Options = {},
  ...args: (string | number | undefined)[]
): string {
  return offeredLine(user, commandLineWords(user, command, options, ...args));
}

/** The words of `commandLine`, before they are quoted. */
export function commandLineWords(
  user: User,
  command: string,
  options: Options = {},
  ...args: (string | number | undefined)[]
): (string | number)[] {
  const { demo, baseUrl } = user.globals;
  const globalWords = wordsOfOptions(demo ? { '--demo': true } : { '--base-url': baseUrl });
  const argumentWords = args.filter((word) => word !== undefined);
  const optionWords = wordsOfOptions(options);
  // After `--` a word that begins with a minus is an argument, not an option.
  const looksLikeOption = argumentWords.some((word) => String(word).startsWith('-'));
  const words = looksLikeOption
    ? [...optionWords, '--', ...argumentWords]
    : [...argumentWords, ...optionWords];
  const { programWords = ['screener'] } = user.context;
  return [...programWords, ...globalWords, ...command.split(' '), ...words];
}

/**
 * The words as one line for the user's shell. A screener type may be of any length and have any characters. If a terminal cannot
 * show it as it is, the pasted line would name another type.
 * @returns a sentence in its place if no line can be pasted
 */
export function offeredLine({ context }: User, words: readonly (string | number)[]): string {
  const line = shellLine(words, usualShell(context));
  const isUsable = line !== undefined && line.length <= LONGEST_LINE && safeText(line) === line;
  return isUsable ? line : NO_LINE;
}

/** Stands in the place of a line that cannot be pasted. */
const NO_LINE = '(no line to copy: a shell cannot take a word of it; take it from --json)';

/** `first | filter | second -`: a filter reads the output of the first command line, and the second one reads the filter's output. */
export function pipedLine(first: string, filter: string, second: string): string {
  return [first, second].includes(NO_LINE) ? NO_LINE : `${first} | ${filter} | ${second} -`;
}

function wordsOfOptions(options: Options): string[] {
  const words: string[] = [];
  for (const [flag, value] of Object.entries(options)) {
    if (value === undefined || value === false) continue;
    if (value === true) {
      words.push(flag);
      continue;
    }
    const values = typeof value === 'object' ? value : [value];
    for (const text of values.map(String)) {
      // A value like `-rows` would be read as another option if it were a word of its own.
      if (text.startsWith('-')) words.push(`${flag}=${text}`);
      else words.push(flag, text);
    }
  }
  return words;
}

/** @param from the folder that the user named; undefined for the default history */
export const exportCommand = (user: User, from?: string) =>
  commandLine(user, 'signals export', {}, from);

/** The line that shows the ranking of the screener types. */
export const rankingCommand = (user: User) =>
  commandLine(user, 'stats', { '--local': true, '--by': 'type' });

/** The option that names the same history. */
export const historyOptions = ({ from }: Pick<OfHistory, 'from'>) => ({
  '--local': from === undefined,
  '--from': from,
});

/** The option of each way to choose cards: a new way does not compile until it has its own. */
type CardOptions = Readonly<Record<`--${keyof CardChoice}`, Options[string]>>;

/** The options that ask for the same cards. */
export function cardOptions(filter: CardFilter): CardOptions {
  const { since, until, symbol, type, where = [] } = filter;
  return {
    '--since': timeOption(since),
    '--until': timeOption(until),
    '--symbol': symbol,
    '--type': type,
    '--where': where.map(({ text }) => text),
  };
}

/** A time as it is typed. It is spelled out, because `24h` would mean another time when the line is pasted later. */
function timeOption(time: number | undefined): string | undefined {
  if (time === undefined) return undefined;
  // `--since all` is stored as 0.
  if (time === 0) return 'all';
  const isWholeMinute = time % MINUTE === 0;
  return isWholeMinute ? minuteFrom(formatApiTime(time)) : formatApiTime(time);
}

/** The line that goes on where a list stopped. @param isKept whether the list's place and filters were kept for --next */
export function nextCommand(list: ListRequest, user: User, isKept = false): string {
  const { cards, outcomes, cursor } = list;
  const isAll = cards === Number.POSITIVE_INFINITY;
  return commandLine(user, 'signals ls', {
    ...(isKept ? { '--next': true } : cardOptions(list)),
    '--all': isAll,
    '-n': isAll || (isKept && cards === LIMITS.cardsPerPage) ? undefined : cards,
    '--outcomes': outcomes,
    '--cursor': isKept ? undefined : cursor,
  });
}
