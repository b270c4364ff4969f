import * as v from 'valibot';
import { badAnswer, describeIssue } from './bad-answer.ts';
import { Envelope } from './contract/envelope.ts';

/** Deeper than anything the document shows; bounds the recursion of everything that walks an answer. */
const DEPTH_CAP = 64;

/**
 * From bytes to the Envelope of part 2.
 * @throws ScreenerError bad_answer, naming what does not match and where
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const text = decode(body);
  const value = parse(text);
  const odd = oddNumber(value);
  if (odd !== undefined && (odd.infinite || hasRoundedInteger(text))) {
    throw badAnswer(`${odd.path.replace(/^\./, '') || 'the answer'}: a number too large to be kept exactly`);
  }
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  if (!checked.success) throw badAnswer(`it is not the API's Envelope (${describeIssue(checked.issues[0])})`);
  return value as Envelope;
}

/**
 * Checks a resource against its schema of part 2. The resource itself is what goes on: never a copy, so unknown
 * fields are kept as they came.
 * @throws ScreenerError bad_answer with the path, for example `response.items[3].id`
 */
export function checkResource<S extends v.GenericSchema>(schema: S, resource: unknown): v.InferOutput<S> {
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success) throw badAnswer(describeIssue(checked.issues[0], 'response'));
  return resource as v.InferOutput<S>;
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw badAnswer('it is not UTF-8 text', { cause });
  }
}

function parse(text: string): unknown {
  const start = text.trimStart();
  if (start === '') throw badAnswer('it is empty');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badAnswer(start.startsWith('<') ? 'it is a web page (HTML), not JSON' : 'it is not valid JSON', { cause });
  }
}

interface OddNumber {
  readonly infinite: boolean;
  readonly path: string;
}

/**
 * A number that JSON.parse may have changed: one that is no longer finite, else the first one beyond the exact integers.
 * An answer may hold millions of numbers, so nothing is made for those that are as they were.
 */
function oddNumber(value: unknown, depth = 0): OddNumber | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { infinite: true, path: '' };
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? { infinite: false, path: '' } : undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  if (depth > DEPTH_CAP) throw badAnswer(`it is nested more than ${DEPTH_CAP} levels deep`);
  let first: OddNumber | undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const odd = oddNumber((value as Record<number | string, unknown>)[key], depth + 1);
    if (odd === undefined || (first !== undefined && !odd.infinite)) continue;
    first = { infinite: odd.infinite, path: `${typeof key === 'number' ? `[${key}]` : `.${key}`}${odd.path}` };
    if (odd.infinite) return first;
  }
  return first;
}

/** Whether an integer literal outside of strings differs from the number it was parsed to. */
function hasRoundedInteger(json: string): boolean {
  const token = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [text] = found;
    if (text === '"') token.lastIndex = endOfString(json, token.lastIndex);
    else if (/^-?\d{16,}$/.test(text) && BigInt(text) !== written(Number(text))) return true;
  }
  return false;
}

/** The integer that JSON.stringify would write for it: for 2^60 that is another one, though the double is exact. */
function written(value: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

/** Past the quote that ends a string. A regular expression would do, but not for a string of several megabytes. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslash = quote;
    while (json[backslash - 1] === '\\') backslash -= 1;
    if ((quote - backslash) % 2 === 0) return quote + 1;
  }
  return json.length;
}
