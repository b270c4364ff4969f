import type { Client } from '../api/client.ts';
import type { SignalCard } from '../api/contract/resources.ts';
import type { OperationName, ResourceOf } from '../api/operations.ts';
import { keptFile } from '../runtime/kept-file.ts';

/**
 * The most values kept of each kind, and the characters they may have: completions are written to a shell and a terminal,
 * which must not take a value for a command. The pattern for words beyond ASCII is a text, compiled only if a value needs it:
 * that takes V8 1 ms.
 */
const KINDS = {
  symbol: { most: 500, ascii: /^[A-Z0-9]{1,32}$/, unicode: undefined },
  type: {
    most: 50,
    ascii: /^\w[\w .+/-]{0,63}$/,
    unicode: String.raw`^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$`,
  },
} as const;

/**
 * Symbols and types of answers, for completion of `--symbol` and `--type`. An answer with a new one comes first, whole; an
 * answer without changes nothing.
 */
export type Seen = Readonly<Record<keyof typeof KINDS, readonly string[]>>;

/** What is not of this shape throws in `keepUsable`, and the file then counts as absent. */
function seenFile(stateDirectory: string) {
  return keptFile(stateDirectory, 'seen.json', (value) => keepUsable(value as Seen));
}

export function readSeen(stateDirectory: string): Seen {
  return seenFile(stateDirectory).read() ?? { symbol: [], type: [] };
}

export async function saveSeen(stateDirectory: string, seen: Seen): Promise<void> {
  const before = readSeen(stateDirectory);
  const { symbol, type } = keepUsable(seen);
  const isNothingNew =
    symbol.every((name) => before.symbol.includes(name)) &&
    type.every((name) => before.type.includes(name));
  // Most answers hold nothing new: the file is not written, and its order stays.
  if (isNothingNew) return;
  const merged = keepUsable({
    symbol: [...symbol, ...before.symbol],
    type: [...type, ...before.type],
  });
  await seenFile(stateDirectory).tryToWrite(merged);
}

/** What a shell and a terminal may be given, each value once, up to the most of its kind. */
function keepUsable(seen: Seen): Seen {
  const usableOf = (kind: keyof Seen) => {
    const { most, ascii, unicode } = KINDS[kind];
    const isUsable = (text: string) =>
      ascii.test(text) || (unicode !== undefined && new RegExp(unicode, 'u').test(text));
    const texts = seen[kind].filter((value) => typeof value === 'string' && isUsable(value));
    return [...new Set(texts)].slice(0, most);
  };
  return { symbol: usableOf('symbol'), type: usableOf('type') };
}

const NO_NAMES: Seen = { symbol: [], type: [] };

/** Which symbols and types the answer of each operation names. */
const NAMED_BY: { readonly [Name in OperationName]: (answer: ResourceOf<Name>) => Seen } = {
  access: () => NO_NAMES,
  snapshot: () => NO_NAMES,
  screeners: ({ items }) => ({ symbol: [], type: items.map(({ type }) => type) }),
  signals: ({ items }) => symbolsAndTypes(items),
  signal: (card) => symbolsAndTypes([card]),
  // Its type was typed, or came from the screeners.
  stats: () => NO_NAMES,
};

function symbolsAndTypes(cards: readonly SignalCard[]): Seen {
  return {
    symbol: cards.map(({ source_symbol }) => source_symbol),
    type: cards.map(({ source_bot_type }) => source_bot_type),
  };
}

/** A client that notes the symbols and screener types of its answers; `save` writes them when the work is done. */
export function remembering(
  client: Client,
  stateDirectory: string,
): { client: Client; save: () => Promise<void> } {
  // Sets: a watch would add the same names for months.
  const symbols = new Set<string>();
  const types = new Set<string>();
  return {
    client: {
      ...client,
      async call(name, params, how) {
        const resource = await client.call(name, params, how);
        const named = NAMED_BY[name](resource);
        for (const symbol of named.symbol) symbols.add(symbol);
        for (const type of named.type) types.add(type);
        return resource;
      },
    },
    save: () => saveSeen(stateDirectory, { symbol: [...symbols], type: [...types] }),
  };
}
