/** Files of lines, one JSON value a line. */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { parseExactly } from '../../api/exact-json.ts';
import { at } from '../../api/time.ts';
import { readPlainFile, storing } from '../../runtime/files.ts';

/** A year of everything an account can buy is some 15 MB; a file beyond this is no month of cards. Bytes. */
const LARGEST_FILE = 512 << 20;

/** An answer is capped at 16 MB, so no line of an export is longer; a longer one is damage and is not parsed. Bytes. */
const LONGEST_LINE = 32 << 20;

/** A time as epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

/** How a line becomes a value. @throws where it is none */
export type Parse = (json: string) => unknown;

/**
 * The lines of a file as it was when it was opened, without newlines; empty ones are left out, and the last one may lack
 * its newline. A missing file has no lines.
 * @param most bytes
 * @throws ScreenerError storage
 */
export async function readLines(path: string, most = LARGEST_FILE): Promise<Buffer[]> {
  const bytes = await storing(`read ${path}`, () => readPlainFile(path, most));
  const lines: Buffer[] = [];
  let from = 0;
  while (bytes !== undefined && from < bytes.length) {
    const newline = bytes.indexOf('\n', from);
    const to = newline === -1 ? bytes.length : newline;
    if (to > from) lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
}

/** A line's JSON; undefined where it is none. */
export function parseJson(line: Buffer, parse: Parse = parseExactly): unknown {
  if (line.length > LONGEST_LINE) return undefined;
  try {
    // No card is so long: what is, may be a million brackets, and `parseExactly` bounds their depth.
    return (line.length > 65_536 ? parseExactly : parse)(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The values of a file of lines; a line that is none, or was cut off, is left out. @throws ScreenerError storage */
export async function readValues<S extends v.GenericSchema>(
  path: string,
  schema: S,
  most?: number,
): Promise<v.InferOutput<S>[]> {
  return (await readLines(path, most)).flatMap((line) => {
    const { success, output } = v.safeParse(schema, parseJson(line));
    return success ? [output] : [];
  });
}
