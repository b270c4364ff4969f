import * as v from 'valibot';
import { badAnswer, describeIssue, TOO_LARGE } from './bad-answer.ts';
import { Envelope } from './contract/envelope.ts';
import { parseExactly, TooDeep } from './exact-json.ts';

/**
 * From bytes to the Envelope of part 2. An integer that a number cannot hold exactly is a bigint in it.
 * @throws ScreenerError bad_answer, naming what does not match and where
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const text = decode(body);
  const value = parse(text);
  const infinite = LARGE_EXPONENT.test(text) ? findInfinite(value) : undefined;
  if (infinite !== undefined) throw badAnswer(`${infinite.replace(/^\./, '') || 'the answer'}: ${TOO_LARGE}`);
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
    return parseExactly(text);
  } catch (cause) {
    if (cause instanceof TooDeep) throw badAnswer(cause.message, { cause });
    throw badAnswer(start.startsWith('<') ? 'it is a web page (HTML), not JSON' : 'it is not valid JSON', { cause });
  }
}

/** JSON has no infinity, but `1e999` parses to one, which no JSON could hold afterwards. */
const LARGE_EXPONENT = /[eE]\+?\d{3}|\d{309}/;

/** Where an answer holds an infinite number; undefined where it holds none. */
function findInfinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (value === null || typeof value !== 'object') return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const path = findInfinite((value as Record<number | string, unknown>)[key]);
    if (path !== undefined) return `${typeof key === 'number' ? `[${key}]` : `.${key}`}${path}`;
  }
  return undefined;
}
