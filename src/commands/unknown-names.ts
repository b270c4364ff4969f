import { readSeen } from '../completion/seen.ts';
import { usageError } from '../errors.ts';
import { newestCards, openHistory } from '../history/history.ts';
import { edits } from '../output/fields.ts';
import { didYouMean } from './did-you-mean.ts';
import type { RowFilter } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { CONTEXT } from './where.ts';

/** More names than that are not listed. */
const MOST_NAMED = 12;

/**
 * Where nothing of a history matches: names a symbol or screener type that it has no card of, and what there is. An
 * unknown name is no error, because the same script may run before the first card of a type has come.
 */
export async function explainEmpty({ notes }: Invocation, directory: string, filter: RowFilter): Promise<void> {
  const { symbol, type, where = [] } = filter;
  const asked = where.flatMap(({ field }) => (field.startsWith(CONTEXT) ? [field.slice(CONTEXT.length)] : []));
  if (symbol === undefined && type === undefined && asked.length === 0) return;
  const symbols = new Map<string, number>();
  const types = new Map<string, number>();
  const keys = new Map<string, number>();
  for await (const cards of newestCards(await openHistory(directory, notes), {})) {
    for (const { source_symbol, source_bot_type, entry_context } of cards) {
      count(symbols, source_symbol);
      count(types, source_bot_type);
      for (const key of Object.keys(entry_context ?? {})) count(keys, key);
    }
  }
  const unknownKey = asked.find((key) => !keys.has(key));
  if (unknownKey !== undefined) notes.note(unknown('entry_context key', unknownKey, keys));
  if (symbol !== undefined && !symbols.has(symbol)) notes.note(unknown('symbol', symbol, symbols));
  if (type !== undefined && !types.has(type)) notes.note(unknown('type', type, types));
}

function count(names: Map<string, number>, name: unknown): void {
  if (typeof name === 'string') names.set(name, (names.get(name) ?? 0) + 1);
}

function unknown(what: string, given: string, names: ReadonlyMap<string, number>): string {
  const byCards = [...names].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const rest = byCards.length > MOST_NAMED ? `, and ${byCards.length - MOST_NAMED} more` : '';
  return `The history has no card of ${what} ${given}.${didYouMean(given, byCards)} It has: ${byCards.slice(0, MOST_NAMED).join(', ')}${rest}.`;
}

/**
 * On a terminal a symbol or type that was never seen, but is one slip away from one that was, is refused: the service
 * would take the credit and answer with an empty list. In a script it is sent: nobody is there to be asked.
 * @throws ScreenerError usage
 */
export function checkNearMiss(
  { context, globals }: Pick<Invocation, 'context' | 'globals'>,
  given: { readonly symbol?: string | undefined; readonly type?: string | undefined },
): void {
  if (globals.demo || !context.stdout.isTTY || !context.stderr.isTTY) return;
  const seen = readSeen(context.directories.state);
  for (const kind of ['symbol', 'type'] as const) {
    const word = given[kind];
    if (word === undefined || seen[kind].includes(word)) continue;
    const near = seen[kind].find((name) => isSlip(word, name));
    if (near === undefined) continue;
    throw usageError(
      `No card of yours so far has the ${kind} ${word}; did you mean ${near}?`,
      `Nothing was sent. If ${word} is right, add \`| cat\`: this is checked on a terminal only.`,
    );
  }
}

function isSlip(word: string, name: string): boolean {
  return Math.abs(word.length - name.length) <= 1 && (edits(word, name) === 1 || isSwapped(word, name));
}

/** Two neighbouring letters exchanged: `BTCUSTD`. */
function isSwapped(word: string, name: string): boolean {
  const at = [...word].findIndex((letter, index) => letter !== name[index]);
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === name;
}
