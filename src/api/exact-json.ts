import { isInteger, parse } from 'lossless-json';

const DEEPEST = 64;
/** A card has some 30 numbers. */
const MOST_ENTRIES = 1_000;

const LONG_INTEGER = /[[,:\s-]\d{16}/;

/**
 * Reads JSON as JSON.parse does, but an integer that a number cannot hold exactly becomes a bigint.
 * @throws SyntaxError
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (!LONG_INTEGER.test(json)) return value;
  return parse(json, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return isInteger(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** Bounds what walks it. JSON has no infinity, but `1e999` parses to one. @returns what is wrong, after "it" */
export function whyNotKept(value: unknown, levels = DEEPEST): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'holds a number too large to be kept';
  if (value === null || typeof value !== 'object') return undefined;
  if (levels === 0) return `is nested more than ${DEEPEST} levels deep`;
  const inner = Object.values(value);
  if (inner.length > MOST_ENTRIES) return `holds a list or an object of ${inner.length} entries`;
  for (const one of inner) {
    const why = whyNotKept(one, levels - 1);
    if (why !== undefined) return why;
  }
  return undefined;
}
