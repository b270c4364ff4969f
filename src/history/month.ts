/**
 * A month file together with the updates that are not in it yet: every card once, oldest first.
 */
import { parseExactly } from '../api/exact-json.ts';
import { readPlainFile, storing } from '../runtime/files.ts';
import { jsonText } from '../runtime/json-text.ts';
import { asStoredCard, createdAt, type DatedCard, newerVersion, type StoredCard } from './layout.ts';

/** A year of everything an account can buy is some 15 MB; a file beyond this is no month of cards. Bytes. */
const LARGEST_FILE = 512 << 20;

/** An answer is capped at 16 MB, so no line of an export is longer; a longer one is damage and is not parsed. Bytes. */
const LONGEST_LINE = 32 << 20;

/** How a line becomes a value. @throws where it is none */
export type Parse = (json: string) => unknown;

export interface Line extends DatedCard {
  /** The line as it is stored, or will be: without its newline. */
  readonly bytes: Buffer;
}

export interface Month {
  /** Oldest first, each id once. */
  readonly lines: readonly Line[];
  /** Lines that are no cards, as they are. */
  readonly damaged: readonly Buffer[];
  /** Whether an update differs from what is stored. */
  readonly changed: boolean;
}

/**
 * Reads a month file from one opening; a missing file is an empty month.
 * @param updates cards to be merged into it, by id
 * @throws ScreenerError storage
 */
export async function readMonth(path: string, updates?: ReadonlyMap<number, StoredCard>): Promise<Month> {
  return parseMonth(await readLines(path), updates);
}

/**
 * The month that the lines of a file make.
 * @param updates cards to be merged into it, by id
 * @param parse JSON.parse is faster, and right where only the fields that the document names are read
 */
export function parseMonth(
  stored: readonly Buffer[],
  updates: ReadonlyMap<number, StoredCard> = new Map(),
  parse: Parse = parseExactly,
): Month {
  const lines = new Map<number, Line>();
  const damaged: Buffer[] = [];
  let changed = false;
  for (const bytes of stored) {
    const dated = asStoredCard(parseJson(bytes, parse));
    if (dated === undefined) damaged.push(bytes);
    else put(dated, bytes);
  }
  for (const card of updates.values()) put({ card, at: createdAt(card) }, undefined);
  return { lines: [...lines.values()].sort(byAge), damaged, changed };

  /** An id that stands twice counts once: the later line brings the earlier one up to date. */
  function put({ card, at }: DatedCard, stored: Buffer | undefined): void {
    const known = lines.get(card.id);
    const newer = newerVersion(known?.card, card);
    const bytes = newer === card && stored !== undefined ? stored : Buffer.from(lineOf(newer));
    if (stored === undefined && !known?.bytes.equals(bytes)) changed = true;
    lines.set(card.id, { card: newer, at, bytes });
  }
}

/**
 * The lines of a file as it was when it was opened, without newlines; empty ones are left out, and the last one may lack
 * its newline. A missing file has no lines.
 * @throws ScreenerError storage
 */
export async function readLines(path: string): Promise<Buffer[]> {
  const bytes = await storing(`read ${path}`, () => readPlainFile(path, LARGEST_FILE));
  const lines: Buffer[] = [];
  let from = 0;
  while (bytes !== undefined && from < bytes.length) {
    const newline = bytes.indexOf('\n', from);
    const to = newline === -1 ? bytes.length : newline;
    if (to > from) lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return lines;
}

/** A line's JSON; undefined where it is none. */
export function parseJson(line: Buffer, parse: Parse = parseExactly): unknown {
  if (line.length > LONGEST_LINE) return undefined;
  try {
    // No card is so long: what is, may be a million brackets, and `parseExactly` bounds their depth.
    return (line.length > 65_536 ? parseExactly : parse)(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The line of a card, without its newline. */
function lineOf(card: StoredCard): string {
  return jsonText(card);
}

function byAge(a: Line, b: Line): number {
  return a.at - b.at || a.card.id - b.card.id;
}
