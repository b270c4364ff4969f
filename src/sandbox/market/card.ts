import { type HorizonName, horizonOf, outcomeFields } from '../../api/contract/horizons.ts';
import type { Outcome, SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { DAY, dayNumber } from '../../runtime/units.ts';
import { type Episode, measuredBy } from './episodes.ts';
import type { Moves } from './moves.ts';
import { chance, gaussian, hash, rounded } from './noise.ts';
import type { Metric } from './screeners.ts';
import { BTC, EXCHANGES } from './symbols.ts';

/** The card of an episode as it is known at `now`: repeats and facts change while the episode lasts. */
function cardAt(episode: Episode, now: number): SignalCard {
  const { id, listing, screener, createdAt } = episode;
  const repeats = episode.repeats.filter((at) => at <= now);
  const last = repeats.at(-1);
  const facts = factsOf(episode, repeats.length);
  const exchanges = EXCHANGES.filter((_, number) => chance(hash(id, 12), number) < 0.6);
  return {
    id,
    source_symbol: listing.symbol,
    source_bot_type: screener.type,
    exchanges: exchanges.length > 0 ? exchanges : EXCHANGES.slice(0, 1),
    changes: changesOf(facts),
    created_at: formatApiTime(createdAt),
    last_seen_at: last === undefined ? null : formatApiTime(last),
    repeat_count: repeats.length,
    url: `https://screener.example/notifications?symbol=${listing.symbol}&type=${screener.type}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    ...facts,
  };
}

type Facts = Record<Extract<keyof (typeof SignalCard)['entries'], `fact_${string}`>, number | null>;

/** Facts of one update, 0 being the trigger. Sources leave some out: the document allows null for each. */
function factsOf(episode: Episode, update: number): Facts {
  const { id, listing, screener } = episode;
  const mixed = hash(hash(id, 11), update);
  const { metric, window } = screener;
  const side = (metric === 'price' || metric === 'funding') && chance(hash(id, 11), -1) < 0.45 ? -1 : 1;
  const size = measuredBy(episode) * (update === 0 ? 1 : 1 + 0.3 * chance(mixed, 8));
  /** The screener's own number is beyond its threshold; the others are ordinary, or not supplied. */
  const fact = (of: Metric, kind: number, spread: number, supplied: number, digits: number, usual = 0) => {
    if (of === metric) return rounded(side * size, digits);
    return chance(hash(id, 13), kind) < supplied ? rounded(usual + spread * gaussian(mixed, kind), digits) : null;
  };
  return {
    fact_price_pct: window === null ? null : fact('price', 2, 0.9, 1, 2),
    fact_oi_pct: window === null ? null : fact('oi', 3, 1.2, 0.9, 2),
    fact_volume_pct: fact('volume', 4, 30, 0.6, 1),
    fact_window_min: window,
    fact_funding: fact('funding', 5, 0.0001, 0.85, 6, 0.0001),
    fact_oi_usd: chance(hash(id, 13), 6) < 0.9 ? rounded(0.6 * listing.turnover * around(mixed, 6), 0) : null,
    fact_volume_usd: chance(hash(id, 13), 7) < 0.92 ? rounded(listing.turnover * around(mixed, 7), 0) : null,
  };
}

const around = (mixed: number, kind: number): number => Math.exp(0.2 * gaussian(mixed, kind));
const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));

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

export function detailAt(episode: Episode, moves: Moves, now: number): SignalDetail {
  return {
    ...cardAt(episode, now),
    outcome: outcomeAt(episode, moves, now),
    entry_context: contextOf(episode, moves),
    context_scope: 'entry_snapshot',
  };
}

/** Some cards have no outcome, some a missing horizon, some no movement of BTC: the document allows each. */
function outcomeAt(episode: Episode, moves: Moves, now: number): Outcome | null {
  if (chance(hash(episode.id, 21), 0) < 0.03) return null;
  return {
    entry_at: formatApiTime(episode.createdAt),
    entry_price: priceOf(episode),
    ...outcomeFields((name) => horizonAt(episode, moves, name, now)),
  };
}

interface Measured {
  readonly state: 'pending' | 'missing' | 'available';
  readonly move: number | null;
  readonly btc: number | null;
}

function horizonAt(episode: Episode, moves: Moves, horizon: HorizonName, now: number): Measured {
  const { id, listing, createdAt } = episode;
  const length = horizonOf(horizon).millis;
  if (now < createdAt + length) return { state: 'pending', move: null, btc: null };
  if (chance(hash(id, 22), length) < 0.04) return { state: 'missing', move: null, btc: null };
  const btc = moves.btc(createdAt, horizon);
  const beyond = listing === BTC ? 0 : moves.own(id, createdAt, horizon) + effectOn(episode, horizon);
  const isCompared = chance(hash(id, 23), length) >= 0.02;
  return { state: 'available', move: rounded(btc + beyond, 4), btc: isCompared ? rounded(btc, 4) : null };
}

/** Of a half-normal number, which `strength` is. */
const MEAN = Math.sqrt(2 / Math.PI);
const DEVIATION = Math.sqrt(1 - 2 / Math.PI);

function effectOn(episode: Episode, horizon: HorizonName): number {
  const { before, effect, slope, threshold } = episode.screener;
  if (before !== undefined && measuredBy(episode) < threshold) return before.effect[horizon];
  return effect[horizon] + ((slope?.[horizon] ?? 0) * (episode.strength - MEAN)) / DEVIATION;
}

/**
 * Keys are the sandbox's own: the document does not show which are allowed. Open interest and funding are those of the
 * trigger. Only `oi_change_pct` separates good cards from bad, and only where the screener has a slope;
 * `market_rsi_1d` is equal for all cards of a day.
 */
function contextOf(episode: Episode, moves: Moves): Record<string, number> {
  const { id, listing, createdAt } = episode;
  const mixed = hash(id, 24);
  if (chance(mixed, 0) < 0.07) return {};
  const { fact_oi_pct: oi, fact_funding: funding } = factsOf(episode, 0);
  return {
    price: priceOf(episode),
    price_change_24h_pct: rounded(4 * gaussian(mixed, 1), 2),
    ...(oi === null ? {} : { oi_change_pct: oi }),
    oi_usd: rounded(0.6 * listing.turnover * around(mixed, 2), 0),
    volume_24h_usd: rounded(listing.turnover * around(mixed, 3), 0),
    ...(funding === null ? {} : { funding }),
    market_rsi_1d: rounded(50 + 30 * moves.mood(dayNumber(createdAt) * DAY), 1),
  };
}

/** Eight significant digits, as exchanges quote in full. */
function priceOf({ id, listing, createdAt }: Episode): number {
  const season = 0.15 * Math.sin(createdAt / (9 * DAY) + listing.symbol.length);
  return Number((listing.price * Math.exp(season + 0.02 * gaussian(id, 25))).toPrecision(8));
}
