import type { ExportRun } from './export-run.ts';
import type { Listing } from './listing.ts';

/**
 * The service's time, once a page of the list has shown it. Until then the client may only have this machine's clock, which can
 * be days off: it ignores a `Date` header that is far from the clock, and some services send none. Waits for a second UTC day
 * (`history/store/final.ts`) count by this time only.
 * @returns epoch milliseconds UTC; undefined if the run has read no page of the list
 */
export function heardTime(
  { client }: Pick<ExportRun, 'client'>,
  { pages }: Pick<Listing, 'pages'>,
): number | undefined {
  return pages > 0 ? client.now() : undefined;
}
