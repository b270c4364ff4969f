import type { SignalCard } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { MINUTE } from '../../runtime/units.ts';
import type { Episode } from './episodes.ts';
import { SLOT } from './market.ts';
import { chance, hash } from './noise.ts';
import { rounded, signed } from './numbers.ts';

/** The card of an episode as it is known at `now`: repeats and facts change while the episode lasts. */
export function cardAt(episode: Episode, now: number): SignalCard {
  const repeats = episode.repeats.filter((at) => at <= now);
  const last = repeats.at(-1);
  // Measured on the grid, notified some seconds later: the facts are those that met the condition.
  const facts = factsAt(episode, Math.floor((last ?? episode.createdAt) / SLOT) * SLOT);
  const { symbol } = episode.market.listing;
  return {
    id: episode.id,
    source_symbol: symbol,
    source_bot_type: episode.screener.type,
    exchanges: exchangesOf(episode),
    changes: changesOf(facts),
    created_at: formatApiTime(episode.createdAt),
    last_seen_at: last === undefined ? null : formatApiTime(last),
    repeat_count: repeats.length,
    url: `https://screener.example/notifications?symbol=${symbol}&type=${episode.screener.type}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    ...facts,
  };
}

type FactName =
  | 'fact_price_pct'
  | 'fact_oi_pct'
  | 'fact_volume_pct'
  | 'fact_window_min'
  | 'fact_funding'
  | 'fact_oi_usd'
  | 'fact_volume_usd';
type Facts = Record<FactName, number | null>;

/** Facts at one slot. A source now and then supplies nothing: the document allows null for each of them. */
function factsAt({ id, market, screener }: Episode, at: number): Facts {
  const window = screener.window;
  const supplied = (kind: number, share: number): boolean => chance(hash(id, 11), kind) < share;
  const isFunding = screener.type === 'funding_extreme';
  return {
    fact_price_pct: window === undefined ? null : rounded(market.move(at - window * MINUTE, at), 2),
    fact_oi_pct:
      window === undefined || !supplied(1, screener.type === 'oi_growth' ? 1 : 0.75)
        ? null
        : rounded(market.openInterestMove(at - window * MINUTE, at), 2),
    fact_volume_pct:
      screener.type === 'volume_burst' || (!isFunding && supplied(2, 0.6)) ? rounded(market.turnoverMove(at), 1) : null,
    fact_window_min: window ?? null,
    fact_funding: isFunding || supplied(3, 0.85) ? rounded(market.funding(at), 6) : null,
    fact_oi_usd: supplied(4, 0.9) ? rounded(market.openInterest(at), 0) : null,
    fact_volume_usd: supplied(5, 0.92) ? rounded(market.turnover(at), 0) : null,
  };
}

function exchangesOf({ id, market }: Episode): string[] {
  const { exchanges } = market.listing;
  const some = exchanges.filter((_, number) => chance(hash(id, 12), number) < 0.6);
  return some.length > 0 ? some : [exchanges[id % exchanges.length] ?? 'binance'];
}

function changesOf(facts: Facts): string[] {
  const window = facts.fact_window_min === null ? '' : ` in ${facts.fact_window_min} min`;
  const texts: string[] = [];
  if (facts.fact_price_pct !== null) texts.push(`Price ${signed(facts.fact_price_pct)}%${window}`);
  if (facts.fact_oi_pct !== null) texts.push(`OI ${signed(facts.fact_oi_pct)}%${window}`);
  if (facts.fact_volume_pct !== null) texts.push(`Volume ${signed(facts.fact_volume_pct)}%`);
  if (facts.fact_window_min === null && facts.fact_funding !== null) {
    texts.push(`Funding ${signed(rounded(facts.fact_funding * 100, 4))}%`);
  }
  return texts;
}
