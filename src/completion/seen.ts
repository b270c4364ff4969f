import type { Client } from '../api/client.ts';
import type { Screeners, SignalCard, SignalDetail, SignalPage } from '../api/contract/resources.ts';
import { keptFile } from '../runtime/kept-file.ts';

/**
 * How many are kept, and which: they go to a shell and a terminal, so only signs that mean nothing to either pass.
 * The pattern for words beyond ASCII is a text: V8 takes 1 ms to read such classes, used or not.
 */
const KINDS = {
  symbol: { most: 500, plain: /^[A-Z0-9]{1,32}$/, any: undefined },
  type: {
    most: 50,
    plain: /^\w[\w .+/-]{0,63}$/,
    any: String.raw`^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$`,
  },
} as const;

/** What the last answers contained, most recent first, for completion of `--symbol` and `--type`. */
export type Seen = Readonly<Record<keyof typeof KINDS, readonly string[]>>;

function seenFile(stateDirectory: string) {
  return keptFile(stateDirectory, 'seen.json', (value) => usable(value as Seen));
}

export function readSeen(stateDirectory: string): Seen {
  return seenFile(stateDirectory).read() ?? { symbol: [], type: [] };
}

export async function saveSeen(stateDirectory: string, found: Seen): Promise<void> {
  const before = readSeen(stateDirectory);
  const { symbol, type } = usable(found);
  if (
    symbol.every((one) => before.symbol.includes(one)) &&
    type.every((one) => before.type.includes(one))
  )
    return;
  const merged = usable({ symbol: [...symbol, ...before.symbol], type: [...type, ...before.type] });
  await seenFile(stateDirectory).tryToWrite(merged);
}

function usable(found: Seen): Seen {
  const of = (kind: keyof Seen) => {
    const { most, plain, any } = KINDS[kind];
    const isUsable = (text: string) =>
      plain.test(text) || (any !== undefined && new RegExp(any, 'u').test(text));
    const texts = found[kind].filter((value) => typeof value === 'string' && isUsable(value));
    return [...new Set(texts)].slice(0, most);
  };
  return { symbol: of('symbol'), type: of('type') };
}

/** A client that notes the symbols and screener types of its answers; `save` writes them when the work is done. */
export function remembering(
  client: Client,
  stateDirectory: string,
): { client: Client; save: () => Promise<void> } {
  // A watch sees the same ones for months.
  const symbols = new Set<string>();
  const types = new Set<string>();
  const keepCard = (card: SignalCard) => {
    symbols.add(card.source_symbol);
    types.add(card.source_bot_type);
  };
  return {
    client: {
      ...client,
      async call(name, params, how) {
        const resource = await client.call(name, params, how);
        if (name === 'signals') (resource as SignalPage).items.forEach(keepCard);
        else if (name === 'signal') keepCard(resource as SignalDetail);
        else if (name === 'screeners')
          for (const { type } of (resource as Screeners).items) types.add(type);
        return resource;
      },
    },
    save: () => saveSeen(stateDirectory, { symbol: [...symbols], type: [...types] }),
  };
}
