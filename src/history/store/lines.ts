import * as v from 'valibot';
import { parseExactly, whyNotKept } from '../../api/answer.ts';
import { time } from '../../api/contract/primitives.ts';
import { at } from '../../api/time.ts';
import { storing } from '../../runtime/files.ts';
import { readPlainFile } from '../../runtime/plain-file.ts';

/** Bytes, fewer than a string holds; a year of everything an account can buy is some 15 MB. */
export const LARGEST_FILE = 500 << 20;

/** Epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

/** Characters: no shorter line can hold too much. */
const LONG = 4_000;

/** Takes a last line without a newline, too. @throws ScreenerError storage */
export async function readLines(path: string): Promise<string[]> {
  const text = await storing(`read ${path}`, () => readPlainFile(path, LARGEST_FILE));
  return (text ?? '').split('\n').filter((line) => line !== '');
}

/** @returns undefined if it is none, or not what the service could have sent */
export function parseJson(line: string, parse: (json: string) => unknown = parseExactly): unknown {
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
