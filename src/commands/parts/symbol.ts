import { usageError } from '../../errors.ts';
import type { Filter, History } from '../../history/store/history.ts';

/** The symbol filter of part 4 of the API document. */
const SENT = /^[A-Z0-9]{1,32}$/;

/** As the service takes a symbol: small letters become capitals. @throws ScreenerError usage, if it takes no such one */
export function symbolToSend(typed: string): string {
  const symbol = typed.toUpperCase();
  if (SENT.test(symbol)) return symbol;
  throw usageError(
    `--symbol takes 1 to 32 letters and digits, not '${typed}'.`,
    'For example BTCUSDT. A history (--local) takes any symbol that its cards have.',
  );
}

/** As a history has a symbol: exactly as it was typed, else in capitals. Real listings are `kPEPE` and `BTC-PERP`, too. */
export async function symbolInHistory(
  history: History,
  typed: string,
  { since, until }: Pick<Filter, 'since' | 'until'>,
): Promise<string> {
  const capitals = typed.toUpperCase();
  if (typed === capitals) return typed;
  for await (const cards of history.cards({ since, until, symbol: typed })) {
    if (cards.length > 0) return typed;
  }
  return capitals;
}
