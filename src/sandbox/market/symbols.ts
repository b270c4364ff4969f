export interface Listing {
  readonly symbol: string;
  /** USD, about which the price moves. */
  readonly price: number;
  readonly turnover: number;
}

export const EXCHANGES = ['binance', 'bybit', 'okx'];

export const BTC: Listing = { symbol: 'BTCUSDT', price: 91_400, turnover: 14e9 };

/** Invented price, and turnover of a day in millions, in the order of magnitude of real ones. */
const MARKETS: Readonly<Record<string, readonly [price: number, turnover: number]>> = {
  ETHUSDT: [3_080, 9_000],
  SOLUSDT: [142, 3_100],
  XRPUSDT: [2.14, 1_800],
  DOGEUSDT: [0.158, 1_100],
  BNBUSDT: [905, 700],
  ADAUSDT: [0.462, 420],
  AVAXUSDT: [14.1, 310],
  LINKUSDT: [13.6, 380],
  SUIUSDT: [1.62, 520],
  TONUSDT: [1.74, 120],
  NEARUSDT: [2.31, 190],
  ARBUSDT: [0.221, 130],
  INJUSDT: [5.93, 74],
  WIFUSDT: [0.382, 150],
  '1000PEPEUSDT': [0.00482, 640],
  '1000BONKUSDT': [0.0101, 140],
  ENAUSDT: [0.271, 210],
  FARTCOINUSDT: [0.294, 180],
};

export const OTHERS: readonly Listing[] = Object.entries(MARKETS).map(([symbol, [price, turnover]]) => ({
  symbol,
  price,
  turnover: turnover * 1e6,
}));
