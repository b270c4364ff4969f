import type { Batch, List } from '../../src/output/types.ts';

const HEAD = { scope: 'own_recorded_notifications', next_cursor: null, since: 's', until: 'u' };

/** A list of given pages, or, without a head, of several ids; `fails` is thrown instead of a page after the last one. Counts the pages that were pulled. */
export function pagesOf<T>(
  pages: readonly (readonly T[])[],
  options: { head?: Record<string, unknown> | null; fails?: Error } = {},
): List<T> & { pulled: number; returned: number } {
  const list = {
    pulled: 0,
    returned: 0,
    ...(options.head === null ? {} : { head: () => options.head ?? HEAD }),
    batches: {
      async *[Symbol.asyncIterator](): AsyncGenerator<Batch<T>> {
        let finished = false;
        try {
          for (const [i, items] of pages.entries()) {
            list.pulled += 1;
            yield { items, more: i + 1 < pages.length || options.fails !== undefined };
          }
          if (options.fails !== undefined) throw options.fails;
          finished = true;
        } finally {
          if (!finished) list.returned += 1;
        }
      },
    },
  };
  return list;
}
