import type { ExportRun } from './export-run.ts';
import type { Listing } from './listing.ts';

/**
 * The service's time, if the run has heard it. Before the first page of the list, the time of a run may be this machine's, which
 * may be days off: a `Date` header that is far from it is not believed, and a service may send none. What becomes final on a
 * second UTC day (`history/store/final.ts`) is observed by this time alone.
 * @returns epoch milliseconds UTC; undefined if the run has read no page of the list
 */
export function heardTime(
  { client }: Pick<ExportRun, 'client'>,
  { pages }: Pick<Listing, 'pages'>,
): number | undefined {
  return pages > 0 ? client.now() : undefined;
}
