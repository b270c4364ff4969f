import { readSeen, type Seen } from '../../completion/seen.ts';
import type { Work } from '../../credits/estimate.ts';
import { usageError } from '../../errors.ts';
import { edits } from '../../output/fields.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import { confirmCost } from './confirm-cost.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';

const DEMO: Seen = { symbol: ['BTCUSDT'], type: DEMO_TYPES };

type Named = { readonly symbol?: string | undefined; readonly type?: string | undefined };

/**
 * The service would charge for an empty list. A type that nothing is known of is asked about, whatever `work` costs.
 * @returns whether it was asked about @throws ScreenerError usage, on a terminal without --yes; as `confirmCost`
 */
export async function checkNearMiss(
  invocation: Invocation,
  given: Named,
  work: readonly Work[] = [],
): Promise<boolean> {
  const { context, globals, notes } = invocation;
  if (given.type === undefined && given.symbol === undefined) return false;
  const isTerminal = context.stdout.isTTY && context.stderr.isTTY;
  const seen = globals.demo ? DEMO : await seenHere(invocation);
  for (const kind of ['symbol', 'type'] as const) {
    const word = given[kind];
    if (word === undefined || seen[kind].includes(word)) continue;
    const symbol = word.toUpperCase();
    const isSymbol = kind === 'type' && (seen.symbol.includes(symbol) || /^[A-Z0-9]{2,32}$/.test(word));
    const near = seen[kind].find((name) => isSlip(word, name));
    if (near === undefined && !isSymbol) continue;
    const rather = isSymbol ? 'it looks like a symbol.' : `did you mean ${near}?`;
    const sentence = `No card of yours so far has the ${kind} ${word}; ${rather}`;
    const line = commandLine(invocation, 'signals ls', { '--symbol': symbol });
    const hint = `Nothing was sent. If ${word} is right, add --yes.${isSymbol ? ` For a symbol:\n${line}` : ''}`;
    if (isTerminal && !globals.yes) throw usageError(sentence, hint);
    notes.warn(sentence);
  }
  return given.type !== undefined && seen.type.length === 0 && confirmCost(invocation, work, 0);
}

/** In the last answers, and in the last look at the screeners that the default history has. */
async function seenHere(invocation: Invocation): Promise<Seen> {
  const { symbol, type } = readSeen(invocation.context.directories.state);
  // Loaded only where a type or symbol is named.
  const { findHistory } = await import('./find-history.ts');
  const history = await findHistory(invocation, undefined);
  const looks = await history.looks().catch(() => []);
  return { symbol, type: [...type, ...(looks.at(-1)?.screeners.items ?? []).map((item) => item.type)] };
}

/** An empty list was paid for: a wrong name must not pass for a silent screener. */
export function emptyOf({ symbol, type }: Named): string {
  if (type !== undefined) return `No cards of type ${type}. Check the name: \`screener screeners\`.`;
  return symbol === undefined ? 'No cards.' : `No cards of symbol ${symbol}. Check the name, for example BTCUSDT.`;
}

/** The beginning; one letter too many, too few or wrong, or two exchanged: `BTC`, `BTCUSTD`. */
function isSlip(word: string, name: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  const distance = edits(word, name);
  return name.startsWith(word) || distance === 1 || (distance === 2 && letters(word) === letters(name));
}
