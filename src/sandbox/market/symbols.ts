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

const ALL = ['binance', 'bybit', 'okx'];
const TWO = ['binance', 'bybit'];
const OTHER = ['bybit', 'okx'];

/** Symbol, price, turnover and open interest in millions, exchanges. */
type Row = readonly [string, number, number, number, readonly string[]];

const listing = ([symbol, price, turnover, openInterest, exchanges]: Row): Listing => ({
  symbol,
  price,
  turnover: turnover * 1e6,
  openInterest: openInterest * 1e6,
  exchanges,
});

export const BTC = listing(['BTCUSDT', 91_400, 14_000, 9_000, ALL]);

/** Without BTC. Figures are invented, in the order of magnitude of real ones. */
export const OTHERS: readonly Listing[] = (
  [
    ['ETHUSDT', 3_080, 9_000, 5_500, ALL],
    ['SOLUSDT', 142, 3_100, 1_900, ALL],
    ['XRPUSDT', 2.14, 1_800, 900, ALL],
    ['DOGEUSDT', 0.158, 1_100, 620, ALL],
    ['BNBUSDT', 905, 700, 510, TWO],
    ['ADAUSDT', 0.462, 420, 260, ALL],
    ['AVAXUSDT', 14.1, 310, 170, ALL],
    ['LINKUSDT', 13.6, 380, 230, ALL],
    ['SUIUSDT', 1.62, 520, 310, ALL],
    ['TONUSDT', 1.74, 120, 95, OTHER],
    ['NEARUSDT', 2.31, 190, 120, ALL],
    ['APTUSDT', 2.88, 140, 88, ALL],
    ['ARBUSDT', 0.221, 130, 82, ALL],
    ['OPUSDT', 0.334, 110, 71, ALL],
    ['INJUSDT', 5.93, 74, 46, TWO],
    ['SEIUSDT', 0.139, 68, 41, TWO],
    ['TIAUSDT', 0.684, 86, 52, ALL],
    ['WIFUSDT', 0.382, 150, 79, ALL],
    ['1000PEPEUSDT', 0.00482, 640, 290, TWO],
    ['1000BONKUSDT', 0.0101, 140, 66, TWO],
    ['1000SHIBUSDT', 0.00884, 160, 92, TWO],
    ['ENAUSDT', 0.271, 210, 130, ALL],
    ['JUPUSDT', 0.243, 72, 44, OTHER],
    ['ORDIUSDT', 4.02, 64, 37, ALL],
    ['FARTCOINUSDT', 0.294, 180, 84, OTHER],
  ] as const
).map(listing);
