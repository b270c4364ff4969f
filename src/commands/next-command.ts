import { LIMITS } from '../api/limits.ts';
import { formatApiTime } from '../api/time.ts';
import { shellWord } from '../runtime/shell-words.ts';
import type { GlobalOptions } from './invocation.ts';
import type { ListOptions } from './list-options.ts';

/**
 * The command line that goes on where a list stopped. Times are spelled out, because a cursor is bound to the filters
 * of its page and `--since 24h` would mean another time by then.
 */
export function nextCommand(options: ListOptions, globals: Place): string {
  const words = [...programWords(globals), 'signals', 'ls'];
  if (options.since !== undefined) words.push('--since', formatApiTime(options.since));
  if (options.until !== undefined) words.push('--until', formatApiTime(options.until));
  if (options.symbol !== undefined) words.push('--symbol', options.symbol);
  if (options.type !== undefined) words.push('--type', shellWord(options.type));
  words.push(...(options.cards === Number.POSITIVE_INFINITY ? ['--all'] : ['-n', String(options.cards)]));
  if (options.outcomes) words.push('--outcomes');
  if (options.cursor !== undefined) words.push('--cursor', shellWord(options.cursor));
  return words.join(' ');
}

/** The command line that goes on with the list whose place was kept. */
export function goOnCommand({ cards, outcomes }: ListOptions, globals: Place): string {
  const words = [...programWords(globals), 'signals', 'ls', '--next'];
  if (cards === Number.POSITIVE_INFINITY) words.push('--all');
  else if (cards !== LIMITS.cardsPerPage) words.push('-n', String(cards));
  if (outcomes) words.push('--outcomes');
  return words.join(' ');
}

type Place = Pick<GlobalOptions, 'demo' | 'baseUrl'>;

/** The program and the options that say whose data it is. */
export function programWords({ demo, baseUrl }: Place): string[] {
  if (demo) return ['screener', '--demo'];
  return baseUrl === undefined ? ['screener'] : ['screener', '--base-url', shellWord(baseUrl)];
}

/** As many ids as still make a command line that one would copy. */
const WORTH_COPYING = 50;

/** The command line that shows these cards. */
export function showCommand(ids: readonly number[], globals: Place): string {
  const words = [...programWords(globals), 'signals', 'show', ...ids.slice(0, WORTH_COPYING)].join(' ');
  return ids.length > WORTH_COPYING ? `${words} … (${ids.length} ids)` : words;
}
