import * as lossless from 'lossless-json';
import * as v from 'valibot';
import { type FailureScope, ScreenerError } from '../errors.ts';
import type { Secrets } from '../runtime/context.ts';
import { Envelope } from './contract/resources.ts';
import type { Echo, Subject } from './operations.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What a body is: the service's own Envelope, a web page in its place, or something else. */
export type AnswerBody = 'envelope' | 'html' | 'other';

export type ReadAnswer =
  | { readonly body: 'envelope'; readonly envelope: Envelope }
  /** `breach`: what to throw where a resource belongs. */
  | { readonly body: Exclude<AnswerBody, 'envelope'>; readonly breach: ScreenerError };

/** Reads a body once, whatever the status. In an Envelope an integer that a number cannot hold is a bigint. */
export function readAnswer({ body }: Pick<RawAnswer, 'body'>): ReadAnswer {
  let text = '';
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body).trimStart();
    value = parseExactly(text);
  } catch (cause) {
    if (text.startsWith('<'))
      return { body: 'html', breach: foreign('it is a web page (HTML), not JSON', cause) };
    return { body: 'other', breach: foreign('it is not valid JSON', cause) };
  }
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  if (checked.success) return { body: 'envelope', envelope: value as Envelope };
  const why = describeIssue(checked.issues[0]);
  return { body: 'other', breach: foreign(`it is not the API's Envelope (${why})`) };
}

/** What is no Envelope is not the service's word: another answer may be. */
function foreign(what: string, cause?: unknown): ScreenerError {
  return badAnswer(what, { cause, scope: 'moment' });
}

/** @param answer of status 200 @param subject of the operation that was asked @throws ScreenerError bad_answer */
export function resourceOf(
  answer: ReadAnswer,
  secrets: Pick<Secrets, 'hide'>,
  subject: Subject,
): object {
  if (answer.body !== 'envelope') throw answer.breach;
  const { hasError, errors, response } = answer.envelope;
  if (hasError) {
    const said = errors ? `. The service said: ${secrets.hide(errors)}` : '';
    throw badAnswer(`status 200, but hasError is true${said}`, { status: 200, scope: subject });
  }
  if (response === null) {
    const what = 'response is null where a resource belongs';
    throw badAnswer(what, { status: 200, scope: subject });
  }
  return response;
}

/** @returns the service's own text, without the key; undefined if there is none */
export function errorTextOf(
  answer: ReadAnswer,
  secrets: Pick<Secrets, 'hide'>,
): string | undefined {
  const errors = answer.body === 'envelope' ? answer.envelope.errors : null;
  return errors === null ? undefined : secrets.hide(errors);
}

/**
 * @param subject of the operation that was asked
 * @returns the resource itself @throws ScreenerError bad_answer with the path: `response.items[3].id`
 */
export function checkResource<S extends v.GenericSchema>(
  schema: S,
  resource: unknown,
  subject: Subject = 'operation',
): v.InferOutput<S> {
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success)
    throw badAnswer(describeIssue(checked.issues[0], 'response'), {
      cause: resource,
      scope: subject,
    });
  const why = whyNotKept(resource);
  if (why !== undefined) throw badAnswer(`it ${why}`, { cause: resource, scope: subject });
  return resource as v.InferOutput<S>;
}

/** @returns whether a list has items of something else @throws ScreenerError bad_answer where one thing is another one */
export function checkEcho(resource: object, echo: Echo, subject: Subject): boolean {
  const { items } = resource as { readonly items?: readonly Echo[] };
  const otherIn = (of: Echo) =>
    Object.keys(echo).find((name) => echo[name] !== undefined && of[name] !== echo[name]);
  if (items !== undefined) return items.some((item) => otherIn(item) !== undefined);
  const said = resource as Echo;
  const other = otherIn(said);
  if (other !== undefined)
    throw badAnswer(`response.${other}: '${said[other]}', but '${echo[other]}' was asked for`, {
      scope: subject,
    });
  return false;
}

/** @param what goes on from "does not match: …" */
export function breachMessage(what: string): string {
  return `The answer does not match the API document: ${what}.`;
}

export const BREACH_HINT =
  'Check the base URL. If it is right, the service has changed, or a proxy answers in its place.';

interface Breach {
  readonly status?: number;
  readonly cause?: unknown;
  /** What else would be answered likewise: the whole operation, unless it is known to be less. */
  readonly scope?: FailureScope;
}

/** Exit code 9: what the server sent is not what the API document says. `what` as in `breachMessage`. */
export function badAnswer(what: string, breach: Breach = {}): ScreenerError {
  return new ScreenerError('bad_answer', breachMessage(what), { hint: BREACH_HINT, ...breach });
}

/** Where a schema was not met, and how: `response.items[3].id: missing`. */
export function describeIssue(issue: v.BaseIssue<unknown>, root = ''): string {
  const steps = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${String(key)}`,
  );
  const path = `${root}${steps.join('')}`.replace(/^\./, '');
  const what = whatIsWrong(issue);
  return path === '' ? what : `${path}: ${what}`;
}

function whatIsWrong({
  kind,
  type,
  received,
  expected,
  input,
  message,
}: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || type === 'custom') return message;
  if (received === 'undefined') return 'missing';
  if (typeof input === 'bigint') return 'a number too large to be kept exactly';
  return `expected ${expected ?? 'another type'}, got ${input === null ? 'null' : typeof input}`;
}

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
  const parseNumber = (text: string) =>
    lossless.isInteger(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);
  return lossless.parse(json, undefined, {
    parseNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Bounds what walks it. JSON has no infinity, but `1e999` parses to one. @returns what is wrong, after "it" */
export function whyNotKept(value: unknown, levels = DEEPEST): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'holds a number too large to be kept';
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
