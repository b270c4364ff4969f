import type { OperationName, ParamsOf, ResourceOf } from '../api/operations.ts';
import type { Client } from '../api/types.ts';
import { type Seen, saveSeen } from './seen.ts';

/** More distinct names than that are not kept: a run may see any number of cards. */
const MOST = 1000;

interface Remembering {
  /** Passes every call on, and keeps the symbols and screener types of the answers in memory. */
  readonly client: Client;
  /** To be called when the command's work is done: it writes a file. */
  save(): Promise<void>;
}

/** Lets completion know what the answers contained. */
export function remembering(client: Client, stateDirectory: string): Remembering {
  const symbols = new Set<string>();
  const types = new Set<string>();
  const card = ({ source_symbol, source_bot_type }: { source_symbol: string; source_bot_type: string }) => {
    if (symbols.size < MOST) symbols.add(source_symbol);
    if (types.size < MOST) types.add(source_bot_type);
  };
  const look = <N extends OperationName>(name: N, params: ParamsOf<N>, resource: ResourceOf<N>) => {
    const answer = { name, resource } as Answer;
    if (answer.name === 'signals') answer.resource.items.forEach(card);
    else if (answer.name === 'signal') card(answer.resource);
    else if (answer.name === 'screeners') for (const { type } of answer.resource.items) types.add(type);
    // What the figures are called where no type was asked for is not shown in the API document.
    else if (answer.name === 'stats' && 'screener_type' in params && params.screener_type !== undefined) {
      types.add(answer.resource.screener_type);
    }
  };
  return {
    client: {
      async call(name, params, signal, recheck) {
        const resource = await client.call(name, params, signal, recheck);
        look(name, params, resource);
        return resource;
      },
    },
    async save() {
      if (symbols.size === 0 && types.size === 0) return;
      const found: Seen = { symbol: [...symbols], type: [...types] };
      await saveSeen(stateDirectory, found);
    },
  };
}

type Answer = { [N in OperationName]: { readonly name: N; readonly resource: ResourceOf<N> } }[OperationName];
