import { type History, newestCards } from '../history/history.ts';
import { nearest } from '../output/fields.ts';
import type { RowFilter } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { CONTEXT } from './where.ts';

/** More names than that are not listed. */
const MOST_NAMED = 12;

/**
 * Where nothing of a history matches: names a symbol or screener type that it has no card of, and what there is. An
 * unknown name is no error, because the same script may run before the first card of a type has come.
 */
export async function explainEmpty({ notes }: Invocation, history: History, filter: RowFilter): Promise<void> {
  const { symbol, type, where = [] } = filter;
  const asked = where.flatMap(({ field }) => (field.startsWith(CONTEXT) ? [field.slice(CONTEXT.length)] : []));
  if (symbol === undefined && type === undefined && asked.length === 0) return;
  const symbols = new Map<string, number>();
  const types = new Map<string, number>();
  const keys = new Map<string, number>();
  for await (const cards of newestCards(history, {})) {
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
  const near = nearest(given, byCards);
  const guess = near === undefined ? '' : ` Did you mean ${near}?`;
  const rest = byCards.length > MOST_NAMED ? `, and ${byCards.length - MOST_NAMED} more` : '';
  return `The history has no card of ${what} ${given}.${guess} It has: ${byCards.slice(0, MOST_NAMED).join(', ')}${rest}.`;
}
