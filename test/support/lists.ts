import type { List } from '../../src/output/types.ts';

const HEAD = { scope: 'own_recorded_notifications', next_cursor: null, since: 's', until: 'u' };

/** A list of given pages, or, without a head, of several ids; `fails` is thrown instead of a page after the last one. */
export function pagesOf<T>(
  pages: readonly (readonly T[])[],
  { head = HEAD, fails }: { head?: Record<string, unknown> | null; fails?: Error } = {},
): List<T> {
  async function* batches() {
    yield* pages;
    if (fails !== undefined) throw fails;
  }
  return { batches: batches(), ...(head === null ? {} : { head: () => head }) };
}
