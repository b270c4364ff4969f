/** Types of the stand-in's screeners: the document shows none. The first has an edge. This file loads no market. */
export const DEMO_TYPES = [
  'oi_growth',
  'price_spike',
  'volume_burst',
  'funding_extreme',
  'breakout',
] as const;
