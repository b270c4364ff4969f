/**
 * The types of the sandbox's screeners. They are invented: the API document names none. Cards of the first type have
 * better outcomes than the others.
 * The list has a file of its own, so that help can read it without loading the market.
 */
export const DEMO_TYPES = [
  'oi_growth',
  'price_spike',
  'volume_burst',
  'funding_extreme',
  'breakout',
] as const;
