/** A market the invented traders watch. */
export interface Listing {
  readonly symbol: string;
  /** USD, about which the price moves. */
  readonly price: number;
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

export const BTC = listing('BTCUSDT', 91_400, 14_000 * M, 9_000 * M, ALL);

/** BTC is the first. Figures are invented, in the order of magnitude of real ones. */
export const LISTINGS: readonly Listing[] = [
  BTC,
  listing('ETHUSDT', 3_080, 9_000 * M, 5_500 * M, ALL),
  listing('SOLUSDT', 142, 3_100 * M, 1_900 * M, ALL),
  listing('XRPUSDT', 2.14, 1_800 * M, 900 * M, ALL),
  listing('DOGEUSDT', 0.158, 1_100 * M, 620 * M, ALL),
  listing('BNBUSDT', 905, 700 * M, 510 * M, TWO),
  listing('ADAUSDT', 0.462, 420 * M, 260 * M, ALL),
  listing('AVAXUSDT', 14.1, 310 * M, 170 * M, ALL),
  listing('LINKUSDT', 13.6, 380 * M, 230 * M, ALL),
  listing('SUIUSDT', 1.62, 520 * M, 310 * M, ALL),
  listing('TONUSDT', 1.74, 120 * M, 95 * M, OTHER),
  listing('NEARUSDT', 2.31, 190 * M, 120 * M, ALL),
  listing('APTUSDT', 2.88, 140 * M, 88 * M, ALL),
  listing('ARBUSDT', 0.221, 130 * M, 82 * M, ALL),
  listing('OPUSDT', 0.334, 110 * M, 71 * M, ALL),
  listing('INJUSDT', 5.93, 74 * M, 46 * M, TWO),
  listing('SEIUSDT', 0.139, 68 * M, 41 * M, TWO),
  listing('TIAUSDT', 0.684, 86 * M, 52 * M, ALL),
  listing('WIFUSDT', 0.382, 150 * M, 79 * M, ALL),
  listing('1000PEPEUSDT', 0.00482, 640 * M, 290 * M, TWO),
  listing('1000BONKUSDT', 0.0101, 140 * M, 66 * M, TWO),
  listing('1000SHIBUSDT', 0.00884, 160 * M, 92 * M, TWO),
  listing('ENAUSDT', 0.271, 210 * M, 130 * M, ALL),
  listing('JUPUSDT', 0.243, 72 * M, 44 * M, OTHER),
  listing('ORDIUSDT', 4.02, 64 * M, 37 * M, ALL),
  listing('FARTCOINUSDT', 0.294, 180 * M, 84 * M, OTHER),
];

function listing(
  symbol: string,
  price: number,
  turnover: number,
  openInterest: number,
  exchanges: readonly string[],
): Listing {
  return { symbol, price, turnover, openInterest, exchanges };
}
