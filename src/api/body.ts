import * as v from 'valibot';
import { ScreenerError } from '../errors.ts';
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
  const odd = firstOddNumber(value, '', 0);
  if (odd !== undefined && (odd.infinite || hasRoundedInteger(text))) {
    throw badAnswer(`${odd.path || 'the answer'}: a number too large to be kept exactly`);
  }
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  if (!checked.success) throw badAnswer(`it is not the API's Envelope (${describe(checked.issues[0])})`);
  return value as Envelope;
}

/**
 * Checks a resource against its schema of part 2. The resource itself is what goes on: never a copy, so unknown
 * fields are kept as they came.
 * @throws ScreenerError bad_answer with the path, for example `response.items[3].id`
 */
export function checkResource<S extends v.GenericSchema>(schema: S, resource: unknown): v.InferOutput<S> {
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success) throw badAnswer(describe(checked.issues[0], 'response'));
  return resource as v.InferOutput<S>;
}

export function badAnswer(
  what: string,
  details: { status?: number; hint?: string; cause?: unknown } = {},
): ScreenerError {
  return new ScreenerError('bad_answer', `The answer does not match the API document: ${what}.`, {
    hint: 'Check the base URL; if it is right, the service has changed or something on the way answers for it.',
    ...details,
  });
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

/** The first number that JSON.parse may have changed: beyond the exact integers, or no longer finite. */
function firstOddNumber(value: unknown, path: string, depth: number): { path: string; infinite: boolean } | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { path, infinite: true };
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? { path, infinite: false } : undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  if (depth > DEPTH_CAP) throw badAnswer(`it is nested more than ${DEPTH_CAP} levels deep`);
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
    const odd = firstOddNumber(inner, `${path}${step}`, depth + 1);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

/** Whether an integer literal outside of strings differs from the number it was parsed to. */
function hasRoundedInteger(text: string): boolean {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs)) {
    if (!/^-?\d{16,}$/.test(token)) continue;
    if (BigInt(token) !== BigInt(Number(token))) return true;
  }
  return false;
}

function describe(issue: v.BaseIssue<unknown>, root = ''): string {
  const path = (issue.path ?? []).reduce(
    (before, step) =>
      before + (typeof step.key === 'number' ? `[${step.key}]` : `${before === '' ? '' : '.'}${String(step.key)}`),
    root,
  );
  const what = issue.kind === 'schema' && issue.type !== 'custom' ? missingOrWrong(issue) : issue.message;
  return path === '' ? what : `${path}: ${what}`;
}

function missingOrWrong(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'missing';
  return `expected ${issue.expected ?? 'another type'}, got ${kindOf(issue.input)}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'an array' : `a ${typeof input}`.replace('a object', 'an object');
}
