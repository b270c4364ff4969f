import { parse } from 'lossless-json';

/** Bounds the recursion of everything that walks an answer. */
const DEEPEST = 64;

const LONG_INTEGER = /[[,:\s-]\d{16}/;

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/**
 * Reads JSON as JSON.parse does, but an integer that a number cannot hold exactly becomes a bigint.
 * @throws SyntaxError; TooDeep
 */
export function parseExactly(json: string): unknown {
  // JSON.parse would take seconds for 14 MB of brackets, and Ctrl-C would wait.
  if (isTooDeep(json)) throw new TooDeep(`it is nested more than ${DEEPEST} levels deep`);
  const value: unknown = JSON.parse(json);
  if (!LONG_INTEGER.test(json)) return value;
  return parse(json, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });
}

const AS_NUMBERS_ARE_WRITTEN = /^-?\d{1,17}0*$/;

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  if (!/^-?\d{16,}$/.test(text)) return value;
  const exact = BigInt(text);
  return AS_NUMBERS_ARE_WRITTEN.test(text) && exact === written(value) ? value : exact;
}

/** The integer that JSON.stringify writes for a number: for 2^60 that is another one, though the number is exact. */
function written(value: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfString(json, at + 1);
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) depth += 1;
    else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslash = quote;
    while (json.charCodeAt(backslash - 1) === BACKSLASH) backslash -= 1;
    if ((quote - backslash) % 2 === 0) return quote;
  }
  return json.length;
}
