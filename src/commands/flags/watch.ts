import { usageError } from '../../errors.ts';
import type { WatchOptions } from '../signals-watch.ts';
import { durationFlag } from './duration.ts';
import { type RawFilters, readFilters } from './filters.ts';
import type { Reading } from './reading.ts';

interface RawWatch extends RawFilters {
  every?: string;
  resume?: true;
}

/** The options of `signals watch`. */
export function readWatch(raw: RawWatch, _words: readonly string[], { now }: Reading): WatchOptions {
  if (raw.resume && raw.since !== undefined) {
    throw usageError('--resume and --since exclude each other.', 'Leave one of them out.');
  }
  return {
    every: raw.every === undefined ? undefined : durationFlag('--every', raw.every),
    resume: raw.resume === true,
    ...readFilters(raw, now),
  };
}
