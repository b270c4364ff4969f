import { safeParse } from 'valibot';
import { usageError } from '../../errors.ts';
import type { Context } from '../../runtime/context.ts';
import { readInput } from './input.ts';
import type { Invocation } from './invocation.ts';
import { cardId } from './values.ts';

/**
 * For `-` reads standard input: words, and lines of `signals ls --ndjson`. A repeated id is asked for, and paid, once.
 * @throws ScreenerError usage
 */
export async function readIds({ context, notes }: Invocation, given: readonly (number | '-')[]): Promise<number[]> {
  const ids = (await Promise.all(given.map((id) => (id === '-' ? idsOfInput(context) : [id])))).flat();
  if (ids.length === 0) notes.note('Standard input contains no ids.');
  return [...new Set(ids)];
}

async function idsOfInput(context: Context): Promise<number[]> {
  if (context.stdin.isTTY) {
    throw usageError(
      '`-` reads ids from standard input, but that is a terminal.',
      'Pipe the ids in, or give them as arguments.',
    );
  }
  const lines = (await readInput(context)).split('\n');
  return lines
    .flatMap((line) => (line.trim().startsWith('{') ? [idOf(line)] : (line.match(/\S+/g) ?? [])))
    .map((word) => {
      const { success, output } = safeParse(cardId, word);
      if (success) return output;
      throw usageError(`A card's id is a whole number from 1, not '${word}'.`, '`screener signals ls` shows the ids.');
    });
}

/** A line that is broken JSON is no id either. */
function idOf(line: string): string {
  try {
    return String((JSON.parse(line) as { id?: unknown }).id);
  } catch {
    return line;
  }
}
