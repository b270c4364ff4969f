import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, validResource } from '../support/arbitrary.ts';
import { isSuccess } from './document.ts';
import { depthOf, doublesKeys, hasInfinity, mutated, readExactly } from './mutate.ts';
import { ACCESS, broken, envelope, type Format, OPERATIONS, type Operation, run } from './program.ts';
import { report, runs, SEED, sayAtTheEnd } from './report.ts';
import { reply, WireServer } from './wire.ts';

sayAtTheEnd('bodies that went wrong');

let wire: WireServer;
beforeAll(async () => {
  wire = await WireServer.start();
});
afterAll(() => wire.close());

const format = fc.constantFrom<Format>('json', 'json', 'ndjson', 'csv', 'table');

/** The exit codes a 200 with this body may lead to, by the document and an independent reading of the text. */
function expectedCodes(operation: Operation, text: string): number[] {
  let answer: unknown;
  try {
    answer = readExactly(text);
  } catch {
    return [9];
  }
  if (!isSuccess(operation.resource, answer)) return [9];
  if (isPaid(operation, text)) return [9];
  const depth = depthOf(answer);
  if (depth > 70) return [9];
  if (depth > 60) return [0, 9];
  if (!hasInfinity(text)) return [0];
  // Of a key that stands there twice only the last counts, but a number that is lost may also be told of the first.
  return doublesKeys(text, answer) ? [0, 9] : [9];
}

/** What a list is in the end: without a cursor, and each card once. */
function wholeList(page: { items?: readonly { id?: unknown }[] }): object {
  const ids = new Set<unknown>();
  const items = page.items?.filter(({ id }) => !ids.has(id) && ids.add(id));
  return { ...page, items, next_cursor: null };
}

/** A page that is good in itself, with a cursor from which nobody can go on: it is shown, and then told. */
function isPaid(operation: Operation, text: string): boolean {
  if (operation.path !== '/signals') return false;
  try {
    const answer = JSON.parse(text);
    const cursor = isSuccess('SignalPage', answer) ? answer.response.next_cursor : null;
    return cursor !== null && (cursor === '' || cursor.length > 220 || !isWellFormed(cursor));
  } catch {
    return false;
  }
}

const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

async function hold(operation: Operation, text: string, as: Format, codes: readonly number[]): Promise<void> {
  wire.answer = (path) => {
    if (path.includes('cursor=')) return reply(JSON.stringify(envelope(LAST_PAGE)));
    return reply(path.split('?')[0] === operation.path ? text : JSON.stringify(envelope(ACCESS)));
  };
  const outcome = await run(wire, operation.command, { format: as });
  const wrong = broken(outcome, as, codes);
  if (wrong !== undefined) throw new Error(`${wrong}\n${text.slice(0, 3000)}\n${outcome.stderr.slice(0, 500)}`);
  if (outcome.code !== 0) expect(outcome.stdout === '' || isPaid(operation, text)).toBe(true);
  else if (as === 'json') {
    const shown = (readExactly(text) as { response: object }).response;
    expect(readExactly(outcome.stdout)).toEqual(operation.path === '/signals' ? wholeList(shown) : shown);
  }
}

const LAST_PAGE = {
  scope: 'own_recorded_notifications',
  items: [],
  next_cursor: null,
  since: '2026-11-01T00:00:00Z',
  until: '2026-11-20T00:00:00Z',
};

describe('bodies that went wrong', () => {
  for (const operation of OPERATIONS) {
    const cases = runs(80, 1700);
    it(`${operation.path}: ${cases} mutations`, async () => {
      const property = fc.asyncProperty(
        validResource(operation.resource).chain((resource) => mutated(envelope(resource) as Json)),
        format,
        async (text, as) => hold(operation, text, as, expectedCodes(operation, text)),
      );
      await fc.assert(property, { numRuns: cases, seed: SEED });
      report(`mutated bodies of ${operation.path}`, cases);
    });
  }
});
