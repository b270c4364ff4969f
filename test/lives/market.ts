/** The invented market: paths of BTC and of what all other symbols have in common, and the symbols' betas. */
import { normalOf, randomOf } from '../support/history.ts';

const HOUR = 3_600_000;
const HOURS_A_DAY = 24;

/** Percent: the standard deviation of BTC's move of a day, and its mean. */
const BTC_DEVIATION = 2;
const BTC_TREND = 0.1;

/** Percentage points: the standard deviation of the move of a day that other symbols share beside BTC's. */
const COMMON_DEVIATION = 1.2;

const NAMES = [
  ...['ETH', 'SOL', 'XRP', 'BNB', 'DOGE', 'ADA', 'TRX', 'AVAX', 'LINK', 'TON'],
  ...['SUI', 'DOT', 'LTC', 'BCH', 'NEAR', 'APT', 'UNI', 'ICP', 'ETC', 'FIL'],
  ...['ARB', 'OP', 'INJ', 'TIA', 'SEI', 'RUNE', 'AAVE', 'ATOM', 'GALA', 'SAND'],
  ...['1000PEPE', 'WIF', '1000BONK', 'FET', 'LDO', 'ENA', 'JUP', 'ORDI', 'PYTH', 'STX'],
];

export interface TradedSymbol {
  readonly name: string;
  /** Its move for each percent of BTC's. */
  readonly beta: number;
  /** USD. */
  readonly price: number;
  /** USD a day. */
  readonly turnover: number;
}

export interface Market {
  readonly symbols: readonly TradedSymbol[];
  /** BTC's move after a time, percent. */
  btcMove(at: number, hours: number): number;
  /** What all other symbols move beside that, percentage points. */
  commonMove(at: number, hours: number): number;
}

/** The mean of what a symbol moves beyond BTC because of its beta, percentage points a day. */
export function trendBeyondBtc({ symbols }: Market): number {
  const betas = symbols.map(({ beta }) => beta);
  const mean = betas.reduce((sum, beta) => sum + beta, 0) / betas.length;
  return (mean - 1) * BTC_TREND;
}

/** @param begins the first time of which moves are asked, epoch milliseconds UTC @param days of the market */
export function createMarket(seed: number, begins: number, days: number): Market {
  const hours = HOURS_A_DAY * (days + 2);
  const btc = path(1000 * seed + 1, hours, BTC_TREND, BTC_DEVIATION);
  const common = path(1000 * seed + 2, hours, 0, COMMON_DEVIATION);
  const moveOf = (levels: readonly number[]) => (at: number, hoursLater: number) => {
    const hour = (at - begins) / HOUR;
    return levelAt(levels, hour + hoursLater) - levelAt(levels, hour);
  };
  return { symbols: symbolsOf(seed), btcMove: moveOf(btc), commonMove: moveOf(common) };
}

/** The levels of a random walk at each hour. @param trend, @param deviation of a day */
function path(seed: number, hours: number, trend: number, deviation: number): number[] {
  const normal = normalOf(randomOf(seed));
  const levels = [0];
  for (let hour = 0; hour < hours; hour += 1) {
    const step = trend / HOURS_A_DAY + (deviation / Math.sqrt(HOURS_A_DAY)) * normal();
    levels.push((levels.at(-1) ?? 0) + step);
  }
  return levels;
}

/** Between two hours the level goes straight. */
function levelAt(levels: readonly number[], hour: number): number {
  const before = Math.floor(hour);
  const low = levels[before];
  const high = levels[before + 1];
  if (low === undefined || high === undefined) throw new Error(`No market at hour ${hour}.`);
  return low + (hour - before) * (high - low);
}

function symbolsOf(seed: number): TradedSymbol[] {
  const random = randomOf(1000 * seed + 3);
  return NAMES.map((name, place) => ({
    name: `${name}USDT`,
    beta: 0.7 + 0.7 * random(),
    price: 100 * Math.exp(-8 * random()),
    turnover: Math.round(2e9 * Math.exp(-place / 12)),
  }));
}
