/** An answer that breaks the contract: what the service sent is not what the API document says. */
import type { BaseIssue } from 'valibot';
import { type FailureScope, ScreenerError } from '../errors.ts';

/** @param what says what is wrong, without a full stop: `response.id: missing` */
export function breachMessage(what: string): string {
  return `The answer does not match the API document: ${what}.`;
}

export const BREACH_HINT =
  'Check the base URL. If it is right, the service has changed, or a proxy answers in its place.';

/** What to do about a fault inside the service's own envelope (`{"response": …}`): so no proxy answered in its place. */
export const SERVICE_HINT = 'Try again later. If it stays so, the service has changed.';

/** What to do about a page of a proxy, a login page or a CDN. */
export const WEB_PAGE_HINT =
  'A proxy, a login page or a CDN answered: open the base URL in a browser on this machine, or wait.';

interface BreachDetails {
  /** What to do; without it `BREACH_HINT`. */
  readonly hint?: string;
  /** The HTTP status, if it is part of what is wrong. */
  readonly status?: number;
  /** The parser's error; or, if the JSON could be read, the resource itself: the reader of pages takes the good cards from it. */
  readonly cause?: unknown;
  /** How far the fault reaches; without it, the whole operation. */
  readonly scope?: FailureScope;
}

/** An error with exit code 9. @param what says what is wrong, without a full stop */
export function badAnswer(what: string, details: BreachDetails = {}): ScreenerError {
  return new ScreenerError('bad_answer', breachMessage(what), { hint: BREACH_HINT, ...details });
}

/**
 * Where a value does not meet its schema, and why not: `response.items[3].id: missing`.
 * @param root the name of what was checked; without it the path begins with its field
 */
export function describeIssue(issue: BaseIssue<unknown>, root = ''): string {
  const steps = (issue.path ?? []).map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${String(key)}`,
  );
  const path = `${root}${steps.join('')}`.replace(/^\./, '');
  const fault = whatIsWrong(issue);
  return path === '' ? fault : `${path}: ${fault}`;
}

function whatIsWrong({
  kind,
  type,
  received,
  expected,
  input,
  message,
}: BaseIssue<unknown>): string {
  // A check that this program adds to a schema brings its own message.
  if (kind !== 'schema' || type === 'custom') return message;
  if (received === 'undefined') return 'missing';
  if (typeof input === 'bigint') return 'a number too large to be kept exactly';
  const kindOfInput = input === null ? 'null' : typeof input;
  return `expected ${expected ?? 'another type'}, got ${kindOfInput}`;
}
