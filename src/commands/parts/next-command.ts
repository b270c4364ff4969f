/** Command lines that the program offers for copying: as they are pasted into the shells of this platform. */
import { LIMITS } from '../../api/limits.ts';
import { formatApiTime } from '../../api/time.ts';
import { MINUTE } from '../../base/units.ts';
import { minuteFrom } from '../../output/format.ts';
import { safeText } from '../../output/safe-text.ts';
import { shellLine, usualShell } from '../../runtime/shell-words.ts';
import type { FILTERS, Filters } from './card-options.ts';
import type { Invocation } from './invocation.ts';
import type { FlagOf } from './option.ts';
import type { CardFilter, OfHistory, WHERE } from './where.ts';

/** `cards` in all, Infinity for every one; `cursor` is the `next_cursor` to begin at. */
export type ListRequest = Filters &
  Readonly<{ cursor: string | undefined; cards: number; outcomes: boolean }>;

/** Characters: terminals and cmd take fewer than twice as many. */
const LONGEST_LINE = 4000;

type User = Pick<Invocation, 'globals' | 'context'>;

/** By flag, as it is typed. A switch is true; what is undefined or false is left out. */
type Options = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Adds the options that say whose data it is. @returns see `offeredLine` */
export function commandLine(
  user: User,
  command: string,
  options: Options = {},
  ...args: (string | number | undefined)[]
): string {
  return offeredLine(user, commandWords(user, command, options, ...args));
}

/** The words of `commandLine`, before they are quoted. */
export function commandWords(
  user: User,
  command: string,
  options: Options = {},
  ...args: (string | number | undefined)[]
): (string | number)[] {
  const { demo, baseUrl } = user.globals;
  const given = args.filter((word) => word !== undefined);
  const whose = wordsOf(demo ? { '--demo': true } : { '--base-url': baseUrl });
  const typed = wordsOf(options);
  const words = given.some((word) => String(word).startsWith('-'))
    ? [...typed, '--', ...given]
    : [...given, ...typed];
  return ['screener', ...whose, ...command.split(' '), ...words];
}

/**
 * The words as one line for the user's shell. A screener type is the service's word, of any length and of any characters: if
 * a terminal cannot show it as it is, a line that is pasted would name another type.
 * @returns a sentence in its place if there is no such line
 */
export function offeredLine({ context }: User, words: readonly (string | number)[]): string {
  const line = shellLine(words, usualShell(context));
  const isUsable = line !== undefined && line.length <= LONGEST_LINE && safeText(line) === line;
  return isUsable
    ? line
    : '(no line to copy: a shell cannot take a word of it; take it from --json)';
}

function wordsOf(options: Options): string[] {
  return Object.entries(options).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    // One word if the value would be read as another option.
    return [value]
      .flat()
      .flatMap((one) => (String(one).startsWith('-') ? [`${flag}=${one}`] : [flag, String(one)]));
  });
}

/** @param from how the history was named; undefined for the default one */
export const exportCommand = (user: User, from?: string) =>
  commandLine(user, 'signals export', {}, from);

export const rankingCommand = (user: User) =>
  commandLine(user, 'stats', { '--local': true, '--by': 'type' });

export const historyOptions = ({ from }: Pick<OfHistory, 'from'>) => ({
  '--local': from === undefined,
  '--from': from,
});

/** Each option that chooses cards. */
type CardOptions = Readonly<
  Record<FlagOf<typeof FILTERS> | FlagOf<[typeof WHERE]>, Options[string]>
>;

/** The options that ask for the same cards. Times are spelled out: `--since 24h` would mean another one by then. */
export function cardOptions(filter: CardFilter): CardOptions {
  const { since, until, symbol, type, where = [] } = filter;
  const timeText = (at: number | undefined) => {
    if (at === undefined || at === 0) return at === 0 ? 'all' : undefined;
    return at % MINUTE === 0 ? minuteFrom(formatApiTime(at)) : formatApiTime(at);
  };
  return {
    '--since': timeText(since),
    '--until': timeText(until),
    '--symbol': symbol,
    '--type': type,
    '--where': where.map(({ text }) => text),
  };
}

/** Goes on where a list stopped. @param isKept whether its place was kept for --next */
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
