/**
 * Reads what the statistics need straight from a line's bytes, several times faster than `JSON.parse` of the line.
 *
 * It walks the whole line as a tokenizer: keys of the outermost object (and of `outcome`) in order, every other value
 * skipped by its brackets and strings. So a key within a string or a nested object is never taken for one of ours, and
 * of a repeated key the last counts, as with the parser. Whatever is not plain (an escape in a key or in a text we need,
 * white space, another type than expected) is not read: the caller falls back to `JSON.parse`. A test compares the
 * two on random lines.
 */
import { parseApiTime } from '../api/time.ts';
import { Interner } from './intern.ts';
import type { Row } from './row.ts';
import { scanNumber } from './scan-number.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const NULL = 110;

const CARD_KEYS = keys('id', 'source_symbol', 'source_bot_type', 'created_at', 'outcome', 'context_scope');
const OUTCOME_KEYS = keys(
  'state_1h',
  'move_1h_pct',
  'btc_move_1h_pct',
  'state_24h',
  'move_24h_pct',
  'btc_move_24h_pct',
);

interface Horizon {
  state: unknown;
  move: number | null;
  btc: number | null;
}

/** A row that is filled anew for each line, so that reading makes no garbage. */
class ScannedRow implements Row {
  id = 0;
  symbol = '';
  type = '';
  at = 0;
  measured: [Horizon, Horizon] | undefined;
  readonly horizons: [Horizon, Horizon] = [
    { state: undefined, move: null, btc: null },
    { state: undefined, move: null, btc: null },
  ];
}

