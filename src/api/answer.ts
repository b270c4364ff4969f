/** Reads the resource out of an answer's bytes, and checks it against the API document and the request. */
import * as v from 'valibot';
import type { ScreenerError } from '../errors.ts';
import type { Secrets } from '../runtime/context.ts';
import { parseExactly, whyNotKept } from '../runtime/json-text.ts';
import { BREACH_HINT, badAnswer, describeIssue, SERVICE_HINT, WEB_PAGE_HINT } from './breach.ts';
import { Envelope } from './contract/resources.ts';
import type { Echo, Subject } from './operations.ts';

/** An answer as it came over HTTP. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What a body is: the service's own Envelope, a web page in its place, or something else. */
export type BodyKind = 'envelope' | 'html' | 'other';

interface EnvelopeBody {
  readonly kind: 'envelope';
  /** A bigint stands in it for each integer that a number cannot hold exactly. */
  readonly envelope: Envelope;
}

interface ForeignBody {
  readonly kind: Exclude<BodyKind, 'envelope'>;
  /** The error for a caller that needs a resource from this body. */
  readonly breach: ScreenerError;
}

export type Body = EnvelopeBody | ForeignBody;

/** Reads the body of an answer of any status. */
export function readBody(bytes: Uint8Array): Body {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
    value = parseExactly(text);
  } catch (cause) {
    if (isWebPage(bytes)) return foreign('html', 'it is a web page (HTML), not JSON', cause);
    const isTooDeep = cause instanceof RangeError;
    return foreign('other', isTooDeep ? 'it is nested too deep' : 'it is not valid JSON', cause);
  }
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  // The value itself is kept: `checked.output` would be a copy.
  if (checked.success) return { kind: 'envelope', envelope: value as Envelope };
  const fault = describeIssue(checked.issues[0]);
  return foreign('other', `it is not the API's Envelope (${fault})`);
}

/** Whether a body begins with `<`. Its encoding may be any: the block page of a provider is not always UTF-8. */
function isWebPage(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trimStart().startsWith('<');
}

/** A body that did not come from the service. The fault may pass: the next request may reach the service. */
function foreign(kind: ForeignBody['kind'], what: string, cause?: unknown): ForeignBody {
  const hint = kind === 'html' ? WEB_PAGE_HINT : BREACH_HINT;
  return { kind, breach: badAnswer(what, { cause, scope: 'moment', hint }) };
}

/**
 * The resource in the body of an answer with status 200.
 * @param subject what a failure of the operation is about
 * @throws ScreenerError bad_answer
 */
export function resourceIn(body: Body, secrets: Pick<Secrets, 'hide'>, subject: Subject): object {
  if (body.kind !== 'envelope') throw body.breach;
  const { hasError, errors, response } = body.envelope;
  const details = { status: 200, scope: subject, hint: SERVICE_HINT };
  if (hasError) {
    // `badAnswer` adds the full stop.
    const words = secrets.hide(errors ?? '').replace(/\.$/, '');
    const quote = words === '' ? '' : `. The service said: ${words}`;
    throw badAnswer(`status 200, but hasError is true${quote}`, details);
  }
  if (response === null) throw badAnswer('response is null where a resource belongs', details);
  return response;
}

/** @returns the service's own text, without the key; undefined if there is none */
export function errorTextIn(body: Body, secrets: Pick<Secrets, 'hide'>): string | undefined {
  const errors = body.kind === 'envelope' ? body.envelope.errors : null;
  return errors === null ? undefined : secrets.hide(errors);
}

/**
 * Checks a resource against its schema.
 * @param subject what a failure of the operation is about
 * @returns the resource itself
 * @throws ScreenerError bad_answer; for a fault of the schema with the path: `response.items[3].id: missing`. Its cause is the
 *   resource.
 */
export function checkResource<S extends v.GenericSchema>(
  schema: S,
  resource: unknown,
  subject: Subject = 'operation',
): v.InferOutput<S> {
  const details = { cause: resource, scope: subject };
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success) throw badAnswer(describeIssue(checked.issues[0], 'response'), details);
  // A resource that no history could keep is refused, too: it holds `1e999`, or is nested too deep.
  const why = whyNotKept(resource);
  if (why !== undefined) throw badAnswer(`it ${why}`, details);
  return resource as v.InferOutput<S>;
}

/**
 * Checks that a resource, which is no list, is the one that was asked for: card 123 must come as the answer to `/signals/123`.
 * @throws ScreenerError bad_answer
 */
export function checkEcho(resource: Echo, request: Echo, subject: Subject): void {
  const field = fieldThatDiffers(resource, request);
  if (field === undefined) return;
  const what = `response.${field}: '${resource[field]}', but '${request[field]}' was asked for`;
  throw badAnswer(what, { scope: subject });
}

/** Whether a list has items that the filters of its request exclude: a card of ETHUSDT in a list of BTCUSDT. */
export function hasOtherItems(items: readonly Echo[], request: Echo): boolean {
  return items.some((item) => fieldThatDiffers(item, request) !== undefined);
}

/** The first field whose value is not the one that was asked for. */
function fieldThatDiffers(answer: Echo, request: Echo): string | undefined {
  return Object.keys(request).find(
    (field) => request[field] !== undefined && answer[field] !== request[field],
  );
}
