/**
 * A month file as its readers see it: every card once, together with the updates that are not in it yet.
 */
import { parseExactly } from '../api/exact-json.ts';
import type { JournalCards } from './journal-cards.ts';
import { asStoredCard, createdAt, type DatedCard, newerVersion } from './layout.ts';
import { type Parse, parseJson } from './lines.ts';

interface Month {
  /** Oldest first, each id once. */
  readonly cards: readonly DatedCard[];
  /** How many lines are no cards. */
  readonly damaged: number;
}

/**
 * The month that the lines of a file make.
 * @param journal what of it is not in the file yet
 * @param parse JSON.parse is faster, and right where only the fields that the document names are read
 */
export function monthOfLines(
  lines: readonly Buffer[],
  month: string,
  journal: JournalCards,
  parse: Parse = parseExactly,
): Month {
  const cards = new Map<number, DatedCard>();
  let damaged = 0;
  for (const line of lines) {
    const dated = asStoredCard(parseJson(line, parse));
    if (dated === undefined) damaged += 1;
    else if ((journal.monthOf.get(dated.card.id) ?? month) === month) put(dated);
  }
  for (const card of journal.months.get(month)?.values() ?? []) put({ card, at: createdAt(card) });
  return { cards: [...cards.values()].sort((a, b) => a.at - b.at || a.card.id - b.card.id), damaged };

  /** An id that stands twice counts once: the later line brings the earlier one up to date. */
  function put({ card, at }: DatedCard): void {
    cards.set(card.id, { card: newerVersion(cards.get(card.id)?.card, card), at });
  }
}
