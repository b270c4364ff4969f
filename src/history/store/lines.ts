/** Reads the lines of the files of a history. A damaged line gives no value. */
import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at } from '../../api/time.ts';
import { withStorageErrors } from '../../runtime/files.ts';
import { parseExactly, whyNotKept } from '../../runtime/json-text.ts';
import { forEachLine } from '../../runtime/plain-file.ts';

/**
 * The largest file that is read, in bytes: 500 MiB. Its text still fits in one string of Node, which holds some 537 million
 * characters. All that an account can buy in a year takes some 15 MB.
 */
export const LARGEST_FILE = 500 * 1024 * 1024;

/** Parses a time of the API to epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

/** A line of at most this many characters cannot hold values that are nested too deep, or that have too many entries. */
const LONGEST_SAFE_LINE = 4_000;

/**
 * Finds text that may be a number above 1.8e308, such as `1e999`. Such a number is parsed as infinity, which JSON does not have. It
 * has an exponent of three digits, or at least 210 digits before the point: with 209 digits and the largest exponent of two digits,
 * `e99`, it stays below.
 */
const MAYBE_INFINITE = /[eE]\+?\d{3}|[[,:\s-]\d{210}/;

/**
 * Visits the lines that are not empty, one after the other, without keeping them.
 * @param visit is called with each line and its number, from 1 on
 * @throws ScreenerError storage
 */
export async function visitLines(
  path: string,
  visit: (line: string, number: number) => void,
): Promise<void> {
  let number = 0;
  await withStorageErrors(`read ${path}`, () =>
    forEachLine(path, LARGEST_FILE, (line) => {
      number += 1;
      if (line !== '') visit(line, number);
    }),
  );
}

/** Parses a line. @returns undefined if the line is no JSON, or holds what the service cannot have sent */
export function parseJson(line: string, parse: (json: string) => unknown = parseExactly): unknown {
  try {
    const value = parse(line);
    const isDoubtful = line.length > LONGEST_SAFE_LINE || MAYBE_INFINITE.test(line);
    if (isDoubtful && whyNotKept(value) !== undefined) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

/** The lines of a file that cannot be read, because they are damaged or were cut off. */
export interface DamageCount {
  readonly count: number;
  /** The number of the first such line, counted from 1; undefined if there is none. */
  readonly first: number | undefined;
}

/** The values of a file's lines. */
export interface ValuesOfFile<T> {
  /** In the file's order. */
  readonly values: T[];
  readonly damaged: DamageCount;
}

/**
 * Reads those lines of a file that follow a schema. All other lines count as damaged. They are not kept, so that millions of them
 * take no memory.
 * @throws ScreenerError storage
 */
export async function readValues<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<ValuesOfFile<v.InferOutput<S>>> {
  const values: v.InferOutput<S>[] = [];
  let count = 0;
  let first: number | undefined;
  await visitLines(path, (line, number) => {
    const { success, output } = v.safeParse(schema, parseJson(line), { abortEarly: true });
    if (success) {
      values.push(output);
      return;
    }
    count += 1;
    first ??= number;
  });
  return { values, damaged: { count, first } };
}
