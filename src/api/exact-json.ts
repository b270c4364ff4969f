import { parse } from 'lossless-json';

/** Deeper than anything the API document shows; bounds the recursion of everything that walks an answer. */
const DEEPEST = 64;

/** Where a number may stand, and digits that it may not hold. A text that looks so costs time, no more. */
const LONG_INTEGER = /[[,:\s-]\d{16}/;

export class TooDeep extends Error {
  override readonly name = 'TooDeep';
  constructor() {
    super(`it is nested more than ${DEEPEST} levels deep`);
  }
}

/**
 * Reads JSON as JSON.parse does, but an integer that a number cannot hold exactly becomes a bigint.
 * @throws SyntaxError; TooDeep
 */
export function parseExactly(json: string): unknown {
  // JSON.parse comes first in any case: it is the one that says what is JSON.
  const value: unknown = JSON.parse(json);
  if (isDeeper(DEEPEST, value)) throw new TooDeep();
  if (!LONG_INTEGER.test(json)) return value;
  return parse(json, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d{16,}$/.test(text) && BigInt(text) !== written(value) ? BigInt(text) : value;
}

/** The integer that JSON.stringify writes for a number: for 2^60 that is another one, though the number is exact. */
function written(value: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

function isDeeper(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(levels - 1, inner));
}
