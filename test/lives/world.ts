/** What the service shows of a lived account. */
import { horizonOf, outcomeFields } from '../../src/api/contract/horizons.ts';
import type { Outcome, Screeners, SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import type { Facts } from '../../src/sandbox/market/card.ts';
import { snapshotAt } from '../../src/sandbox/market/market-world.ts';
import type { World } from '../../src/sandbox/world.ts';
import { normalOf, randomOf } from '../support/history.ts';
import {
  type LivedAccount,
  type LivedType,
  PICKED_MORE,
  sendsOn,
  valueOn,
  type Watched,
} from './accounts.ts';
import { createMarket, type Market, type TradedSymbol } from './market.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 6 h UTC on day 0. */
export const FIRST_MORNING = Date.UTC(2026, 7, 1, 6);
const DAY_0 = Date.UTC(2026, 7, 1);

/** Mornings of a whole life. */
export const MORNINGS = 90;

/** The standard deviation of a card's own move of 24 h, percentage points. */
const SPREAD = 5;

/** Degrees of freedom of a card's own move: few make its tails heavy. */
const TAIL_FREEDOM = 5;

/** The share of the outcomes that the service lost. */
const MISSING = 0.02;

/** How much the number of cards differs from day to day: the standard deviation of its logarithm. */
const BUSYNESS = 0.25;

/** The numbers at the trigger. */
interface Context {
  readonly price_change_pct: number;
  readonly oi_change_pct: number;
  readonly funding: number;
  readonly volume_24h_usd: number;
}

/** A card and what follows it, before anything is written as the service would. */
interface LivedCard {
  readonly id: number;
  readonly at: number;
  readonly type: LivedType;
  readonly symbol: TradedSymbol;
  readonly context: Context;
  /** Of what its type watches, as its threshold. */
  readonly size: number;
  /** Percentage points of 24 h: the effect of its type and numbers, and whether it was picked. */
  readonly effect: number;
  readonly isPicked: boolean;
  /** Standard deviations, of the card's own move. */
  readonly ownMove: { readonly ofHour: number; readonly ofDay: number };
  readonly isMissing: boolean;
}

export interface LivedWorld {
  readonly world: World;
  readonly market: Market;
  /** Ids of the cards that the user would have picked until a time, oldest first. */
  pickedUntil(time: number): number[];
}

/** @param mornings how many are lived */
export function createLivedWorld(
  account: LivedAccount,
  seed: number,
  mornings = MORNINGS,
): LivedWorld {
  const begins = DAY_0 - account.listed * DAY;
  const days = account.listed + mornings + 1;
  const market = createMarket(seed, begins, days);
  const cards = drawCards(account, market, seed, mornings);
  const newestFirst = cards
    .map(({ id, at, type, symbol }) => {
      return { id, createdAt: at, symbol: symbol.name, type: type.name };
    })
    .reverse();
  const world: World = {
    index: (now) => newestFirst.filter(({ createdAt }) => createdAt <= now),
    detail: (id, now) => {
      const card = cards[id - FIRST_ID];
      return card === undefined || card.at > now ? undefined : detailOf(card, market, now);
    },
    screeners: (now) => screenersOf(account, Math.floor((now - DAY_0) / DAY)),
    snapshot: (now) => snapshotAt(seed, now),
  };
  const picked = cards.filter(({ isPicked }) => isPicked);
  return {
    world,
    market,
    pickedUntil: (time) => picked.filter(({ at }) => at <= time).map(({ id }) => id),
  };
}

const FIRST_ID = 500_001;

/** All cards of an account, oldest first. */
function drawCards(
  account: LivedAccount,
  market: Market,
  seed: number,
  mornings: number,
): LivedCard[] {
  const random = randomOf(1000 * seed + 10);
  const normal = normalOf(randomOf(1000 * seed + 11));
  const cards: LivedCard[] = [];
  for (let day = -account.listed; day < mornings; day += 1) {
    const busyness = Math.exp(BUSYNESS * normal() - BUSYNESS ** 2 / 2);
    const ofDay: { readonly at: number; readonly type: LivedType }[] = [];
    for (const type of account.types) {
      if (!sendsOn(type, day)) continue;
      const count = poisson(type.perDay * busyness, random);
      for (let card = 0; card < count; card += 1) {
        const at = DAY_0 + day * DAY + Math.floor((random() * DAY) / SECOND) * SECOND;
        // Of a new account nothing is listed on its first morning.
        if (account.listed > 0 || at > FIRST_MORNING) ofDay.push({ at, type });
      }
    }
    for (const { at, type } of ofDay.sort((a, b) => a.at - b.at)) {
      const id = FIRST_ID + cards.length;
      cards.push(drawCard({ id, at, type }, day, account, market, random, normal));
    }
  }
  return cards;
}

function drawCard(
  given: Pick<LivedCard, 'id' | 'at' | 'type'>,
  day: number,
  { pickedShare }: LivedAccount,
  { symbols }: Market,
  random: () => number,
  normal: () => number,
): LivedCard {
  const { type } = given;
  const symbol = symbols[Math.floor(random() * symbols.length)];
  if (symbol === undefined) throw new Error('The market has no symbols.');
  const { context, isUp, rank, size } = drawContext(type, day, symbol, random, normal);
  const isPicked = random() < pickedShare;
  // The mean of all cards stays as it is.
  const ofPick = isPicked ? (1 - pickedShare) * PICKED_MORE : -pickedShare * PICKED_MORE;
  const effect = valueOn(type.effect, day) + effectOfNumber(type, isUp, rank) + ofPick;
  const ownMove = { ofHour: normal(), ofDay: heavyTailed(normal) };
  return {
    ...given,
    symbol,
    context,
    size,
    effect,
    isPicked,
    ownMove,
    isMissing: random() < MISSING,
  };
}

/** How often something happens whose mean is given (Knuth). */
function poisson(mean: number, random: () => number): number {
  const least = Math.exp(-mean);
  let count = 0;
  let product = random();
  while (product > least) {
    count += 1;
    product *= random();
  }
  return count;
}

/** A draw of Student's t, with a standard deviation of 1. */
function heavyTailed(normal: () => number): number {
  let squares = 0;
  for (let draw = 0; draw < TAIL_FREEDOM; draw += 1) squares += normal() ** 2;
  const t = normal() / Math.sqrt(squares / TAIL_FREEDOM);
  return t * Math.sqrt((TAIL_FREEDOM - 2) / TAIL_FREEDOM);
}

interface DrawnContext extends Pick<LivedCard, 'context' | 'size'> {
  /** Whether the price had risen. */
  readonly isUp: boolean;
  /** Where the size of the number that the type watches lies among its cards: 0 the smallest, 1 the largest. */
  readonly rank: number;
}

/** What a screener watches is beyond its threshold, the larger the rarer. The other numbers are ordinary. */
function drawContext(
  type: LivedType,
  day: number,
  symbol: TradedSymbol,
  random: () => number,
  normal: () => number,
): DrawnContext {
  const rank = random();
  const isUp = random() < 0.5;
  const size = valueOn(type.threshold, day) * (1 - 0.4 * Math.log(1 - rank));
  const signed = isUp ? size : -size;
  const context = {
    price_change_pct: type.watches === 'price' ? rounded(signed, 2) : rounded(1.2 * normal(), 2),
    oi_change_pct: type.watches === 'oi' ? rounded(size, 2) : rounded(1.5 * normal(), 2),
    funding:
      type.watches === 'funding' ? rounded(signed, 6) : rounded(0.0001 + 0.0001 * normal(), 6),
    volume_24h_usd: Math.round(symbol.turnover * Math.exp(0.4 * normal())),
  };
  return { context, isUp, rank, size };
}

function effectOfNumber({ tells }: LivedType, isUp: boolean, rank: number): number {
  if (tells === undefined) return 0;
  if (tells.by === 'sign') return isUp ? tells.percentagePoints : -tells.percentagePoints;
  // The means of the lower and of the upper half of the ranks are half of 1 apart.
  return 2 * tells.percentagePoints * (rank - 0.5);
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Minutes over which a screener measures; null if at one moment. */
const WINDOWS: Readonly<Record<Watched, number | null>> = {
  price: 15,
  oi: 60,
  volume: 30,
  funding: null,
  liquidations: 5,
};

function detailOf(card: LivedCard, market: Market, now: number): SignalDetail {
  const { id, at, type, symbol, context } = card;
  const repeats = id % 3;
  const lastSeenAt = at + repeats * 20 * MINUTE;
  const isSeenAgain = repeats > 0 && lastSeenAt <= now;
  return {
    id,
    source_symbol: symbol.name,
    source_bot_type: type.name,
    exchanges: ['binance', 'bybit', 'okx'].slice(0, 1 + (id % 3)),
    changes: [changeOf(card)],
    created_at: formatApiTime(at),
    last_seen_at: isSeenAgain ? formatApiTime(lastSeenAt) : null,
    repeat_count: isSeenAgain ? repeats : 0,
    url: `https://screener.example/notifications?symbol=${symbol.name}&type=${type.name}`,
    url_scope: 'filtered_notification_history',
    facts_scope: 'latest_episode_update',
    ...factsOf(card),
    outcome: outcomeOf(card, market, now),
    entry_context: { ...context },
    context_scope: 'entry_snapshot',
  };
}

function factsOf({ type, symbol, context, size }: LivedCard): Facts {
  return {
    fact_price_pct: context.price_change_pct,
    fact_oi_pct: context.oi_change_pct,
    fact_volume_pct: type.watches === 'volume' ? rounded(size, 1) : null,
    fact_window_min: WINDOWS[type.watches],
    fact_funding: context.funding,
    fact_oi_usd: Math.round(0.6 * symbol.turnover),
    fact_volume_usd: context.volume_24h_usd,
  };
}

/** The change in words, as in `OI +4.1% in 60 min`. */
function changeOf({ type, context, size }: LivedCard): string {
  const window = WINDOWS[type.watches];
  const within = window === null ? '' : ` in ${window} min`;
  const signed = (value: number) => (value > 0 ? `+${value}` : `${value}`);
  switch (type.watches) {
    case 'price':
      return `Price ${signed(context.price_change_pct)}%${within}`;
    case 'oi':
      return `OI ${signed(context.oi_change_pct)}%${within}`;
    case 'volume':
      return `Volume ${signed(rounded(size, 1))}%${within}`;
    case 'funding':
      return `Funding ${signed(rounded(100 * context.funding, 4))}%`;
    case 'liquidations':
      return `Liquidations ${Math.round(size)} USD${within}`;
  }
}

function outcomeOf(card: LivedCard, market: Market, now: number): Outcome {
  const { at, symbol, isMissing } = card;
  return {
    entry_at: formatApiTime(at),
    entry_price: Number(symbol.price.toPrecision(6)),
    ...outcomeFields((horizon) => {
      const { millis, shareOfLeast } = horizonOf(horizon);
      if (now < at + millis) return { state: 'pending', move: null, btc: null };
      if (isMissing) return { state: 'missing', move: null, btc: null };
      const hours = millis / HOUR;
      const btc = market.btcMove(at, hours);
      const own = hours < 24 ? card.ownMove.ofHour : card.ownMove.ofDay;
      const ofCardAlone = SPREAD * Math.sqrt(hours / 24) * own + shareOfLeast * card.effect;
      const move = symbol.beta * btc + market.commonMove(at, hours) + ofCardAlone;
      return { state: 'available', move: rounded(Math.max(-95, move), 4), btc: rounded(btc, 4) };
    }),
  };
}

/** The settings of a day: three parts and the limit of notifications. */
function screenersOf({ types }: LivedAccount, day: number): Screeners {
  const items = types.map((type) => {
    const { name, watches } = type;
    const comparison = watches === 'price' || watches === 'funding' ? 'abs_gte' : 'gte';
    const conditions = {
      trigger: {
        metric: watches,
        comparison,
        value: valueOn(type.threshold, day),
        window_min: WINDOWS[watches],
      },
      turnover_usd_min: 5_000_000,
      exchanges: ['binance', 'bybit', 'okx'],
      rate_limit: { notifications: 1, per_minutes: 15 },
    };
    return { type: name, active: true, conditions };
  });
  return { scope: 'current_settings', items };
}
