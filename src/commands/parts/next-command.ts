/** Command lines that the program offers for copying: as they are pasted into the shells of this platform. */
import { LIMITS } from '../../api/limits.ts';
import { formatApiTime } from '../../api/time.ts';
import { minuteFrom } from '../../output/format.ts';
import { safeText } from '../../output/safe-text.ts';
import { shellLine, usualShell } from '../../runtime/shell-words.ts';
import { MINUTE } from '../../runtime/units.ts';
import type { Filters } from './card-options.ts';
import type { Invocation } from './invocation.ts';
import type { OfHistory, RowFilter } from './of-history.ts';

export interface ListRequest extends Filters {
  /** The `next_cursor` to begin at; undefined for the newest card. */
  readonly cursor: string | undefined;
  /** Cards in all; Infinity for every card. */
  readonly cards: number;
  readonly outcomes: boolean;
}

/** Characters: terminals and cmd take fewer than twice as many. */
const LONGEST_LINE = 4000;

type User = {
  readonly globals: Pick<Invocation['globals'], 'demo' | 'baseUrl'>;
  readonly context: Pick<Invocation['context'], 'platform' | 'env'>;
};

/**
 * Adds the options that say whose data it is. Made safe to show: a screener type is the service's word.
 * @param argument goes last, after `--`, if it begins as an option does; else before the options
 */
export function commandLine(
  { globals, context }: User,
  command: readonly (string | number)[],
  options: readonly (string | number)[] = [],
  argument?: string,
): string {
  const { demo, baseUrl } = globals;
  const whose = demo ? ['--demo'] : baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const given = argument === undefined ? [] : [argument];
  const words = argument?.startsWith('-') ? [...options, '--', ...given] : [...given, ...options];
  const line = shellLine(['screener', ...whose, ...command, ...words], usualShell(context));
  // A word of an answer may be of any length.
  if (line !== undefined && line.length > LONGEST_LINE) return '(no line to copy: it would be too long)';
  return safeText(line ?? '(no line to copy: cmd would act on a character in it; take it from --json)');
}

/** The ranking of the user's types, from the default history: free. */
export function rankingCommand(user: User): string {
  return commandLine(user, ['stats', '--local', '--by', 'type']);
}

export function exportCommand(user: User, { history, from }: OfHistory): string {
  return commandLine(user, ['signals', 'export', ...(from === undefined ? [] : [history.directory])]);
}

/** One word if the value would be read as another option. */
function valued(flag: string, value: string): string[] {
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

export function historyWords({ history, from }: OfHistory): string[] {
  return from === undefined ? ['--local'] : ['--from', history.directory];
}

/** The options that ask for the same cards. Times are spelled out: `--since 24h` would mean another one by then. */
export function cardWords({ since, until, symbol, type, where = [] }: RowFilter): string[] {
  const times = { '--since': since, '--until': until };
  const words = Object.entries(times).flatMap(([flag, at]) =>
    at === undefined
      ? []
      : [flag, at === 0 ? 'all' : at % MINUTE === 0 ? minuteFrom(formatApiTime(at)) : formatApiTime(at)],
  );
  if (symbol !== undefined) words.push('--symbol', symbol);
  if (type !== undefined) words.push(...valued('--type', type));
  return [...words, ...where.flatMap(({ text }) => ['--where', text])];
}

/** Goes on where a list stopped. @param isKept whether its place was kept for --next */
export function nextCommand(list: ListRequest, user: User, isKept = false): string {
  const { cards, outcomes, cursor } = list;
  const words = ['signals', 'ls', ...(isKept ? ['--next'] : cardWords(list))];
  if (cards === Number.POSITIVE_INFINITY) words.push('--all');
  else if (!isKept || cards !== LIMITS.cardsPerPage) words.push('-n', String(cards));
  if (outcomes) words.push('--outcomes');
  if (!isKept && cursor !== undefined) words.push(...valued('--cursor', cursor));
  return commandLine(user, words);
}
