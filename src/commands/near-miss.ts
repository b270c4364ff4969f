import { readSeen } from '../completion/seen.ts';
import { usageError } from '../errors.ts';
import { edits } from '../output/fields.ts';
import type { Invocation } from './invocation.ts';

/**
 * Refuses a symbol or type one slip away from a known one: the service would charge for an empty list.
 * @throws ScreenerError usage, on a terminal without --yes
 */
export function checkNearMiss(
  { context, globals, notes }: Invocation,
  given: { readonly symbol?: string | undefined; readonly type?: string | undefined },
): void {
  if (globals.demo) return;
  const isTerminal = context.stdout.isTTY && context.stderr.isTTY;
  const seen = readSeen(context.directories.state);
  for (const kind of ['symbol', 'type'] as const) {
    const word = given[kind];
    if (word === undefined || seen[kind].includes(word)) continue;
    const near = seen[kind].find((name) => isSlip(word, name));
    if (near === undefined) continue;
    const sentence = `No card of yours so far has the ${kind} ${word}; did you mean ${near}?`;
    if (isTerminal && !globals.yes) throw usageError(sentence, `Nothing was sent. If ${word} is right, add --yes.`);
    notes.warn(sentence);
  }
}

/** One letter too many, too few or wrong, or two exchanged: `BTCUSTD`. */
function isSlip(word: string, name: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  const distance = edits(word, name);
  return distance === 1 || (distance === 2 && letters(word) === letters(name));
}
