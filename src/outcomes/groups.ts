/** The cards of a question, in the groups that are compared. */
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { LEAST_OTHERS, symbolsOfBtc } from './differences.ts';
import { type Evidence, type Question, termsOf } from './question.ts';
import { GROUP_NAME, groupRows, type Row } from './row.ts';

/** A screener type or symbol, and its cards. */
export interface CardGroup {
  /** Null for all cards together. */
  readonly group: string | null;
  /** When its present settings began, epoch milliseconds UTC; undefined if they never changed. */
  readonly settingsSince: number | undefined;
  /** Since when it has been in use under them, epoch milliseconds UTC; undefined if it always was. */
  readonly inUseSince: number | undefined;
  /** Its cards under its present settings, bought or not, oldest first. */
  readonly cards: readonly Row[];
  /** Its cards under any settings, oldest first. */
  readonly cardsOfAnySettings: readonly Row[];
  /** When its newest card under any settings was recorded, epoch milliseconds UTC. */
  readonly lastCardAt: number | undefined;
}

export interface GroupedCards {
  /** All cards, oldest first, also those under earlier settings: other groups are compared with them, too. */
  readonly cards: readonly Row[];
  /** The symbols that are BTC itself. */
  readonly btcSymbols: ReadonlySet<string>;
  /** The name of a card's group; null if all cards are one group. */
  readonly keyOf: (card: Row) => string | null;
  /** Whether a card came under its group's present settings. */
  readonly isPresent: (card: Row) => boolean;
  /** In the order of their names. */
  readonly groups: readonly CardGroup[];
}

export function groupCards(
  evidence: Pick<Evidence, 'cards' | 'settingsSince' | 'inUseSince'>,
  question: Question,
): GroupedCards {
  const { by } = termsOf(question);
  const cards = evidence.cards.toSorted((one, other) => one.at - other.at);
  const byKey: readonly [string | null, readonly Row[]][] =
    by === undefined ? [[null, cards]] : groupRows(cards, by);
  const keyOf = by === undefined ? () => null : GROUP_NAME[by];
  const settingsSinceOf = (group: string | null) =>
    by === 'type' && group !== null ? evidence.settingsSince.get(group) : undefined;
  const inUseSinceOf = (group: string | null) =>
    by === 'type' && group !== null
      ? (evidence.inUseSince ?? evidence.settingsSince).get(group)
      : undefined;
  const isPresent = (card: Row) => card.at >= (settingsSinceOf(keyOf(card)) ?? card.at);
  const groups = byKey.map(
    ([group, ofGroup]): CardGroup => ({
      group,
      settingsSince: settingsSinceOf(group),
      inUseSince: inUseSinceOf(group),
      cards: ofGroup.filter(isPresent),
      cardsOfAnySettings: ofGroup,
      lastCardAt: ofGroup.at(-1)?.at,
    }),
  );
  return { cards, btcSymbols: symbolsOfBtc(cards), keyOf, isPresent, groups };
}

/** The share of each group's cards that have enough cards of other groups on their UTC day; BTC's own cards do not count. */
export function sharesWithOthers({
  cards,
  btcSymbols,
  keyOf,
  groups,
}: GroupedCards): ReadonlyMap<string | null, number> {
  const compared = cards.filter(({ symbol }) => !btcSymbols.has(symbol));
  const onDay = new Map(
    [...groupBy(compared, ({ at }) => dayNumber(at))].map(([day, ofDay]) => [
      day,
      { all: ofDay.length, ofGroups: groupBy(ofDay, keyOf) },
    ]),
  );
  return new Map(
    groups.map(({ group, cards: ofGroup }) => {
      const listed = ofGroup.filter(({ symbol }) => !btcSymbols.has(symbol));
      const hasOthers = ({ at }: Row) => {
        const day = onDay.get(dayNumber(at));
        const others = (day?.all ?? 0) - (day?.ofGroups.get(group)?.length ?? 0);
        return others >= LEAST_OTHERS;
      };
      const share = listed.length === 0 ? 0 : listed.filter(hasOthers).length / listed.length;
      return [group, share];
    }),
  );
}
