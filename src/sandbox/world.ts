import type { MarketSnapshot, Screeners, SignalCard, SignalDetail, SignalStats } from '../api/contract/resources.ts';
import { parseApiTime } from '../api/time.ts';
import { computeStats } from './stats.ts';

/** What the list needs of a card to filter and to page. */
export interface CardKey {
  readonly id: number;
  /** Epoch milliseconds UTC. */
  readonly createdAt: number;
  readonly symbol: string;
  readonly type: string;
}

/** What the key's owner has on the server at a moment (epoch milliseconds UTC). The routes know nothing else of data. */
export interface World {
  /** The owner's cards, newest first (by `created_at`, then by id). */
  index(now: number): readonly CardKey[];
  card(id: number, now: number): SignalCard | undefined;
  detail(id: number, now: number): SignalDetail | undefined;
  screeners(now: number): Screeners;
  snapshot(now: number): MarketSnapshot;
  stats(screenerType: string | undefined, now: number): SignalStats;
}

/** Fixed resources; a function is asked at each request, for what changes with time. */
export interface WorldParts {
  /** Each card is listed with its detail's fields, without `outcome`, `entry_context` and `context_scope`. */
  readonly details: readonly SignalDetail[];
  readonly screeners?: Screeners;
  readonly snapshot?: MarketSnapshot | ((now: number) => MarketSnapshot);
  /** Computed from `details` where it is not given. */
  readonly stats?: SignalStats | ((screenerType: string | undefined, now: number) => SignalStats);
}

/** A world made of given resources, served as they are, fields unknown to the document included. */
export function worldOf(parts: WorldParts): World {
  const details = new Map(parts.details.map((detail) => [detail.id, detail]));
  const index = [...details.values()].map(keyOf).sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return {
    index: () => index,
    card: (id) => {
      const detail = details.get(id);
      return detail === undefined ? undefined : cardOf(detail);
    },
    detail: (id) => details.get(id),
    screeners: () => parts.screeners ?? { scope: 'current_settings', items: [] },
    snapshot: (now) =>
      typeof parts.snapshot === 'function' ? parts.snapshot(now) : (parts.snapshot ?? noSnapshot(now)),
    stats: (type, now) => {
      if (typeof parts.stats === 'function') return parts.stats(type, now);
      return parts.stats ?? computeStats(newestFirst(index, details), type, now);
    },
  };
}

function keyOf(detail: SignalDetail): CardKey {
  const createdAt = parseApiTime(detail.created_at) ?? 0;
  return { id: detail.id, createdAt, symbol: detail.source_symbol, type: detail.source_bot_type };
}

/** The card a detail extends. */
export function cardOf(detail: SignalDetail): SignalCard {
  const { outcome: _outcome, entry_context: _context, context_scope: _scope, ...card } = detail;
  return card as SignalCard;
}

function* newestFirst(index: readonly CardKey[], details: ReadonlyMap<number, SignalDetail>): Iterable<SignalDetail> {
  for (const { id } of index) {
    const detail = details.get(id);
    if (detail !== undefined) yield detail;
  }
}

/** A snapshot that was never computed, which the document allows: `computed_at` is null. */
function noSnapshot(now: number): MarketSnapshot {
  return {
    scope: 'platform',
    timeframe: 'day',
    sample: 0,
    sample_limited: false,
    oversold_count: 0,
    overbought_count: 0,
    computed_at: null,
    source_stale: true,
    generated_at: new Date(now).toISOString(),
    stale: true,
    source: 'https://screener.example/market',
  };
}
