import * as v from 'valibot';
import { time } from '../../api/contract/primitives.ts';
import { at } from '../../api/time.ts';
import { storing } from '../../runtime/files.ts';
import { parseExactly, whyNotKept } from '../../runtime/json-text.ts';
import { forEachLine } from '../../runtime/plain-file.ts';

/** Bytes: fewer than a string can hold. A year of everything that an account can buy has some 15 MB. */
export const LARGEST_FILE = 500 << 20;

/** Epoch milliseconds UTC. */
export const timestamp = v.pipe(time, v.transform(at));

/** Characters. A shorter line cannot hold a value that is nested too deep, or has too many entries. */
const LONG = 4_000;

/** JSON has no infinity, but `1e999` parses to one. */
const HUGE_EXPONENT = /[eE]\+?\d{3}/;

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
  await storing(`read ${path}`, () =>
    forEachLine(path, LARGEST_FILE, (line) => {
      number += 1;
      if (line !== '') visit(line, number);
    }),
  );
}

/** @returns undefined if the line is no JSON, or holds what the service cannot have sent */
export function parseJson(line: string, parse: (json: string) => unknown = parseExactly): unknown {
  try {
    const value = parse(line);
    const isDoubtful = line.length > LONG || HUGE_EXPONENT.test(line);
    return isDoubtful && whyNotKept(value) !== undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The lines of a file that are no value, or were cut off. */
export interface DamageCount {
  readonly count: number;
  /** The number of the first one; undefined if there is none. */
  readonly first: number | undefined;
}

export interface Values<T> {
  /** In the file's order. */
  readonly values: T[];
  readonly damaged: DamageCount;
}

/** Keeps no damaged line, so that a file with millions of them takes no memory. @throws ScreenerError storage */
export async function readValues<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<Values<v.InferOutput<S>>> {
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
