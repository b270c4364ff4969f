import { edits } from '../../base/near-names.ts';
import { readSeen, type Seen } from '../../completion/seen.ts';
import { usageError } from '../../errors.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';

const DEMO: Seen = { symbol: ['BTCUSDT'], type: DEMO_TYPES };

type NameKind = 'symbol' | 'type';

/** By which cards a list is asked for, as it was typed. */
type TypedNames = { readonly [Kind in NameKind]?: string | undefined };

/**
 * Warns of a symbol or type that no card so far has, if it looks like a slip: the service would charge for an empty list.
 * @returns whether a type was typed that could not be checked, because the program has never seen one
 * @throws ScreenerError usage, on a terminal without --yes
 */
export async function checkNearMiss(invocation: Invocation, typed: TypedNames): Promise<boolean> {
  if (typed.type === undefined && typed.symbol === undefined) return false;
  const seen = invocation.globals.demo ? DEMO : await seenHere(invocation);
  checkName(invocation, 'symbol', typed.symbol, seen);
  checkName(invocation, 'type', typed.type, seen);
  return typed.type !== undefined && seen.type.length === 0;
}

/** @throws ScreenerError usage, on a terminal without --yes */
function checkName(
  invocation: Invocation,
  kind: NameKind,
  word: string | undefined,
  seen: Seen,
): void {
  if (word === undefined || seen[kind].includes(word)) return;
  const guess = guessOf(invocation, kind, word, seen);
  if (guess === undefined) return;
  const { context, globals, notes } = invocation;
  const sentence = `No card of yours so far has the ${kind} ${word}; ${guess.words}`;
  if (context.stdout.isTTY && context.stderr.isTTY && !globals.yes) {
    const hint = `Nothing was sent. If ${word} is right, add --yes.${guess.hint}`;
    throw usageError(sentence, hint);
  }
  notes.warn(sentence);
}

/** What was meant. */
interface Guess {
  /** The second half of a sentence. */
  readonly words: string;
  /** What follows the hint, a command line to copy; else empty. */
  readonly hint: string;
}

function guessOf(
  invocation: Invocation,
  kind: NameKind,
  word: string,
  seen: Seen,
): Guess | undefined {
  const symbol = word.toUpperCase();
  const looksLikeSymbol = seen.symbol.includes(symbol) || /^[A-Z0-9]{2,32}$/.test(word);
  if (kind === 'type' && looksLikeSymbol) {
    const line = commandLine(invocation, 'signals ls', { '--symbol': symbol });
    return { words: 'it looks like a symbol.', hint: ` For a symbol:\n${line}` };
  }
  const name = seen[kind].find((seenName) => isSlip(word, seenName));
  return name === undefined ? undefined : { words: `did you mean ${name}?`, hint: '' };
}

/** Names in the last answers, and in the last look at the screeners that the default history has. */
async function seenHere(invocation: Invocation): Promise<Seen> {
  const { symbol, type } = readSeen(invocation.context.directories.state);
  // Loaded only where a type or symbol is named.
  const { findHistory } = await import('./find-history.ts');
  const history = await findHistory(invocation, undefined);
  const looks = await history.looks().catch(() => []);
  const screeners = looks.at(-1)?.screeners.items ?? [];
  return { symbol, type: [...type, ...screeners.map((screener) => screener.type)] };
}

/** What is said of an empty list: it was paid for, and a wrong name must not pass for a silent screener. */
export function emptyOf({ symbol, type }: TypedNames): string {
  if (type !== undefined)
    return `No cards of type ${type}. Check the name: \`screener screeners\`.`;
  if (symbol !== undefined)
    return `No cards of symbol ${symbol}. Check the name, for example BTCUSDT.`;
  return 'No cards.';
}

/** Whether the word is a beginning of the name (`BTC`), or has one letter wrong, or two exchanged (`BTCUSTD`). */
function isSlip(word: string, name: string): boolean {
  if (name.startsWith(word)) return true;
  const distance = edits(word, name);
  const areExchanged = distance === 2 && sortedLetters(word) === sortedLetters(name);
  return distance === 1 || areExchanged;
}

function sortedLetters(text: string): string {
  return [...text].sort().join('');
}
