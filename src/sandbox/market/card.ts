/** Cards of the invented market, as the service would send them. */
import { horizonOf, OUTCOME_MILLIS, outcomeFields } from '../../api/contract/horizons.ts';
import type { Outcome, SignalCard, SignalDetail } from '../../api/contract/resources.ts';
import { apiTimeOrNull, formatApiTime } from '../../api/time.ts';
import { BTC, type Episode } from './episodes.ts';
import { chance, gaussian, hash, type Moves, rounded } from './noise.ts';
import type { Metric } from './screeners.ts';

const EXCHANGES = ['binance', 'bybit', 'okx'];

/**
 * An episode's card as the service knows it at `now`: repeats and facts change while the episode lasts.
 * @param mood the market's mood on the card's day, -1 to 1
 * @param now epoch milliseconds UTC
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
    last_seen_at: apiTimeOrNull(last),
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

/** When the card changes for the last time, epoch milliseconds UTC: from then on `detailAt` is always the same. */
export function lastChangeOf({ createdAt, repeats }: Episode): number {
  return Math.max(createdAt + OUTCOME_MILLIS, repeats.at(-1) ?? createdAt);
}

/** What a number is called, and its normal distribution if another number triggered the card. */
interface MetricShape {
  readonly label: string;
  readonly mean: number;
  /** The standard deviation. */
  readonly deviation: number;
  /** How many decimals the service gives. */
  readonly digits: number;
}

const METRICS: Readonly<Record<Metric, MetricShape>> = {
  price: { label: 'Price', mean: 0, deviation: 0.9, digits: 2 },
  oi: { label: 'OI', mean: 0, deviation: 1.2, digits: 2 },
  volume: { label: 'Volume', mean: 0, deviation: 30, digits: 1 },
  funding: { label: 'Funding', mean: 0.0001, deviation: 0.0001, digits: 6 },
};

/** Streams of draws: they do not depend on each other, because their numbers differ. */
const STREAM = {
  facts: 11,
  supplied: 13,
  withoutOutcome: 21,
  missing: 22,
  withoutBtc: 23,
  context: 24,
  price: 25,
} as const;

/** The draws of the facts within their stream: each has a number of its own. */
const DRAW = {
  falling: -1,
  price: 2,
  oi: 3,
  volume: 4,
  funding: 5,
  oiUsd: 6,
  volumeUsd: 7,
  growth: 8,
} as const;

/** The draws of the entry context within its stream. */
const CONTEXT_DRAW = { isEmpty: 0, change24h: 1, oiUsd: 2, volumeUsd: 3 } as const;

/** Shares of the cards, or of their facts. */
const SHARE = {
  factSupplied: 0.88,
  falling: 0.45,
  withoutOutcome: 0.03,
  missing: 0.03,
  withoutBtc: 0.02,
  withoutContext: 0.07,
} as const;

/** A later update is larger than the trigger by at most this share. */
const UPDATE_GROWTH = 0.3;

/** The fields of a card that its last update sets. */
export type Facts = Pick<
  SignalCard,
  | 'fact_price_pct'
  | 'fact_oi_pct'
  | 'fact_volume_pct'
  | 'fact_window_min'
  | 'fact_funding'
  | 'fact_oi_usd'
  | 'fact_volume_usd'
>;

/**
 * The facts of one update. Sources leave some out: the document allows null for each.
 * @param update 0 for the trigger, 1 for the first repeat, and so on
 */
function factsOf(episode: Episode, update: number): Facts {
  const { id, listing, screener } = episode;
  const { metric, window } = screener;
  const seed = hash(hash(id, STREAM.facts), update);
  const ifSupplied = (draw: number, value: number) =>
    chance(hash(id, STREAM.supplied), draw) < SHARE.factSupplied ? value : null;
  const canFall = metric === 'price' || metric === 'funding';
  const isFalling = canFall && chance(hash(id, STREAM.facts), DRAW.falling) < SHARE.falling;
  const growth = update === 0 ? 1 : 1 + UPDATE_GROWTH * chance(seed, DRAW.growth);
  const watchedSize = episode.measured * growth;
  /** One fact. The one that the screener watches is beyond the threshold. The others are ordinary, or not supplied. */
  const fact = (name: Metric) => {
    const { mean, deviation, digits } = METRICS[name];
    const draw = DRAW[name];
    if (name === metric) return rounded(isFalling ? -watchedSize : watchedSize, digits);
    return ifSupplied(draw, rounded(mean + deviation * gaussian(seed, draw), digits));
  };
  const oiUsd = 0.6 * listing.turnover * nearOne(seed, DRAW.oiUsd);
  const volumeUsd = listing.turnover * nearOne(seed, DRAW.volumeUsd);
  return {
    fact_price_pct: fact('price'),
    fact_oi_pct: fact('oi'),
    fact_volume_pct: fact('volume'),
    fact_window_min: window,
    fact_funding: fact('funding'),
    fact_oi_usd: ifSupplied(DRAW.oiUsd, rounded(oiUsd, 0)),
    fact_volume_usd: ifSupplied(DRAW.volumeUsd, rounded(volumeUsd, 0)),
  };
}

