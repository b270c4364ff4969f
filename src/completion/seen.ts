import { join } from 'node:path';
import type { Client } from '../api/client.ts';
import type { Screeners, SignalCard, SignalDetail, SignalPage } from '../api/contract/resources.ts';
import { readStateFile } from '../runtime/plain-file.ts';

/** What the last answers contained, most recent first, for completion of `--symbol` and `--type`. */
export interface Seen {
  readonly symbol: readonly string[];
  readonly type: readonly string[];
}

/** Every market of an exchange. */
const MOST: Readonly<Record<keyof Seen, number>> = { symbol: 500, type: 50 };

const MOST_BYTES = 1 << 20;

/** Values go to a shell and a terminal: only visible signs that mean nothing to either pass. */
function isAllowed(kind: keyof Seen, value: string): boolean {
  if (kind === 'symbol') return /^[A-Z0-9]{1,32}$/.test(value);
  return /^[\p{L}\p{N}_][\p{L}\p{N}_ .+/-]{0,63}$/u.test(value) && !/\p{Default_Ignorable_Code_Point}/u.test(value);
}

export function seenPath(stateDirectory: string): string {
  return join(stateDirectory, 'seen.json');
}

export function readSeen(stateDirectory: string): Seen {
  try {
    const value: Partial<Seen> | null = JSON.parse(
      readStateFile(stateDirectory, seenPath(stateDirectory), MOST_BYTES) ?? '',
    );
    return { symbol: usable('symbol', value?.symbol), type: usable('type', value?.type) };
  } catch {
    return { symbol: [], type: [] };
  }
}

/** Never fails: completion is a convenience. */
export async function saveSeen(stateDirectory: string, found: Seen): Promise<void> {
  const before = readSeen(stateDirectory);
  const isNew = (kind: keyof Seen) => usable(kind, found[kind]).some((value) => !before[kind].includes(value));
  if (!isNew('symbol') && !isNew('type')) return;
  const merged = (kind: keyof Seen) => usable(kind, [...found[kind], ...before[kind]]);
  // Files load here: a TAB writes nothing.
  const { makeDirectory, replaceFile } = await import('../runtime/files.ts');
  const text = `${JSON.stringify({ symbol: merged('symbol'), type: merged('type') })}\n`;
  await makeDirectory(stateDirectory)
    .then(() => replaceFile(seenPath(stateDirectory), text))
    .catch(() => undefined);
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
