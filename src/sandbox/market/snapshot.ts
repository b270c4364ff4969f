import type { MarketSnapshot } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY, HOUR, MINUTE } from '../../runtime/units.ts';
import { hash, walk } from './noise.ts';

const EVERY = 5 * MINUTE;
const MARKETS = 320;

/** `stale`: the source stopped hours ago; `never`: nothing was computed yet. */
export type SnapshotState = 'fresh' | 'stale' | 'never';

/** A daily oscillator over the whole platform, computed every five minutes and served from a cache in between. */
export function createSnapshots(seed: number, state: SnapshotState): (now: number) => MarketSnapshot {
  const walks = Array.from({ length: MARKETS }, (_, number) =>
    walk({ seed: hash(seed, 50_000 + number), perDay: 0.05, shortest: DAY, waves: 5, jumpy: false }),
  );
  const whole = walk({ seed: hash(seed, 1), perDay: 0.022, shortest: DAY, waves: 5, jumpy: false });
  let cached: { at: number; oversold: number; overbought: number } | undefined;

  const computed = (at: number) => {
    if (cached?.at === at) return cached;
    const values = walks.map((own) => strength((time) => own(time) + whole(time), at));
    const oversold = values.filter((value) => value < 30).length;
    cached = { at, oversold, overbought: values.filter((value) => value > 70).length };
    return cached;
  };

  return (now) => {
    const at = Math.floor(now / EVERY) * EVERY - (state === 'stale' ? 7 * HOUR : 0);
    const { oversold, overbought } = state === 'never' ? { oversold: 0, overbought: 0 } : computed(at);
    return {
      scope: 'platform',
      timeframe: 'day',
      sample: state === 'never' ? 0 : MARKETS,
      sample_limited: false,
      oversold_count: oversold,
      overbought_count: overbought,
      computed_at: state === 'never' ? null : formatApiTime(at),
      source_stale: state !== 'fresh',
      generated_at: formatApiTime(Math.floor(now / MINUTE) * MINUTE),
      stale: state !== 'fresh',
      source: 'https://screener.example/market',
    };
  };
}

/** Relative strength over 14 days: the share of gains in all changes, 0 to 100. */
function strength(value: (at: number) => number, at: number): number {
  let gains = 0;
  let losses = 0;
  for (let day = 0; day < 14; day++) {
    const change = value(at - day * DAY) - value(at - (day + 1) * DAY);
    if (change > 0) gains += change;
    else losses -= change;
  }
  return gains + losses === 0 ? 50 : (100 * gains) / (gains + losses);
}
