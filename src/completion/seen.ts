import { join } from 'node:path';
import type { Client } from '../api/client.ts';
import type { Screeners, SignalCard, SignalDetail, SignalPage } from '../api/contract/resources.ts';
import { readSmallFile } from '../runtime/small-file.ts';

/** What the last answers contained, most recent first, for completion of `--symbol` and `--type`. */
export interface Seen {
  readonly symbol: readonly string[];
  readonly type: readonly string[];
}

/** Enough for every market of an exchange; the file stays below some 10 KB. */
const MOST: Readonly<Record<keyof Seen, number>> = { symbol: 500, type: 50 };

const MOST_BYTES = 1 << 20;

/**
 * Values come from the network and go to a shell and a terminal: only letters, digits and signs that mean nothing to
 * either are let through, none of them invisible. A colon, `=` and `@` would break words in bash. A symbol is what the
 * API's filter takes.
 */
function isAllowed(kind: keyof Seen, value: string): boolean {
  if (kind === 'symbol') return /^[A-Z0-9]{1,32}$/.test(value);
  // The second says the same for every script. V8 takes a millisecond for it, so it comes after the usual case.
  return (
    /^\w[\w .+/-]{0,63}$/.test(value) ||
    (/^[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$/u.test(value) && !/\p{Default_Ignorable_Code_Point}/u.test(value))
  );
}

export function seenPath(stateDirectory: string): string {
  return join(stateDirectory, 'seen.json');
}

/** What is remembered; nothing where there is no file, or none that can be read. */
export function readSeen(stateDirectory: string): Seen {
  try {
    const value = JSON.parse(readSmallFile(seenPath(stateDirectory), MOST_BYTES)) as Record<string, unknown> | null;
    return { symbol: usable('symbol', value?.symbol), type: usable('type', value?.type) };
  } catch {
    return { symbol: [], type: [] };
  }
}

/**
 * Remembers values, the most recent first. Reads a small file; writes it, as a new file that is renamed, only where
 * something was not known yet. Never fails: this is a convenience. Of two processes that write at once one wins, and
 * the other's values come again with the next answer.
 */
export async function saveSeen(stateDirectory: string, found: Seen): Promise<void> {
  const before = readSeen(stateDirectory);
  const after = { symbol: merged('symbol', found, before), type: merged('type', found, before) };
  if (after.symbol === before.symbol && after.type === before.type) return;
  // Loaded here: at a TAB nothing is written.
  const { makeDirectory, replaceFile } = await import('../runtime/files.ts');
  await makeDirectory(stateDirectory)
    .then(() => replaceFile(seenPath(stateDirectory), `${JSON.stringify(after)}\n`, false))
    .catch(() => undefined);
}

function merged(kind: keyof Seen, found: Seen, before: Seen): readonly string[] {
  const known = new Set(before[kind]);
  const values = usable(kind, found[kind]);
  if (values.every((value) => known.has(value))) return before[kind];
  return [...new Set([...values, ...before[kind]])].slice(0, MOST[kind]);
}

function usable(kind: keyof Seen, values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  const texts = values.filter((value): value is string => typeof value === 'string' && isAllowed(kind, value));
  return [...new Set(texts)].slice(0, MOST[kind]);
}

/** A client that notes the symbols and screener types of its answers; `save` writes them when the work is done. */
export function remembering(client: Client, stateDirectory: string): { client: Client; save: () => Promise<void> } {
  const symbols = new Set<string>();
  const types = new Set<string>();
  const keepCard = ({ source_symbol, source_bot_type }: SignalCard) => {
    symbols.add(source_symbol);
    types.add(source_bot_type);
  };
  return {
    client: {
      ...client,
      async call(name, params, signal, how) {
        const resource = await client.call(name, params, signal, how);
        if (name === 'signals') (resource as SignalPage).items.forEach(keepCard);
        else if (name === 'signal') keepCard(resource as SignalDetail);
        else if (name === 'screeners') for (const { type } of (resource as Screeners).items) types.add(type);
        return resource;
      },
    },
    save: () => saveSeen(stateDirectory, { symbol: [...symbols], type: [...types] }),
  };
}
