import type { Listing } from './listing.ts';
import type { PartResults } from './part-results.ts';
import type { Purchases } from './purchases.ts';

/** The list, the purchases and the results of one run. Its steps share them. */
export interface RunParts {
  readonly listing: Listing;
  readonly purchases: Purchases;
  readonly results: PartResults;
}
