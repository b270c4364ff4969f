/**
 * The lines of a month file as cards: each id once, a later line brings an earlier one up to date.
 */
import { asStoredCard, type DatedCard, newerVersion } from './layout.ts';
import { type Parse, parseJson } from './lines.ts';

interface LineCard extends DatedCard {
  /** Its one line; absent where it has several. */
  readonly line?: Buffer;
}

/** @param parse JSON.parse is faster, and right where only the fields that the document names are read */
export function cardsOfLines(lines: readonly Buffer[], parse?: Parse) {
  const cards = new Map<number, LineCard>();
  /** Lines that are no cards. */
  const damaged: Buffer[] = [];
  for (const line of lines) {
    const dated = asStoredCard(parseJson(line, parse));
    const before = dated && cards.get(dated.card.id);
    if (dated === undefined) damaged.push(line);
    else if (before === undefined) cards.set(dated.card.id, { ...dated, line });
    else cards.set(dated.card.id, { card: newerVersion(before.card, dated.card), at: dated.at });
  }
  return { cards, damaged };
}
