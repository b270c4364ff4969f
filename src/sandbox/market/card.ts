import { horizonOf, OUTCOME_MILLIS, outcomeFields } from '../../api/contract/horizons.ts';
import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { BTC, type Episode } from './episodes.ts';
import { chance, gaussian, hash, type Moves, rounded } from './noise.ts';
import type { Metric } from './screeners.ts';

const EXCHANGES = ['binance', 'bybit', 'okx'];

/**
 * An episode as it is known at `now`: repeats and facts change while it lasts.
 * @param mood of the market on the card's day, -1 to 1
 */
export function detailAt(episode: Episode, moves: Moves, mood: number, now: number): SignalDetail {
  const { id, symbol, type, createdAt } = episode;
  const repeats = episode.repeats.filter((at) => at <= now);
  const last = repeats.at(-1);
  const facts = factsOf(episode, repeats.length);
  return {
    id,
    source_symbol: symbol,
    source_bot_type: type,
    exchanges: EXCHANGES.slice(0, 1 + (id % EXCHANGES.length)),
    changes: [changeOf(episode, facts)],
    created_at: formatApiTime(createdAt),
    last_seen_at: last === undefined ? null : formatApiTime(last),
    repeat_count: repeats.length,
    url: `https://screener.example/notifications?symbol=${symbol}&type=${type}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    ...facts,
    outcome: outcomeAt(episode, moves, now),
    entry_context: contextOf(episode, mood),
    context_scope: 'entry_snapshot',
  };
}

/** From when on `detailAt` is the same whenever it is asked for, epoch milliseconds UTC. */
export function lastChangeOf({ createdAt, repeats }: Episode): number {
  return Math.max(createdAt + OUTCOME_MILLIS, repeats.at(-1) ?? createdAt);
}

/** How a number is called, and what it is where no screener watches it: mean, standard deviation, digits. */
const METRICS: Readonly<
  Record<Metric, readonly [label: string, mean: number, spread: number, digits: number]>
> = {
  price: ['Price', 0, 0.9, 2],
  oi: ['OI', 0, 1.2, 2],
  volume: ['Volume', 0, 30, 1],
  funding: ['Funding', 0.0001, 0.0001, 6],
};

/** Facts of one update, 0 being the trigger. Sources leave some out: the document allows null for each. */
function factsOf(episode: Episode, update: number) {
  const { id, listing, screener } = episode;
  const mixed = hash(hash(id, 11), update);
  const { metric, window } = screener;
  const ifSupplied = (kind: number, value: number) =>
    chance(hash(id, 13), kind) < 0.88 ? value : null;
  const side =
    (metric === 'price' || metric === 'funding') && chance(hash(id, 11), -1) < 0.45 ? -1 : 1;
  const size = episode.measured * (update === 0 ? 1 : 1 + 0.3 * chance(mixed, 8));
  /** The screener's own number is beyond its threshold; the others are ordinary, or not supplied. */
  const fact = (of: Metric, kind: number) => {
    const [, mean, spread, digits] = METRICS[of];
    if (of === metric) return rounded(side * size, digits);
    return ifSupplied(kind, rounded(mean + spread * gaussian(mixed, kind), digits));
  };
  return {
    fact_price_pct: fact('price', 2),
    fact_oi_pct: fact('oi', 3),
    fact_volume_pct: fact('volume', 4),
    fact_window_min: window,
    fact_funding: fact('funding', 5),
    fact_oi_usd: ifSupplied(6, rounded(0.6 * listing.turnover * around(mixed, 6), 0)),
    fact_volume_usd: ifSupplied(7, rounded(listing.turnover * around(mixed, 7), 0)),
  };
}

const around = (mixed: number, kind: number): number => Math.exp(0.2 * gaussian(mixed, kind));

function changeOf(
  { screener: { metric, window } }: Episode,
  facts: ReturnType<typeof factsOf>,
): string {
  const change =
    metric === 'funding'
      ? rounded((facts.fact_funding ?? 0) * 100, 4)
      : facts[`fact_${metric}_pct`];
  const signed = change !== null && change > 0 ? `+${change}` : change;
  return `${METRICS[metric][0]} ${signed}%${window === null ? '' : ` in ${window} min`}`;
}

/** Some cards have no outcome, some a missing horizon, some no movement of BTC: the document allows each. */
function outcomeAt(episode: Episode, moves: Moves, now: number): Outcome | null {
  const { id, createdAt, listing, effect } = episode;
  if (chance(hash(id, 21), 0) < 0.03) return null;
  return {
    entry_at: formatApiTime(createdAt),
    entry_price: priceOf(episode),
    ...outcomeFields((horizon) => {
      const { millis, least } = horizonOf(horizon);
      if (now < createdAt + millis) return { state: 'pending', move: null, btc: null };
      if (chance(hash(id, 22), millis) < 0.03) return { state: 'missing', move: null, btc: null };
      const btc = moves.btc(createdAt, horizon);
      const isCompared = chance(hash(id, 23), millis) >= 0.02;
      const beyond =
        listing === BTC ? 0 : moves.ofCardAlone(id, createdAt, horizon) + effect * least;
      const move = rounded(btc + beyond, 4);
      return { state: 'available', move, btc: isCompared ? rounded(btc, 4) : null };
    }),
  };
}

/**
 * Keys are the sandbox's own: the document does not show which are allowed. Open interest and funding are those of the
 * trigger. Only `oi_change_pct` separates good cards from bad, and only where the screener has a slope;
 * `market_rsi_1d` is equal for all cards of a day.
 */
function contextOf(episode: Episode, mood: number): Record<string, number> {
  const { id, listing } = episode;
  const mixed = hash(id, 24);
  if (chance(mixed, 0) < 0.07) return {};
  const { fact_oi_pct: oi, fact_funding: funding } = factsOf(episode, 0);
  return {
    price: priceOf(episode),
    price_change_24h_pct: rounded(4 * gaussian(mixed, 1), 2),
    ...(oi !== null && { oi_change_pct: oi }),
    oi_usd: rounded(0.6 * listing.turnover * around(mixed, 2), 0),
    volume_24h_usd: rounded(listing.turnover * around(mixed, 3), 0),
    ...(funding !== null && { funding }),
    market_rsi_1d: rounded(50 + 30 * mood, 1),
  };
}

/** Eight significant digits, as exchanges quote in full. */
const priceOf = ({ id, listing }: Episode): number =>
  Number((listing.price * Math.exp(0.1 * gaussian(id, 25))).toPrecision(8));
