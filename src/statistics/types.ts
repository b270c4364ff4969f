export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** None: known to be too small to matter. After Holm's adjustment for the horizon and comparison. */
export type PlainVerdict = 'above' | 'below' | 'none' | 'unclear' | 'too_few_days';
