import { usageError } from '../../errors.ts';
import type { Filter, History } from '../../history/store/history.ts';

/** The API document's pattern (part 4) takes capitals and digits. Small letters are allowed here, too. */
const SENDABLE = /^[A-Za-z0-9]{1,32}$/;

/**
 * A symbol as the service takes it: small letters become capitals.
 * @throws ScreenerError usage if the service takes no such symbol
 */
export function symbolToSend(typed: string): string {
  // The text is tested before it is in capitals: `straße` would become `STRASSE`, which passes.
  if (SENDABLE.test(typed)) return typed.toUpperCase();
  throw usageError(
    `--symbol takes 1 to 32 letters and digits, not '${typed}'.`,
    'For example BTCUSDT. A history (--local) takes any symbol that its cards have.',
  );
}

/** The symbol to look for in a history: as it was typed if a card of that time has it (`kPEPE`), otherwise in capitals. */
export async function symbolInHistory(
  history: History,
  typed: string,
  { since, until }: Pick<Filter, 'since' | 'until'>,
): Promise<string> {
  const capitals = typed.toUpperCase();
  if (typed === capitals) return typed;
  // The cards come in parts. The first part that has a card is enough.
  for await (const cards of history.cards({ since, until, symbol: typed })) {
    if (cards.length > 0) return typed;
  }
  return capitals;
}
