/** From an answer's bytes to its resource, or to the service's own text about what went wrong. */
import * as v from 'valibot';
import { BadResource, badAnswer, describeIssue, TOO_LARGE } from './bad-answer.ts';
import { Envelope } from './contract/resources.ts';
import { parseExactly, TooDeep } from './exact-json.ts';
import type { RawAnswer } from './transport.ts';

/** Characters of the service's own text that are shown. */
const LONGEST_QUOTE = 1000;

/** Takes the key out of a text of the service, which may repeat it. Before the text is cut: half a key is one too. */
type Conceal = (text: string) => string;

/**
 * The resource in an answer of status 200.
 * @throws ScreenerError bad_answer
 */
export function resourceOf(answer: RawAnswer, conceal: Conceal): object {
  const envelope = readEnvelope(answer);
  if (envelope.hasError) {
    const said = envelope.errors ? `. The service said: ${quoted(conceal(envelope.errors))}` : '';
    throw badAnswer(`status 200, but hasError is true${said}`, { status: 200 });
  }
  if (envelope.response === null) throw badAnswer('response is null where a resource belongs', { status: 200 });
  return envelope.response;
}

/** @returns the service's own text; undefined if the body is no Envelope */
export function errorTextOf(answer: RawAnswer, conceal: Conceal): string | undefined {
  try {
    const { errors } = readEnvelope(answer);
    return errors === null ? undefined : quoted(conceal(errors));
  } catch {
    return undefined;
  }
}

/**
 * Checks a resource against its schema of part 2. The resource itself is what goes on: never a copy, so unknown
 * fields are kept as they came.
 * @throws ScreenerError bad_answer with the path, for example `response.items[3].id`
 */
export function checkResource<S extends v.GenericSchema>(schema: S, resource: unknown): v.InferOutput<S> {
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success) throw new BadResource(describeIssue(checked.issues[0], 'response'), resource);
  return resource as v.InferOutput<S>;
}

/**
 * From bytes to the Envelope of part 2. An integer that a number cannot hold exactly is a bigint in it.
 * @throws ScreenerError bad_answer, naming what does not match and where
 */
export function readEnvelope(answer: Pick<RawAnswer, 'headers' | 'body'>): Envelope {
  const text = decode(answer);
  const value = parse(text);
  const infinite = LARGE_EXPONENT.test(text) ? findInfinite(value) : undefined;
  if (infinite !== undefined) throw badAnswer(`${infinite.replace(/^\./, '') || 'the answer'}: ${TOO_LARGE}`);
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  if (!checked.success) throw badAnswer(`it is not the API's Envelope (${describeIssue(checked.issues[0])})`);
  return value as Envelope;
}

function decode({ headers, body }: Pick<RawAnswer, 'headers' | 'body'>): string {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') throw badAnswer('it has a content encoding nobody asked for');
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
    if (start.startsWith('<')) throw badAnswer('it is a web page (HTML), not JSON', { cause });
    throw badAnswer(cause instanceof TooDeep ? cause.message : 'it is not valid JSON', { cause });
  }
}

/**
 * JSON has no infinity, but `1e999` parses to one, which no JSON could hold afterwards. Each run of digits is read once,
 * from its start.
 */
const LARGE_EXPONENT = /[eE]\+?\d{3}|(?<!\d)\d{309}/;

function findInfinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (value === null || typeof value !== 'object') return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const path = findInfinite((value as Record<number | string, unknown>)[key]);
    if (path !== undefined) return `${typeof key === 'number' ? `[${key}]` : `.${key}`}${path}`;
  }
  return undefined;
}

function quoted(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