/** A factor that is mostly between 0.8 and 1.2. */
const nearOne = (seed: number, draw: number): number => Math.exp(0.2 * gaussian(seed, draw));

/** The change in words, as in `OI +3.1% in 60 min`. */
function changeOf({ screener }: Episode, facts: Facts): string {
  const { metric, window } = screener;
  const change =
    metric === 'funding'
      ? rounded((facts.fact_funding ?? 0) * 100, 4)
      : facts[`fact_${metric}_pct`];
  const signedChange = change !== null && change > 0 ? `+${change}` : change;
  const time = window === null ? '' : ` in ${window} min`;
  return `${METRICS[metric].label} ${signedChange}%${time}`;
}

/** The outcome at `now`. Some cards have none. Some lack a horizon or the movement of BTC. The document allows each of these. */
function outcomeAt(episode: Episode, moves: Moves, now: number): Outcome | null {
  const { id, createdAt, listing, effect } = episode;
  if (chance(hash(id, STREAM.withoutOutcome), 0) < SHARE.withoutOutcome) return null;
  return {
    entry_at: formatApiTime(createdAt),
    entry_price: priceOf(episode),
    ...outcomeFields((horizon) => {
      const { millis, shareOfLeast } = horizonOf(horizon);
      if (now < createdAt + millis) return { state: 'pending', move: null, btc: null };
      const isMissing = chance(hash(id, STREAM.missing), millis) < SHARE.missing;
      if (isMissing) return { state: 'missing', move: null, btc: null };
      const btc = moves.btc(createdAt, horizon);
      const hasBtc = chance(hash(id, STREAM.withoutBtc), millis) >= SHARE.withoutBtc;
      // `effect` is the effect after 24 h. After 1 h it is a quarter: `shareOfLeast` is 1/4 for 1 h, and 1 for 24 h.
      const beyondBtc =
        listing === BTC ? 0 : moves.beyondBtc(id, createdAt, horizon) + effect * shareOfLeast;
      const move = rounded(btc + beyondBtc, 4);
      return { state: 'available', move, btc: hasBtc ? rounded(btc, 4) : null };
    }),
  };
}

/**
 * The numbers at the trigger. Their keys are the sandbox's own: the document does not show which are allowed. Only
 * `oi_change_pct` separates good cards from bad, and only for a screener that has a `slope`. `market_rsi_1d` is the same for
 * all cards of a day.
 */
function contextOf(episode: Episode, mood: number): Record<string, number> {
  const { id, listing } = episode;
  const seed = hash(id, STREAM.context);
  if (chance(seed, CONTEXT_DRAW.isEmpty) < SHARE.withoutContext) return {};
  const { fact_oi_pct: oi, fact_funding: funding } = factsOf(episode, 0);
  return {
    price: priceOf(episode),
    price_change_24h_pct: rounded(4 * gaussian(seed, CONTEXT_DRAW.change24h), 2),
    ...(oi === null ? {} : { oi_change_pct: oi }),
    oi_usd: rounded(0.6 * listing.turnover * nearOne(seed, CONTEXT_DRAW.oiUsd), 0),
    volume_24h_usd: rounded(listing.turnover * nearOne(seed, CONTEXT_DRAW.volumeUsd), 0),
    ...(funding === null ? {} : { funding }),
    market_rsi_1d: rounded(50 + 30 * mood, 1),
  };
}

/** USD, with eight significant digits. */
const priceOf = ({ id, listing }: Episode): number =>
  Number((listing.price * Math.exp(0.1 * gaussian(id, STREAM.price))).toPrecision(8));
