/**
 * What is for people may be a page with sentences, and an error a sentence; else an error is a line of JSON. Never depends
 * on whether stdout is a terminal. The compiler asks for a new entry's exporter (`output.ts`).
 */
export const FORMATS = {
  table: { isForPeople: true, isEndless: true },
  json: { isForPeople: false, isEndless: false },
  ndjson: { isForPeople: false, isEndless: true },
  csv: { isForPeople: false, isEndless: false },
} as const;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly Format[];

export function isFormat(word: string | undefined): word is Format {
  return word !== undefined && Object.hasOwn(FORMATS, word);
}
