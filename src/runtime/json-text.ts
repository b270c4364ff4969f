/** Reads and writes JSON without losing a digit of an integer: what the service sent, and what is kept of that. */
import * as lossless from 'lossless-json';

/** A number that begins with 16 digits. The smallest integer that a number cannot hold exactly has as many. */
const LONG_INTEGER = /[[,:\s-]\d{16}/;

/**
 * Reads JSON as JSON.parse does, but an integer that a number cannot hold exactly becomes a bigint.
 * @throws SyntaxError
 */
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
  const isExact = !lossless.isInteger(text) || Number.isSafeInteger(number);
  return isExact ? number : BigInt(text);
}

/**
 * The JSON text of a value. Everything that the service sent is written by this function: a large integer is a bigint in
 * it, for which JSON.stringify throws, and comes out to the digit.
 * @param indent blanks for each level; without it the text is one line
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    // Several times as fast as the other one.
    return JSON.stringify(value, undefined, indent);
  } catch {
    return lossless.stringify(value, undefined, indent) ?? '';
  }
}

/** How many levels of lists and objects may lie within each other. */
const DEEPEST = 64;
/** How many entries one list or object may have. A card has some 30. */
const MOST_ENTRIES = 1_000;

/**
 * Says why a value is not kept: it may be too deep or too large for functions that walk it, or hold a number that no JSON
 * text can hold (`1e999` is read as infinity).
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
