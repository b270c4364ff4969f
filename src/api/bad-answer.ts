import type * as v from 'valibot';
import { ScreenerError } from '../errors.ts';

/** Exit code 9: what the server sent is not what the API document says. `what` goes on from "does not match: …". */
export function badAnswer(
  what: string,
  details: { status?: number; hint?: string; cause?: unknown } = {},
): ScreenerError {
  return new ScreenerError('bad_answer', `The answer does not match the API document: ${what}.`, {
    hint: 'Check the base URL. If it is right, the service has changed, or a proxy answers in its place.',
    ...details,
  });
}

export class BadResource extends ScreenerError {
  readonly resource: unknown;

  constructor(what: string, resource: unknown) {
    const { message, hint } = badAnswer(what);
    super('bad_answer', message, { hint });
    this.resource = resource;
  }
}

export const TOO_LARGE = 'a number too large to be kept exactly';

/** Where a schema was not met, and how: `response.items[3].id: missing`. */
export function describeIssue(issue: v.BaseIssue<unknown>, root = ''): string {
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
  if (typeof issue.input === 'bigint') return TOO_LARGE;
  return `expected ${issue.expected ?? 'another type'}, got ${kindOf(issue.input)}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'an array' : `a ${typeof input}`.replace('a object', 'an object');
}
