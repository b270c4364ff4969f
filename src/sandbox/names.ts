/** Types of the stand-in's screeners, its own: the document shows none. The first has an edge. Names alone load no market. */
export const DEMO_TYPES = ['oi_growth', 'price_spike', 'volume_burst', 'funding_extreme', 'breakout'] as const;
