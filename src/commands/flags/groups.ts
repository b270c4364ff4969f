/** What `stats --by` takes. */
export const GROUPS = ['type', 'symbol', 'day', 'hour', 'weekday'] as const;

export type GroupBy = (typeof GROUPS)[number];
