import type { MarketSnapshot } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY, MINUTE } from '../../runtime/units.ts';
import { chance, hash } from './noise.ts';

const EVERY = 5 * MINUTE;
const SAMPLE = 320;

export function snapshotAt(seed: number, now: number): MarketSnapshot {
  const at = Math.floor(now / EVERY) * EVERY;
  const mood = moodAt(seed, at);
  return {
    scope: 'platform',
    timeframe: 'day',
    sample: SAMPLE,
    sample_limited: false,
    oversold_count: Math.round(SAMPLE * (0.16 - 0.14 * mood)),
    overbought_count: Math.round(SAMPLE * (0.14 + 0.12 * mood)),
    computed_at: formatApiTime(at),
    source_stale: false,
    generated_at: formatApiTime(Math.floor(now / MINUTE) * MINUTE),
    stale: false,
    source: 'https://screener.example/market',
  };
}

export const moodAt = (seed: number, at: number): number =>
  Math.sin(at / (4 * DAY) + seed) * (0.7 + 0.3 * chance(hash(seed, 50), Math.floor(at / EVERY)));
