import { edits } from '../../base/near-names.ts';
import { readSeen, type Seen } from '../../completion/seen.ts';
import { usageError } from '../../errors.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';

const DEMO: Seen = { symbol: ['BTCUSDT'], type: DEMO_TYPES };

type Named = { readonly symbol?: string | undefined; readonly type?: string | undefined };

/**
 * The service would charge for an empty list.
 * @returns whether nothing is known of a type that could tell @throws ScreenerError usage, on a terminal without --yes
 */
export async function checkNearMiss(invocation: Invocation, given: Named): Promise<boolean> {
  const { context, globals, notes } = invocation;
  if (given.type === undefined && given.symbol === undefined) return false;
  const seen = globals.demo ? DEMO : await seenHere(invocation);
  for (const kind of ['symbol', 'type'] as const) {
    const word = given[kind];
    if (word === undefined || seen[kind].includes(word)) continue;
    const symbol = word.toUpperCase();
    const isSymbol =
      kind === 'type' && (seen.symbol.includes(symbol) || /^[A-Z0-9]{2,32}$/.test(word));
    const near = seen[kind].find((name) => isSlip(word, name));
    if (near === undefined && !isSymbol) continue;
    const rather = isSymbol ? 'it looks like a symbol.' : `did you mean ${near}?`;
    const sentence = `No card of yours so far has the ${kind} ${word}; ${rather}`;
    const line = isSymbol
      ? ` For a symbol:\n${commandLine(invocation, 'signals ls', { '--symbol': symbol })}`
      : '';
    if (context.stdout.isTTY && context.stderr.isTTY && !globals.yes)
      throw usageError(sentence, `Nothing was sent. If ${word} is right, add --yes.${line}`);
    notes.warn(sentence);
  }
  return given.type !== undefined && seen.type.length === 0;
}

/** In the last answers, and in the last look at the screeners that the default history has. */
async function seenHere(invocation: Invocation): Promise<Seen> {
  const { symbol, type } = readSeen(invocation.context.directories.state);
  // Loaded only where a type or symbol is named.
  const { findHistory } = await import('./find-history.ts');
  const looks = await (await findHistory(invocation, undefined)).looks().catch(() => []);
  return {
    symbol,
    type: [...type, ...(looks.at(-1)?.screeners.items ?? []).map((item) => item.type)],
  };
}

/** An empty list was paid for: a wrong name must not pass for a silent screener. */
export function emptyOf({ symbol, type }: Named): string {
  if (type !== undefined)
    return `No cards of type ${type}. Check the name: \`screener screeners\`.`;
  return symbol === undefined
    ? 'No cards.'
    : `No cards of symbol ${symbol}. Check the name, for example BTCUSDT.`;
}

/** The beginning; one letter too many, too few or wrong, or two exchanged: `BTC`, `BTCUSTD`. */
function isSlip(word: string, name: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  const distance = edits(word, name);
  return (
    name.startsWith(word) || distance === 1 || (distance === 2 && letters(word) === letters(name))
  );
}
