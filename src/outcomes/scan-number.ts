const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Powers of ten that a double holds exactly. */
const TENS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/**
 * The JSON number in bytes [start, end), equal to what `JSON.parse` makes of it; NaN where it is none.
 *
 * Up to 15 digits without an exponent the digits as a whole number and the power of ten are both exact, so one division
 * rounds once, and correctly, as the parser does. Anything else is left to the parser.
 */
export function scanNumber(buffer: Buffer, start: number, end: number): number {
  let at = start;
  const isNegative = buffer[at] === MINUS;
  if (isNegative) at += 1;
  const first = at;
  let digits = 0;
  let whole = 0;
  let point = -1;
  for (; at < end; at += 1) {
    const byte = buffer[at] ?? 0;
    if (byte === POINT && point === -1 && digits > 0) {
      point = at;
      continue;
    }
    const digit = byte - ZERO;
    if (digit < 0 || digit > 9) return parsed(buffer, start, end);
    whole = whole * 10 + digit;
    digits += 1;
  }
  const decimals = point === -1 ? 0 : end - point - 1;
  const hasLeadingZero = buffer[first] === ZERO && digits - decimals > 1;
  if (digits === 0 || digits > 15 || point === end - 1 || hasLeadingZero) return parsed(buffer, start, end);
  const value = decimals === 0 ? whole : whole / (TENS[decimals] ?? 1);
  return isNegative ? -value : value;
}

function parsed(buffer: Buffer, start: number, end: number): number {
  try {
    const value: unknown = JSON.parse(buffer.toString('latin1', start, end));
    return typeof value === 'number' ? value : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
