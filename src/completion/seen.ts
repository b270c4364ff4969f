import type { Client } from '../api/client.ts';
import type { SignalCard } from '../api/contract/resources.ts';
import type { OperationName, ResourceOf } from '../api/operations.ts';
import { keptFile } from '../runtime/kept-file.ts';

/**
 * How many values of each kind are kept, and which characters they may have. Completion writes them to a shell and a terminal,
 * and neither may take a value for a command.
 */
const KINDS = {
  symbol: { most: 500, ascii: /^[A-Z0-9]{1,32}$/, unicode: undefined },
  type: {
    most: 50,
    ascii: /^\w[\w .+/-]{0,63}$/,
    // The pattern for words beyond ASCII. It is a text, because compiling it takes 1 ms, and few values need it.
    unicode: String.raw`^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$`,
  },
} as const;

/**
 * The symbols and types that answers named, for completion of `--symbol` and `--type`. If an answer has a new name, all its names
 * move to the front; any other answer leaves the order as it is.
 */
export type Seen = Readonly<Record<keyof typeof KINDS, readonly string[]>>;

/** If the file has another shape, `keepUsable` throws, and the file counts as absent. */
function seenFile(stateDirectory: string) {
  return keptFile(stateDirectory, 'seen.json', (value) => keepUsable(value as Seen));
}

export function readSeen(stateDirectory: string): Seen {
  return seenFile(stateDirectory).read() ?? { symbol: [], type: [] };
}

export async function saveSeen(stateDirectory: string, seen: Seen): Promise<void> {
  const seenBefore = readSeen(stateDirectory);
  const { symbol, type } = keepUsable(seen);
  const areAllKnown =
    symbol.every((name) => seenBefore.symbol.includes(name)) &&
    type.every((name) => seenBefore.type.includes(name));
  // Most answers hold nothing new: the file is not written, and its order stays.
  if (areAllKnown) return;
  const merged = keepUsable({
    symbol: [...symbol, ...seenBefore.symbol],
    type: [...type, ...seenBefore.type],
  });
  await seenFile(stateDirectory).tryToWrite(merged);
}

/** The values that completion may write to a shell, each once, and at most `most` of a kind. */
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

/** The symbols and types that the answer of each operation names. */
const NAMES_IN_ANSWER: { readonly [Name in OperationName]: (answer: ResourceOf<Name>) => Seen } = {
  access: () => NO_NAMES,
  snapshot: () => NO_NAMES,
  screeners: ({ items }) => ({ symbol: [], type: items.map(({ type }) => type) }),
  signals: ({ items }) => symbolsAndTypes(items),
  signal: (card) => symbolsAndTypes([card]),
  // The user typed the type, or /screeners named it: it is not new.
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
  // Sets, because a watch gets the same names again and again, for months.
  const symbols = new Set<string>();
  const types = new Set<string>();
  return {
    client: {
      ...client,
      async call(name, params, how) {
        const resource = await client.call(name, params, how);
        const seen = NAMES_IN_ANSWER[name](resource);
        for (const symbol of seen.symbol) symbols.add(symbol);
        for (const type of seen.type) types.add(type);
        return resource;
      },
    },
    save: () => saveSeen(stateDirectory, { symbol: [...symbols], type: [...types] }),
  };
}
