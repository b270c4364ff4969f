import type { Format } from '../../src/output/formats.ts';
import { createOutput } from '../../src/output/output.ts';
import type { List } from '../../src/output/types.ts';
import { type TestContextOptions, testContext } from '../support/context.ts';

/** An output in memory: what it writes is `context.stdout.text`, what it notes is in `noted`. */
export function outputTo(
  format: Format,
  options: TestContextOptions = {},
  fields?: readonly string[],
) {
  const context = testContext(options);
  const noted: string[] = [];
  const notes = { note: (text: string) => void noted.push(text), flush: async () => {} };
  return { context, noted, output: createOutput({ context, format, fields, notes }) };
}

const HEAD = { scope: 'own_recorded_notifications', next_cursor: null, since: 's', until: 'u' };

/**
 * A list of given pages, or, without a head, of several ids; `fails` is thrown instead of a page after the last one.
 * @param isLate whether its head is known after the last page only
 */
export function pagesOf<T>(
  pages: readonly (readonly T[])[],
  {
    head = HEAD,
    fails,
    isLate,
  }: { head?: Record<string, unknown> | null; fails?: Error; isLate?: boolean } = {},
): List<T> {
  async function* batches() {
    yield* pages;
    if (fails !== undefined) throw fails;
  }
  return { batches: batches(), ...(head === null ? {} : { head: isLate ? () => head : head }) };
}
