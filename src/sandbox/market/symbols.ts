/** A market the invented traders watch. */
export interface Listing {
  readonly symbol: string;
  /** USD, about which the price moves. */
  readonly price: number;
  /** How much of BTC's movement it shares. */
  readonly beta: number;
  /** Typical movement of its own in a day, as a fraction. */
  readonly spread: number;
  /** Ordinary turnover in a day, USD. */
  readonly turnover: number;
  /** Ordinary open interest, USD. */
  readonly openInterest: number;
  readonly exchanges: readonly string[];
}

const ALL = ['binance', 'bybit', 'okx'] as const;
const TWO = ['binance', 'bybit'] as const;
const OTHER = ['bybit', 'okx'] as const;

const M = 1e6;

/** BTC is the first: the others move with it. Figures are invented, in the order of magnitude of real ones. */
export const LISTINGS: readonly [Listing, ...Listing[]] = [
  listing('BTCUSDT', 91_400, 1, 0, 14_000 * M, 9_000 * M, ALL),
  listing('ETHUSDT', 3_080, 1.1, 0.018, 9_000 * M, 5_500 * M, ALL),
  listing('SOLUSDT', 142, 1.25, 0.026, 3_100 * M, 1_900 * M, ALL),
  listing('XRPUSDT', 2.14, 1.1, 0.028, 1_800 * M, 900 * M, ALL),
  listing('DOGEUSDT', 0.158, 1.3, 0.032, 1_100 * M, 620 * M, ALL),
  listing('BNBUSDT', 905, 0.9, 0.016, 700 * M, 510 * M, TWO),
  listing('ADAUSDT', 0.462, 1.2, 0.03, 420 * M, 260 * M, ALL),
  listing('AVAXUSDT', 14.1, 1.3, 0.034, 310 * M, 170 * M, ALL),
  listing('LINKUSDT', 13.6, 1.2, 0.032, 380 * M, 230 * M, ALL),
  listing('SUIUSDT', 1.62, 1.35, 0.04, 520 * M, 310 * M, ALL),
  listing('TONUSDT', 1.74, 0.9, 0.034, 120 * M, 95 * M, OTHER),
  listing('NEARUSDT', 2.31, 1.3, 0.042, 190 * M, 120 * M, ALL),
  listing('APTUSDT', 2.88, 1.25, 0.04, 140 * M, 88 * M, ALL),
  listing('ARBUSDT', 0.221, 1.3, 0.042, 130 * M, 82 * M, ALL),
  listing('OPUSDT', 0.334, 1.3, 0.044, 110 * M, 71 * M, ALL),
  listing('INJUSDT', 5.93, 1.25, 0.044, 74 * M, 46 * M, TWO),
  listing('SEIUSDT', 0.139, 1.3, 0.046, 68 * M, 41 * M, TWO),
  listing('TIAUSDT', 0.684, 1.2, 0.05, 86 * M, 52 * M, ALL),
  listing('WIFUSDT', 0.382, 1.5, 0.058, 150 * M, 79 * M, ALL),
  listing('1000PEPEUSDT', 0.00482, 1.45, 0.05, 640 * M, 290 * M, TWO),
  listing('1000BONKUSDT', 0.0101, 1.45, 0.056, 140 * M, 66 * M, TWO),
  listing('1000SHIBUSDT', 0.00884, 1.2, 0.036, 160 * M, 92 * M, TWO),
  listing('ENAUSDT', 0.271, 1.35, 0.054, 210 * M, 130 * M, ALL),
  listing('JUPUSDT', 0.243, 1.2, 0.046, 72 * M, 44 * M, OTHER),
  listing('ORDIUSDT', 4.02, 1.2, 0.056, 64 * M, 37 * M, ALL),
  listing('FARTCOINUSDT', 0.294, 1.4, 0.072, 180 * M, 84 * M, OTHER),
];

function listing(
  symbol: string,
  price: number,
  beta: number,
  spread: number,
  turnover: number,
  openInterest: number,
  exchanges: readonly string[],
): Listing {
  return { symbol, price, beta, spread, turnover, openInterest, exchanges };
}
