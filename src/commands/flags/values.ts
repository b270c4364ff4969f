import { LIMITS } from '../../api/limits.ts';
import { usageError } from '../../errors.ts';

/**
 * A whole number given to `option`.
 * @throws ScreenerError usage
 */
export function wholeNumberFlag(option: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
    throw usageError(`${option} takes a whole number ${range}, not '${text}'.`);
  }
  return value;
}

/**
 * The symbol filter of part 4: 1..32 characters of A-Z and 0-9. Small letters are taken as capitals.
 * @throws ScreenerError usage
 */
export function symbolFlag(text: string): string {
  const symbol = text.toUpperCase();
  if (!LIMITS.symbol.test(symbol)) {
    const bare = symbol.replace(/[^A-Z0-9]/g, '').slice(0, 32);
    throw usageError(
      `--symbol takes 1 to 32 letters and digits, not '${text}'.`,
      bare === '' ? 'For example --symbol BTCUSDT.' : `Perhaps --symbol ${bare}?`,
    );
  }
  return symbol;
}

/**
 * The cursor of part 4: opaque, at most 220 characters.
 * @throws ScreenerError usage
 */
export function cursorFlag(text: string): string {
  if (text === '' || text.length > LIMITS.cursorLength) {
    throw usageError(
      `--cursor takes 1 to ${LIMITS.cursorLength} characters; this one has ${text.length}.`,
      'Take it unchanged from next_cursor, or from the last line of the previous command.',
    );
  }
  return text;
}

/**
 * A card's id: a whole number from 1 (part 4).
 * @throws ScreenerError usage
 */
export function cardId(text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id) || id < 1) {
    throw usageError(`A card's id is a whole number from 1, not '${text}'.`, '`screener signals ls` shows the ids.');
  }
  return id;
}

/**
 * A text that must not be empty.
 * @throws ScreenerError usage
 */
export function textFlag(option: string, text: string): string {
  if (text.trim() === '') throw usageError(`${option} must not be empty.`);
  return text;
}
