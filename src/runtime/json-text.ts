/** JSON in which no digit of an integer is lost: of the service, and of what is kept of it. */
import * as lossless from 'lossless-json';

/** Sixteen digits in a row where a number begins: the smallest integer that a number may not hold has as many. */
const LONG_INTEGER = /[[,:\s-]\d{16}/;

/**
 * Reads JSON as JSON.parse does, but an integer that a number cannot hold exactly becomes a bigint.
 * @throws SyntaxError
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  // The other parser is several times slower.
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
 * The JSON text of a value: the one way to write what the service sent, in which an integer that a number cannot hold is
 * a bigint. Such an integer comes out to the digit.
 * @param indent blanks a level; without it the text is one line
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    // Several times as fast, and right for all but a bigint, for which it throws.
    return JSON.stringify(value, undefined, indent);
  } catch {
    return lossless.stringify(value, undefined, indent) ?? '';
  }
}

/** Levels of lists and objects within each other. */
const DEEPEST = 64;
/** Of one list or object. A card has some 30. */
const MOST_ENTRIES = 1_000;

/**
 * Bounds what walks a value, and refuses what no JSON text can hold: `1e999` is read as infinity.
 * @returns why it is not kept, a sentence without its subject: `holds a number too large to be kept`; undefined if it is
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
