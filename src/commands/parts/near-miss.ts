import { readSeen, type Seen } from '../../completion/seen.ts';
import { usageError } from '../../errors.ts';
import { edits } from '../../output/fields.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';

const DEMO: Seen = { symbol: ['BTCUSDT'], type: DEMO_TYPES };

type Named = { readonly symbol?: string | undefined; readonly type?: string | undefined };

/** The service would charge for an empty list. @throws ScreenerError usage, on a terminal without --yes */
export function checkNearMiss({ context, globals, notes }: Invocation, given: Named): void {
  const isTerminal = context.stdout.isTTY && context.stderr.isTTY;
  const seen = globals.demo ? DEMO : readSeen(context.directories.state);
  for (const kind of ['symbol', 'type'] as const) {
    const word = given[kind];
    if (word === undefined || seen[kind].includes(word)) continue;
    const symbol = word.toUpperCase();
    const isSymbol = kind === 'type' && (seen.symbol.includes(symbol) || /^[A-Z0-9]{2,32}$/.test(word));
    const near = seen[kind].find((name) => isSlip(word, name));
    if (near === undefined && !isSymbol) continue;
    const rather = isSymbol ? 'it looks like a symbol.' : `did you mean ${near}?`;
    const sentence = `No card of yours so far has the ${kind} ${word}; ${rather}`;
    const line = commandLine({ context, globals }, ['signals', 'ls', '--symbol', symbol]);
    const hint = `Nothing was sent. If ${word} is right, add --yes.${isSymbol ? ` For a symbol:\n${line}` : ''}`;
    if (isTerminal && !globals.yes) throw usageError(sentence, hint);
    notes.warn(sentence);
  }
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
