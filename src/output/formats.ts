/**
 * What is for people may be a page with sentences, and an error a sentence; else an error is a line of JSON. Never depends
 * on whether stdout is a terminal. One with columns writes a resource as the rows of a list in it
 * (`View.rows`). The compiler asks for a new entry's exporter (`output.ts`).
 */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true, hasColumns: false },
  json: { isForPeople: false, isEndless: false, hasColumns: false },
  ndjson: { isForPeople: false, isEndless: true, hasColumns: false },
  csv: { isForPeople: false, isEndless: false, hasColumns: true },
} as const;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

export function isFormat(word: string | undefined): word is Format {
  return word !== undefined && Object.hasOwn(FORMATS, word);
}
