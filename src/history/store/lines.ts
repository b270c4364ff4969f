import * as v from 'valibot';
import { parseExactly, whyNotKept } from '../../api/answer.ts';
import { time } from '../../api/contract/primitives.ts';
import { at } from '../../api/time.ts';
import { storing } from '../../runtime/files.ts';
import { readPlainBytes } from '../../runtime/plain-file.ts';

/** Bytes, fewer than a string holds; a year of everything an account can buy is some 15 MB. */
export const LARGEST_FILE = 500 << 20;

/** Epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

/** Characters: no shorter line can hold too much. */
const LONG = 4_000;

export type Parse = (json: string) => unknown;

/** Takes a last line without a newline, too. @throws ScreenerError storage */
export async function readLines(path: string): Promise<string[]> {
  const bytes = (await storing(`read ${path}`, () => readPlainBytes(path, LARGEST_FILE))) ?? Buffer.of();
  const lines: string[] = [];
  // One text of the whole file would stay in memory with its lines.
  for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
    const newline = bytes.indexOf(10, from);
    to = newline < 0 ? bytes.length : newline;
    if (to > from) lines.push(bytes.toString('utf8', from, to));
  }
  return lines;
}

/** @returns undefined if it is none, or not what the service could have sent */
export function parseJson(line: string, parse: Parse = parseExactly): unknown {
  try {
    const value = parse(line);
    return line.length > LONG && whyNotKept(value) !== undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

/** @returns `damaged`: the numbers of lines that are no value, or were cut off @throws ScreenerError storage */
export async function readValues<S extends v.GenericSchema>(path: string, schema: S) {
  const values: v.InferOutput<S>[] = [];
  const damaged: number[] = [];
  for (const [index, line] of (await readLines(path)).entries()) {
    const { success, output } = v.safeParse(schema, parseJson(line));
    if (success) values.push(output);
    else damaged.push(index + 1);
  }
  return { values, damaged };
}
