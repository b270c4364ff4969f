import type { Listing } from './listing.ts';
import type { LostCards } from './lost-cards.ts';
import type { PartResults } from './part-results.ts';
import type { Purchases } from './purchases.ts';

/** The list, the purchases, the lost cards and the results of one run. Its steps share them. */
export interface RunParts {
  readonly listing: Listing;
  readonly purchases: Purchases;
  readonly lostCards: LostCards;
  readonly results: PartResults;
}
