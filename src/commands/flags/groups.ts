/** What `stats --by` takes. */
export const GROUPS = ['type', 'symbol', 'day'] as const;

export type GroupBy = (typeof GROUPS)[number];
