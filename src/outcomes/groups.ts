/** The cards of a question, in the groups that are compared. */
import { groupBy } from '../base/collections.ts';
import { dayNumber } from '../base/units.ts';
import { LEAST_OTHERS, symbolsOfBtc } from './differences.ts';
import { cardsByGroupName, GROUP_NAME, type HistoryCard } from './history-card.ts';
import { type Evidence, type Question, termsOf } from './question.ts';

/** A screener type or symbol, and its cards. */
export interface CardGroup {
  /** Null for all cards together. */
  readonly group: string | null;
  /**
   * When its present settings began, epoch milliseconds UTC; undefined if they never changed, or if the group is no
   * screener type.
   */
  readonly settingsSince: number | undefined;
  /**
   * Since when it has been in use under its present settings, epoch milliseconds UTC; undefined if it always was, or if the
   * group is no screener type.
   */
  readonly inUseSince: number | undefined;
  /** Its cards under its present settings, bought or not, oldest first. */
  readonly cards: readonly HistoryCard[];
  /** Its cards under any settings, oldest first. */
  readonly cardsOfAnySettings: readonly HistoryCard[];
  /** When its newest card under any settings was recorded, epoch milliseconds UTC. */
  readonly lastCardAt: number | undefined;
}

/** The cards of a question. */
export interface GroupedCards {
  /** All cards, oldest first. Cards under earlier settings are here, too: the cards of other groups are compared with them. */
  readonly cards: readonly HistoryCard[];
  /** The symbols that are BTC itself. */
  readonly btcSymbols: ReadonlySet<string>;
  /** The name of a card's group; null if all cards are one group. */
  readonly groupNameOf: (card: HistoryCard) => string | null;
  /** Whether a card came under its group's present settings. */
  readonly isUnderPresentSettings: (card: HistoryCard) => boolean;
  /** The groups in the order of their names. */
  readonly groups: readonly CardGroup[];
}

export function groupCards(
  evidence: Pick<Evidence, 'cards' | 'settingsSince' | 'inUseSince'>,
  question: Question,
): GroupedCards {
  const { by } = termsOf(question);
  const cards = evidence.cards.toSorted((a, b) => a.at - b.at);
  const cardsByName: readonly [string | null, readonly HistoryCard[]][] =
    by === undefined ? [[null, cards]] : cardsByGroupName(cards, by);
  const groupNameOf = by === undefined ? () => null : GROUP_NAME[by];
  // Only types have settings. For a symbol, and for all cards together, there is no such time.
  const timeOfType = (times: ReadonlyMap<string, number>, group: string | null) =>
    by === 'type' && group !== null ? times.get(group) : undefined;
  const settingsSinceOf = (group: string | null) => timeOfType(evidence.settingsSince, group);
  // Evidence without `inUseSince` is of types that were never switched off: each is in use since its settings began.
  const inUseSince = evidence.inUseSince ?? evidence.settingsSince;
  const inUseSinceOf = (group: string | null) => timeOfType(inUseSince, group);
  const isUnderPresentSettings = (card: HistoryCard) => {
    const since = settingsSinceOf(groupNameOf(card));
    return since === undefined || card.at >= since;
  };
  const groups = cardsByName.map(
    ([group, ofGroup]): CardGroup => ({
      group,
      settingsSince: settingsSinceOf(group),
      inUseSince: inUseSinceOf(group),
      cards: ofGroup.filter(isUnderPresentSettings),
      cardsOfAnySettings: ofGroup,
      lastCardAt: ofGroup.at(-1)?.at,
    }),
  );
  return {
    cards,
    btcSymbols: symbolsOfBtc(cards),
    groupNameOf,
    isUnderPresentSettings,
    groups,
  };
}

/** How many cards a UTC day has. */
interface DayCounts {
  readonly total: number;
  readonly byGroup: ReadonlyMap<string | null, number>;
}

/**
 * For each group: the fraction of its cards that have at least `LEAST_OTHERS` cards of other groups on their UTC day.
 * Cards of BTC itself count on neither side.
 */
export function fractionsWithOthers({
  cards,
  btcSymbols,
  groupNameOf,
  groups,
}: GroupedCards): ReadonlyMap<string | null, number> {
  const isNotBtc = ({ symbol }: HistoryCard) => !btcSymbols.has(symbol);
  const countsByDay = new Map<number, DayCounts>();
  for (const [day, ofDay] of groupBy(cards.filter(isNotBtc), ({ at }) => dayNumber(at))) {
    const byGroup = new Map<string | null, number>();
    for (const [group, ofGroup] of groupBy(ofDay, groupNameOf)) byGroup.set(group, ofGroup.length);
    countsByDay.set(day, { total: ofDay.length, byGroup });
  }
  const fractions = new Map<string | null, number>();
  for (const { group, cards: ofGroup } of groups) {
    const comparable = ofGroup.filter(isNotBtc);
    const withOthers = comparable.filter(({ at }) => {
      const counts = countsByDay.get(dayNumber(at));
      if (counts === undefined) return false;
      const others = counts.total - (counts.byGroup.get(group) ?? 0);
      return others >= LEAST_OTHERS;
    });
    const fraction = comparable.length === 0 ? 0 : withOthers.length / comparable.length;
    fractions.set(group, fraction);
  }
  return fractions;
}
