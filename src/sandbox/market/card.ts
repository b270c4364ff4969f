import { horizonOf, OUTCOME_MILLIS, outcomeFields } from '../../api/contract/horizons.ts';
import type { Outcome, SignalDetail } from '../../api/contract/resources.ts';
import { formatApiTime } from '../../api/time.ts';
import { BTC, type Episode } from './episodes.ts';
import { chance, gaussian, hash, type Moves, rounded } from './noise.ts';
import type { Metric } from './screeners.ts';

const EXCHANGES = ['binance', 'bybit', 'okx'];

/**
 * An episode as it is known at `now`: repeats and facts change while it lasts.
 * @param mood the market's mood on the card's day, -1 to 1
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

/** How a number is called, and how it is distributed where no screener watches it. */
interface MetricShape {
  readonly label: string;
  readonly mean: number;
  /** The standard deviation. */
  readonly deviation: number;
  /** Decimals that the service gives. */
  readonly digits: number;
}

const METRICS: Readonly<Record<Metric, MetricShape>> = {
  price: { label: 'Price', mean: 0, deviation: 0.9, digits: 2 },
  oi: { label: 'OI', mean: 0, deviation: 1.2, digits: 2 },
  volume: { label: 'Volume', mean: 0, deviation: 30, digits: 1 },
  funding: { label: 'Funding', mean: 0.0001, deviation: 0.0001, digits: 6 },
};

/** Streams of draws that do not depend on each other: any numbers, each once. */
const STREAM = {
  facts: 11,
  supplied: 13,
  withoutOutcome: 21,
  missing: 22,
  withoutBtc: 23,
  context: 24,
  price: 25,
} as const;

/** Shares of the cards, or of their facts. */
const SHARE = {
  factSupplied: 0.88,
  falling: 0.45,
  withoutOutcome: 0.03,
  missing: 0.03,
  withoutBtc: 0.02,
  withoutContext: 0.07,
} as const;

/** By how much a later update is larger than the trigger, at most. */
const UPDATE_GROWTH = 0.3;

/** Facts of one update, 0 being the trigger. Sources leave some out: the document allows null for each. */
function factsOf(episode: Episode, update: number) {
  const { id, listing, screener } = episode;
  const { metric, window } = screener;
  const seed = hash(hash(id, STREAM.facts), update);
  const ifSupplied = (draw: number, value: number) =>
    chance(hash(id, STREAM.supplied), draw) < SHARE.factSupplied ? value : null;
  const canFall = metric === 'price' || metric === 'funding';
  const isFalling = canFall && chance(hash(id, STREAM.facts), -1) < SHARE.falling;
  const growth = update === 0 ? 1 : 1 + UPDATE_GROWTH * chance(seed, 8);
  const watchedSize = episode.measured * growth;
  /** The screener's own number is beyond its threshold; the others are ordinary, or not supplied. */
  const fact = (name: Metric, draw: number) => {
    const { mean, deviation, digits } = METRICS[name];
    if (name === metric) return rounded(isFalling ? -watchedSize : watchedSize, digits);
    return ifSupplied(draw, rounded(mean + deviation * gaussian(seed, draw), digits));
  };
  return {
    fact_price_pct: fact('price', 2),
    fact_oi_pct: fact('oi', 3),
    fact_volume_pct: fact('volume', 4),
    fact_window_min: window,
    fact_funding: fact('funding', 5),
    fact_oi_usd: ifSupplied(6, rounded(0.6 * listing.turnover * nearOne(seed, 6), 0)),
    fact_volume_usd: ifSupplied(7, rounded(listing.turnover * nearOne(seed, 7), 0)),
  };
}

/** A factor that is mostly between 0.8 and 1.2. */
const nearOne = (seed: number, draw: number): number => Math.exp(0.2 * gaussian(seed, draw));

function changeOf(
  { screener: { metric, window } }: Episode,
  facts: ReturnType<typeof factsOf>,
): string {
  const change =
    metric === 'funding'
      ? rounded((facts.fact_funding ?? 0) * 100, 4)
      : facts[`fact_${metric}_pct`];
  const signed = change !== null && change > 0 ? `+${change}` : change;
  const within = window === null ? '' : ` in ${window} min`;
  return `${METRICS[metric].label} ${signed}%${within}`;
}

/** Some cards have no outcome, some a missing horizon, some no movement of BTC: the document allows each. */
function outcomeAt(episode: Episode, moves: Moves, now: number): Outcome | null {
  const { id, createdAt, listing, effect } = episode;
  if (chance(hash(id, STREAM.withoutOutcome), 0) < SHARE.withoutOutcome) return null;
  return {
    entry_at: formatApiTime(createdAt),
    entry_price: priceOf(episode),
    ...outcomeFields((horizon) => {
      const { millis, least } = horizonOf(horizon);
      if (now < createdAt + millis) return { state: 'pending', move: null, btc: null };
      const isMissing = chance(hash(id, STREAM.missing), millis) < SHARE.missing;
      if (isMissing) return { state: 'missing', move: null, btc: null };
      const btc = moves.btc(createdAt, horizon);
      const hasBtc = chance(hash(id, STREAM.withoutBtc), millis) >= SHARE.withoutBtc;
      // The effect of the screener is in units of the smallest difference that matters after a horizon.
      const beyondBtc =
        listing === BTC ? 0 : moves.ofCardAlone(id, createdAt, horizon) + effect * least;
      const move = rounded(btc + beyondBtc, 4);
      return { state: 'available', move, btc: hasBtc ? rounded(btc, 4) : null };
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
  const seed = hash(id, STREAM.context);
  if (chance(seed, 0) < SHARE.withoutContext) return {};
  const { fact_oi_pct: oi, fact_funding: funding } = factsOf(episode, 0);
  return {
    price: priceOf(episode),
    price_change_24h_pct: rounded(4 * gaussian(seed, 1), 2),
    ...(oi !== null && { oi_change_pct: oi }),
    oi_usd: rounded(0.6 * listing.turnover * nearOne(seed, 2), 0),
    volume_24h_usd: rounded(listing.turnover * nearOne(seed, 3), 0),
    ...(funding !== null && { funding }),
    market_rsi_1d: rounded(50 + 30 * mood, 1),
  };
}

/** Eight significant digits, as exchanges quote in full. */
const priceOf = ({ id, listing }: Episode): number =>
  Number((listing.price * Math.exp(0.1 * gaussian(id, STREAM.price))).toPrecision(8));
