import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { parseExactly } from '../../api/exact-json.ts';
import { at } from '../../api/time.ts';
import { storing } from '../../runtime/files.ts';
import { readPlainFile } from '../../runtime/plain-file.ts';

/** Bytes, fewer than a string holds; a year of everything an account can buy is some 15 MB. */
const LARGEST_FILE = 500 << 20;

/** Epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

export type Parse = (json: string) => unknown;

/** Takes a last line without a newline, too. @param most bytes @throws ScreenerError storage */
export async function readLines(path: string, most = LARGEST_FILE): Promise<string[]> {
  const text = await storing(`read ${path}`, () => readPlainFile(path, most));
  return text?.split('\n').filter((line) => line !== '') ?? [];
}

export function parseJson(line: string, parse: Parse = parseExactly): unknown {
  try {
    return parse(line);
  } catch {
    return undefined;
  }
}

/** Leaves out a line that is no value, or was cut off. @throws ScreenerError storage */
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
