import type { MarketSnapshot } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, MINUTE } from '../../runtime/units.ts';
import { chance, hash } from './noise.ts';

const EVERY = 5 * MINUTE;
const SAMPLE = 320;

/** `stale`: the source stopped hours ago; `never`: nothing was computed yet. */
export type SnapshotState = 'fresh' | 'stale' | 'never';

/** A daily oscillator over the whole platform, computed every five minutes and served from a cache in between. */
export function snapshotAt(seed: number, state: SnapshotState, now: number): MarketSnapshot {
  const at = Math.floor(now / EVERY) * EVERY - (state === 'stale' ? 7 * HOUR : 0);
  // Between -1 and 1, back and forth within weeks.
  const mood = Math.sin(at / (4 * DAY) + seed) * (0.7 + 0.3 * chance(hash(seed, 50), at / EVERY));
  const isThere = state !== 'never';
  return {
    scope: 'platform',
    timeframe: 'day',
    sample: isThere ? SAMPLE : 0,
    sample_limited: false,
    oversold_count: isThere ? Math.round(SAMPLE * (0.16 - 0.14 * mood)) : 0,
    overbought_count: isThere ? Math.round(SAMPLE * (0.14 + 0.12 * mood)) : 0,
    computed_at: isThere ? formatApiTime(at) : null,
    source_stale: state !== 'fresh',
    generated_at: formatApiTime(Math.floor(now / MINUTE) * MINUTE),
    stale: state !== 'fresh',
    source: 'https://screener.example/market',
  };
}
