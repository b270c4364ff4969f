import * as v from 'valibot';
import type { Secrets } from '../runtime/secrets.ts';
import { badAnswer, describeIssue } from './bad-answer.ts';
import { Envelope } from './contract/resources.ts';
import { parseExactly, whyNotKept } from './exact-json.ts';
import type { Echo } from './operations.ts';
import type { RawAnswer } from './transport.ts';

/** @param answer of status 200 @throws ScreenerError bad_answer */
export function resourceOf(answer: RawAnswer, secrets: Pick<Secrets, 'hide'>): object {
  const envelope = readEnvelope(answer);
  if (envelope.hasError) {
    const said = envelope.errors ? `. The service said: ${secrets.hide(envelope.errors)}` : '';
    throw badAnswer(`status 200, but hasError is true${said}`, { status: 200 });
  }
  if (envelope.response === null) throw badAnswer('response is null where a resource belongs', { status: 200 });
  return envelope.response;
}

/** @returns the service's own text; undefined if the body is no Envelope */
export function errorTextOf(answer: RawAnswer, secrets: Pick<Secrets, 'hide'>): string | undefined {
  try {
    const { errors } = readEnvelope(answer);
    return errors === null ? undefined : secrets.hide(errors);
  } catch {
    return undefined;
  }
}

/** @returns the resource itself @throws ScreenerError bad_answer with the path: `response.items[3].id` */
export function checkResource<S extends v.GenericSchema>(schema: S, resource: unknown): v.InferOutput<S> {
  const checked = v.safeParse(schema, resource, { abortEarly: true });
  if (!checked.success) throw badAnswer(describeIssue(checked.issues[0], 'response'), { cause: resource });
  const why = whyNotKept(resource);
  if (why !== undefined) throw badAnswer(`it ${why}`);
  return resource as v.InferOutput<S>;
}

/** @returns whether a list has items of something else @throws ScreenerError bad_answer where one thing is another one */
export function checkEcho(resource: object, echo: Echo): boolean {
  const { items } = resource as { readonly items?: readonly Echo[] };
  const isOther = (of: Echo) => (name: string) => echo[name] !== undefined && of[name] !== echo[name];
  const names = Object.keys(echo);
  if (items !== undefined) return items.some((item) => names.some(isOther(item)));
  const said = resource as Echo;
  const other = names.find(isOther(said));
  if (other !== undefined) throw badAnswer(`response.${other}: '${said[other]}', but '${echo[other]}' was asked for`);
  return false;
}

/** An integer that a number cannot hold is a bigint in it. @throws ScreenerError bad_answer with the path */
export function readEnvelope({ body }: Pick<RawAnswer, 'body'>): Envelope {
  const value = parse(body);
  const checked = v.safeParse(Envelope, value, { abortEarly: true });
  if (!checked.success) throw badAnswer(`it is not the API's Envelope (${describeIssue(checked.issues[0])})`);
  return value as Envelope;
}

function parse(body: Uint8Array): unknown {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body).trimStart();
    return parseExactly(text);
  } catch (cause) {
    throw badAnswer(text.startsWith('<') ? 'it is a web page (HTML), not JSON' : 'it is not valid JSON', { cause });
  }
}