export class RowScanner {
  readonly row = new ScannedRow();
  readonly #texts = new Interner();
  readonly #dates = new Interner();
  readonly #midnights = new Map<string, number>();
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  /**
   * Reads the line in bytes [start, end) into `row`.
   * @returns false where it has to be read by `JSON.parse`
   */
  scan(buffer: Buffer, start: number, end: number): boolean {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
    const { row } = this;
    let found = 0;
    let hasOutcome = false;
    if (buffer[this.#at] !== OPEN) return false;
    do {
      this.#at += 1;
      const key = this.#key(CARD_KEYS);
      if (key === FAILED) return false;
      const from = this.#at;
      if (key === 4) {
        hasOutcome = buffer[from] === OPEN;
        if (hasOutcome ? !this.#outcome() : !this.#skip()) return false;
        if (!hasOutcome && buffer[from] !== NULL) return false;
      } else {
        if (!this.#skip()) return false;
        if (key >= 0 && !this.#take(key, from, this.#at)) return false;
      }
      if (key >= 0) found |= 1 << key;
    } while (buffer[this.#at] === COMMA && this.#at < end);
    if (buffer[this.#at] !== CLOSE || this.#at !== end - 1) return false;
    // All but the last two are needed; without those two it is a card whose detail was not bought.
    if ((found & 0b1111) !== 0b1111) return false;
    row.measured = hasOutcome && (found & 0b110000) === 0b110000 ? row.horizons : undefined;
    return true;
  }

  #take(key: number, from: number, to: number): boolean {
    const { row } = this;
    if (key === 0) {
      row.id = scanNumber(this.#buffer, from, to);
      return Number.isSafeInteger(row.id);
    }
    if (key === 5) return true;
    if (!this.#isPlainText(from, to)) return false;
    if (key === 1) row.symbol = this.#texts.text(this.#buffer, from + 1, to - 1);
    else if (key === 2) row.type = this.#texts.text(this.#buffer, from + 1, to - 1);
    else row.at = this.#time(from + 1, to - 1);
    return !Number.isNaN(row.at);
  }

  #outcome(): boolean {
    const buffer = this.#buffer;
    for (const horizon of this.row.horizons) {
      horizon.state = undefined;
      horizon.move = null;
      horizon.btc = null;
    }
    if (buffer[this.#at + 1] === CLOSE) {
      this.#at += 2;
      return true;
    }
    do {
      this.#at += 1;
      const key = this.#key(OUTCOME_KEYS);
      if (key === FAILED) return false;
      const from = this.#at;
      if (!this.#skip()) return false;
      if (key >= 0 && !this.#measure(key, from, this.#at)) return false;
    } while (buffer[this.#at] === COMMA && this.#at < this.#end);
    if (buffer[this.#at] !== CLOSE) return false;
    this.#at += 1;
    return true;
  }

  #measure(key: number, from: number, to: number): boolean {
    const horizon = this.row.horizons[key < 3 ? 0 : 1];
    const what = key % 3;
    if (what === 0) {
      if (!this.#isPlainText(from, to)) return false;
      horizon.state = this.#texts.text(this.#buffer, from + 1, to - 1);
      return true;
    }
    const isNull = this.#buffer[from] === NULL && to - from === 4;
    const value = isNull ? null : scanNumber(this.#buffer, from, to);
    if (value !== null && !Number.isFinite(value)) return false;
    if (what === 1) horizon.move = value;
    else horizon.btc = value;
    return true;
  }

  /** Reads `"key":` and says which of `wanted` it is. */
  #key(wanted: readonly Buffer[]): number {
    const buffer = this.#buffer;
    if (buffer[this.#at] !== QUOTE) return FAILED;
    const start = this.#at + 1;
    let at = start;
    for (; at < this.#end; at += 1) {
      const byte = buffer[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) return FAILED;
    }
    if (buffer[at + 1] !== COLON || at + 2 >= this.#end) return FAILED;
    this.#at = at + 2;
    const length = at - start;
    for (let i = 0; i < wanted.length; i += 1) {
      const key = wanted[i];
      if (key === undefined || key.length !== length) continue;
      let same = 0;
      while (same < length && key[same] === buffer[start + same]) same += 1;
      if (same === length) return i;
    }
    return OTHER;
  }

  /** Moves behind the value that begins here. */
  #skip(): boolean {
    const buffer = this.#buffer;
    const first = buffer[this.#at];
    if (first === QUOTE) return this.#skipText();
    if (first === OPEN || first === OPEN_ARRAY) return this.#skipNested();
    let at = this.#at;
    for (; at < this.#end; at += 1) {
      const byte = buffer[at];
      if (byte === COMMA || byte === CLOSE) break;
      if (byte === QUOTE || byte === OPEN || byte === OPEN_ARRAY || (byte ?? 0) <= 32) return false;
    }
    const isEmpty = at === this.#at;
    this.#at = at;
    return !isEmpty;
  }

  #skipText(): boolean {
    const buffer = this.#buffer;
    for (let at = this.#at + 1; at < this.#end; at += 1) {
      const byte = buffer[at];
      if (byte === BACKSLASH) {
        at += 1;
      } else if (byte === QUOTE) {
        this.#at = at + 1;
        return true;
      }
    }
    return false;
  }

  #skipNested(): boolean {
    const buffer = this.#buffer;
    let depth = 0;
    while (this.#at < this.#end) {
      const byte = buffer[this.#at];
      if (byte === QUOTE) {
        if (!this.#skipText()) return false;
        continue;
      }
      if (byte === OPEN || byte === OPEN_ARRAY) depth += 1;
      this.#at += 1;
      if (byte === CLOSE || byte === CLOSE_ARRAY) {
        depth -= 1;
        if (depth === 0) return true;
      }
    }
    return false;
  }

  #isPlainText(from: number, to: number): boolean {
    const buffer = this.#buffer;
    if (buffer[from] !== QUOTE) return false;
    for (let at = from + 1; at < to; at += 1) if (buffer[at] === BACKSLASH) return false;
    return true;
  }

  /** Epoch milliseconds; NaN where it is no ISO 8601 date-time. Whole seconds in UTC are read here, the rest elsewhere. */
  #time(from: number, to: number): number {
    const buffer = this.#buffer;
    const isPlain =
      to - from === 20 &&
      buffer[from + 10] === 84 &&
      buffer[from + 13] === COLON &&
      buffer[from + 16] === COLON &&
      buffer[from + 19] === 90;
    const hour = this.#twoDigits(from + 11);
    const minute = this.#twoDigits(from + 14);
    const second = this.#twoDigits(from + 17);
    if (!isPlain || !(hour <= 23) || !(minute <= 59) || !(second <= 59)) {
      return parseApiTime(buffer.toString('utf8', from, to)) ?? Number.NaN;
    }
    const date = this.#dates.text(buffer, from, from + 10);
    let midnight = this.#midnights.get(date);
    if (midnight === undefined) {
      midnight = parseApiTime(`${date}T00:00:00Z`) ?? Number.NaN;
      this.#midnights.set(date, midnight);
    }
    return midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  }

  #twoDigits(at: number): number {
    const tens = (this.#buffer[at] ?? 0) - 48;
    const ones = (this.#buffer[at + 1] ?? 0) - 48;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
  }
}

const OTHER = -1;
const FAILED = -2;

function keys(...names: string[]): readonly Buffer[] {
  return names.map((name) => Buffer.from(name));
}
