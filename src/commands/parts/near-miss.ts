/** Warns of a symbol or type that looks mistyped, or refuses it, before an empty list is paid for. */

import { edits } from '../../base/near-names.ts';
import { readSeen, type Seen } from '../../completion/seen.ts';
import { usageError } from '../../errors.ts';
import { DEMO_TYPES } from '../../sandbox/names.ts';
import type { Invocation } from './invocation.ts';
import { commandLine } from './next-command.ts';

const NAMES_OF_DEMO: Seen = { symbol: ['BTCUSDT'], type: DEMO_TYPES };

type NameKind = 'symbol' | 'type';

/** The filters of a list, as they were typed. */
type TypedNames = { readonly [Kind in NameKind]?: string | undefined };

/**
 * Warns of a symbol or type that no card so far has, if the name looks mistyped: the service charges for an empty list, too. On a
 * terminal without --yes the name is an error.
 * @returns whether a type was typed that could not be checked, because the program has not seen any type yet
 * @throws ScreenerError usage
 */
export async function checkNearMiss(invocation: Invocation, typed: TypedNames): Promise<boolean> {
  if (typed.type === undefined && typed.symbol === undefined) return false;
  const seen = invocation.globals.demo ? NAMES_OF_DEMO : await seenHere(invocation);
  await checkName(invocation, 'symbol', typed.symbol, seen);
  await checkName(invocation, 'type', typed.type, seen);
  return typed.type !== undefined && seen.type.length === 0;
}

/** @throws ScreenerError usage, on a terminal without --yes */
async function checkName(
  invocation: Invocation,
  kind: NameKind,
  word: string | undefined,
  seen: Seen,
): Promise<void> {
  if (word === undefined || seen[kind].includes(word)) return;
  const guess = guessOf(invocation, kind, word, seen);
  if (guess === undefined || (await isInHistory(invocation, kind, word))) return;
  const { context, globals, notes } = invocation;
  const sentence = `No card of yours so far has the ${kind} ${word}; ${guess.words}`;
  if (context.stdout.isTTY && context.stderr.isTTY && !globals.yes) {
    const hint = `Nothing was sent. If ${word} is right, add --yes.${guess.hint}`;
    throw usageError(sentence, hint);
  }
  notes.warn(sentence);
}

/** What the user may have meant. */
interface Guess {
  /** Ends the sentence "No card of yours so far has the type X; …": `did you mean pump?` */
  readonly words: string;
  /** More of the error's hint, with a command line to copy; empty if there is none. */
  readonly hint: string;
}

/** @returns undefined if the word does not look like a typing mistake */
function guessOf(
  invocation: Invocation,
  kind: NameKind,
  word: string,
  seen: Seen,
): Guess | undefined {
  const symbol = word.toUpperCase();
  const isKnownSymbol = seen.symbol.includes(symbol);
  // If no type is known yet, capitals say nothing: types may be in capitals, too.
  const isLikeSymbol = seen.type.length > 0 && /^[A-Z0-9]{2,32}$/.test(word);
  const inOtherCase = seen[kind].find((name) => name.toLowerCase() === word.toLowerCase());
  if (inOtherCase !== undefined) return { words: `did you mean ${inOtherCase}?`, hint: '' };
  if (kind === 'type' && (isKnownSymbol || isLikeSymbol)) {
    const line = commandLine(invocation, 'signals ls', { '--symbol': symbol });
    return { words: 'it looks like a symbol.', hint: ` For a symbol:\n${line}` };
  }
  const name = seen[kind].find((seenName) => isSlip(word, seenName));
  return name === undefined ? undefined : { words: `did you mean ${name}?`, hint: '' };
}

/** The names in earlier answers of the service, and the types in the newest look at the screeners. */
async function seenHere(invocation: Invocation): Promise<Seen> {
  const { symbol, type } = readSeen(invocation.context.directories.state);
  return { symbol, type: [...type, ...(await typesInHistory(invocation))] };
}

/** The types in the newest look of the default history; empty if there is no history that can be read. */
async function typesInHistory(invocation: Invocation): Promise<string[]> {
  // Loaded only here, because most commands name no type or symbol.
  const { findHistory } = await import('./find-history.ts');
  try {
    const history = await findHistory(invocation, undefined);
    const looks = await history.looks();
    return looks.at(-1)?.screeners.items.map((screener) => screener.type) ?? [];
  } catch {
    return [];
  }
}

/**
 * Whether the default history has a card with the name. It is asked because the names of earlier answers are only the newest few
 * hundred. False if there is no history that can be read.
 */
async function isInHistory(invocation: Invocation, kind: NameKind, name: string): Promise<boolean> {
  if (invocation.globals.demo) return false;
  const { findHistory } = await import('./find-history.ts');
  try {
    const history = await findHistory(invocation, undefined);
    const { done = false } = await history.cards({ [kind]: name }).next();
    return !done;
  } catch {
    return false;
  }
}

/** The text of an empty list. It says how to check the name: otherwise a mistyped name would seem to be a screener without cards. */
export function emptyListText({ symbol, type }: TypedNames): string {
  if (type !== undefined)
    return `No cards of type ${type}. Check the name: \`screener screeners\`.`;
  if (symbol !== undefined)
    return `No cards of symbol ${symbol}. Check the name, for example BTCUSDT.`;
  return 'No cards.';
}

/** Whether the word is a mistyped form of the name `BTCUSDT`: its beginning (`BTC`), one letter wrong, or two exchanged (`BTCUSTD`). */
function isSlip(word: string, name: string): boolean {
  if (name.startsWith(word)) return true;
  const distance = edits(word, name);
  const hasSameLetters = distance === 2 && sortedLetters(word) === sortedLetters(name);
  return distance === 1 || hasSameLetters;
}

function sortedLetters(text: string): string {
  return [...text].sort().join('');
}
