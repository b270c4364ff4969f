import type { Client } from '../api/client.ts';
import type { Screeners, SignalCard, SignalDetail, SignalPage } from '../api/contract/resources.ts';
import { keptFile } from '../runtime/kept-file.ts';

/** What the last answers contained, most recent first, for completion of `--symbol` and `--type`. */
export interface Seen {
  readonly symbol: readonly string[];
  readonly type: readonly string[];
}

const MOST: Readonly<Record<keyof Seen, number>> = { symbol: 500, type: 50 };

// Texts, because V8 takes 1 ms to read such patterns, used or not.
const WORDS = String.raw`^[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$`;
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}`;

/** Values go to a shell and a terminal: only visible signs that mean nothing to either pass. */
function isAllowed(kind: keyof Seen, value: string): boolean {
  if (kind === 'symbol') return /^[A-Z0-9]{1,32}$/.test(value);
  return new RegExp(WORDS, 'u').test(value) && !new RegExp(INVISIBLE, 'u').test(value);
}

function seenFile(stateDirectory: string) {
  return keptFile(stateDirectory, 'seen.json', (value) => value as Partial<Record<keyof Seen, unknown>>);
}

export function readSeen(stateDirectory: string): Seen {
  const kept = seenFile(stateDirectory).read();
  return {
    get symbol() {
      return usable('symbol', kept?.symbol);
    },
    get type() {
      return usable('type', kept?.type);
    },
  };
}

export async function saveSeen(stateDirectory: string, found: Seen): Promise<void> {
  const before = readSeen(stateDirectory);
  const isNew = (kind: keyof Seen) => usable(kind, found[kind]).some((value) => !before[kind].includes(value));
  if (!isNew('symbol') && !isNew('type')) return;
  const merged = (kind: keyof Seen) => usable(kind, [...found[kind], ...before[kind]]);
  await seenFile(stateDirectory).tryToWrite({ symbol: merged('symbol'), type: merged('type') });
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
      async call(name, params, how) {
        const resource = await client.call(name, params, how);
        if (name === 'signals') (resource as SignalPage).items.forEach(keepCard);
        else if (name === 'signal') keepCard(resource as SignalDetail);
        else if (name === 'screeners') for (const { type } of (resource as Screeners).items) types.add(type);
        return resource;
      },
    },
    save: () => saveSeen(stateDirectory, { symbol: [...symbols], type: [...types] }),
  };
}
