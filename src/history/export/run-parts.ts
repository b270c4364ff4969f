import type { Listing } from './listing.ts';
import type { PartResults } from './part-results.ts';
import type { Purchases } from './purchases.ts';

/** What the steps of a run have in common. */
export interface RunParts {
  readonly listing: Listing;
  readonly purchases: Purchases;
  readonly results: PartResults;
}
