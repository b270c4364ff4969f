/** `--picked FILE`: ids of the cards that the user acted on. */
import { usageError } from '../../errors.ts';
import { readInputFile } from '../../runtime/files.ts';
import { parseExactly } from '../../runtime/json-text.ts';
import type { Invocation } from './invocation.ts';
import { readPipedIds } from './prompt.ts';

const HINT =
  'A line holds one id, or a card as NDJSON with its `id`. `screener help recipes` makes such a file from a CSV.';

/** How many characters of a wrong line the error repeats. */
const MOST_REPEATED = 60;

interface PickedIds {
  /** Texts of digits, so that an id beyond 2^53 stays exact; each id once, in the order of the file. */
  readonly ids: ReadonlySet<string>;
  /** How many lines have an id of an earlier line. */
  readonly repeatedLines: number;
}

/**
 * @param file `-` is standard input
 * @throws ScreenerError usage, if a line is no id; storage, if the file cannot be read
 */
export async function readPickedIds({ context }: Invocation, file: string): Promise<PickedIds> {
  const isPiped = file === '-';
  const text = isPiped
    ? await readPipedIds(context, 'Pipe the ids in, or name a file.')
    : await readInputFile(file);
  const name = isPiped ? 'standard input' : file;
  const ids = new Set<string>();
  let repeatedLines = 0;
  for (const [i, line] of text.split('\n').entries()) {
    const content = line.trim();
    if (content === '') continue;
    const id = idIn(content);
    if (id === undefined) {
      const repeated = content.slice(0, MOST_REPEATED);
      throw usageError(`--picked: line ${i + 1} of ${name} has no card id: '${repeated}'.`, HINT);
    }
    if (ids.has(id)) repeatedLines += 1;
    ids.add(id);
  }
  return { ids, repeatedLines };
}

/** The digits of a number from 1 on. A number with more than 31 digits is no id: no service has such ids. */
const ID = /^0*([1-9]\d{0,30})$/;

function idIn(line: string): string | undefined {
  if (!line.startsWith('{')) return ID.exec(line)?.[1];
  try {
    const { id } = parseExactly(line) as { readonly id?: unknown };
    return ID.exec(String(id))?.[1];
  } catch {
    return undefined;
  }
}
