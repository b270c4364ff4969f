import type * as v from 'valibot';
import { ScreenerError } from '../errors.ts';

/** Exit code 9: what the server sent is not what the API document says. `what` goes on from "does not match: …". */
export function badAnswer(what: string, details: { status?: number; cause?: unknown } = {}): ScreenerError {
  return new ScreenerError('bad_answer', `The answer does not match the API document: ${what}.`, {
    hint: 'Check the base URL. If it is right, the service has changed, or a proxy answers in its place.',
    ...details,
  });
}

/** Where a schema was not met, and how: `response.items[3].id: missing`. */
export function describeIssue(issue: v.BaseIssue<unknown>, root = ''): string {
  const steps = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const path = `${root}${steps.join('')}`.replace(/^\./, '');
  const what = whatIsWrong(issue);
  return path === '' ? what : `${path}: ${what}`;
}

function whatIsWrong({ kind, type, received, expected, input, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || type === 'custom') return message;
  if (received === 'undefined') return 'missing';
  if (typeof input === 'bigint') return 'a number too large to be kept exactly';
  return `expected ${expected ?? 'another type'}, got ${input === null ? 'null' : typeof input}`;
}
