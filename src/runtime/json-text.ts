/** Reads and writes JSON of the service without losing a digit of an integer. */
import * as lossless from 'lossless-json';

/** A number that begins with 16 digits: the smallest integer that a JavaScript number cannot hold exactly has 16. */
const LONG_INTEGER = /(?:^|[[,:\s-])\d{16}/;

/** Reads JSON. An integer that a JavaScript number cannot hold exactly becomes a bigint. @throws SyntaxError */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  // The parser that loses no digit is several times slower.
  if (!LONG_INTEGER.test(json)) return value;
  return lossless.parse(json, undefined, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

function readNumber(text: string): number | bigint {
  const number = Number(text);
  // A fraction may lose digits: only an integer becomes a bigint.
  const needsBigInt = lossless.isInteger(text) && !Number.isSafeInteger(number);
  return needsBigInt ? BigInt(text) : number;
}

/**
 * The JSON text of a value. All values of the service are written by this function: they may hold a bigint, for which
 * JSON.stringify throws.
 * @param indent blanks for each level; without it the text is one line
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    // `JSON.stringify` is several times as fast as `lossless.stringify`.
    return JSON.stringify(value, undefined, indent);
  } catch {
    return lossless.stringify(value, undefined, indent) ?? '';
  }
}

/** How many levels of lists and objects a value may have. */
const DEEPEST = 64;
/** How many entries one list or object may have. A card has some 30. */
const MOST_ENTRIES = 1_000;

/**
 * Says why a value of the service is not kept: it is too deep or too large, or holds a number that cannot be written as JSON
 * (`1e999` is read as infinity).
 * @returns a sentence without its subject: `holds a number too large to be kept`; undefined for a value that is kept
 */
export function whyNotKept(value: unknown, levelsLeft = DEEPEST): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'holds a number too large to be kept';
  if (value === null || typeof value !== 'object') return undefined;
  if (levelsLeft === 0) return `is nested more than ${DEEPEST} levels deep`;
  const entries = Object.values(value);
  if (entries.length > MOST_ENTRIES)
    return `holds a list or an object of ${entries.length} entries`;
  for (const entry of entries) {
    const why = whyNotKept(entry, levelsLeft - 1);
    if (why !== undefined) return why;
  }
  return undefined;
}
