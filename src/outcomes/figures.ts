/**
 * From the cards of a question to the figures of its groups. `figure-table.ts` says what each figure is, and `screener help
 * figures` how it is computed.
 */

import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { HOUR } from '../base/units.ts';
import { eachHorizon, figuresFrom } from './figure.ts';
import { GROUP_TABLE, type GroupData, type GroupFigures, HORIZON_TABLE } from './figure-table.ts';
import { type CardGroup, groupCards } from './groups.ts';
import type { HistoryCard } from './history-card.ts';
import { compareAt, type HorizonData } from './horizon.ts';
import { type Evidence, type Question, termsOf } from './question.ts';
import { type PresentRate, presentRate } from './rate.ts';

/** A group of cards with its figures. Each horizon and each figure is computed when it is first read. */
export interface JudgedGroup extends CardGroup {
  readonly horizons: Readonly<Record<HorizonName, HorizonData>>;
  /** Its figures as JSON has them. */
  readonly figures: GroupFigures;
  readonly rate: PresentRate;
}

/** All groups of a question, compared with each other. */
export interface Comparison {
  readonly question: Question;
  /** In the order of their names. */
  readonly groups: readonly JudgedGroup[];
  /** Which cards come together; undefined unless the groups are screener types. */
  readonly coincidences: Coincidences | undefined;
}

export function figuresOf(evidence: Evidence, question: Question): Comparison {
  const { until, dueUntil } = evidence;
  const { by } = termsOf(question);
  const grouped = groupCards(evidence, question);
  const oldestCard = grouped.cards[0];
  const historyBegins = oldestCard?.at ?? until;
  const coincidences = by === 'type' ? coincidencesOf(grouped.cards) : undefined;
  // `eachHorizon` and `figuresFrom` compute nothing here: an entry is computed when it is first read.
  const groupsByHorizon = eachHorizon((name) => compareAt(name, grouped, evidence, question));
  const groups = grouped.groups.map((cardGroup, i): JudgedGroup => {
    const { group, cards, cardsOfAnySettings, settingsSince, inUseSince } = cardGroup;
    const rate = presentRate(cardsOfAnySettings, until, { historyBegins, inUseSince });
    const data: GroupData = {
      cards,
      settingsSince,
      due: cards.filter(({ at }) => at <= dueUntil),
      perDay: rate.perDay,
      coincides: coincidences === undefined ? [] : coincidesWith(cards, coincidences),
    };
    // `compareAt` has the groups in the order of `grouped.groups`.
    const horizons = eachHorizon((name) => groupsByHorizon[name][i] as HorizonData);
    const figuresByHorizon = eachHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name]));
    const figures = { group, ...figuresFrom(GROUP_TABLE, data), horizons: figuresByHorizon };
    return { ...cardGroup, horizons, figures, rate };
  });
  return { question, groups, coincidences };
}

/** Cards that come within an hour of another card on the same symbol. */
export interface Coincidences {
  /** Cards that came within an hour after another card of their type and symbol. */
  readonly repeats: ReadonlySet<HistoryCard>;
  /** For a card, the other types that had a card on its symbol within an hour of it. */
  readonly types: ReadonlyMap<HistoryCard, ReadonlySet<string>>;
}

function coincidencesOf(cards: readonly HistoryCard[]): Coincidences {
  const repeats = new Set<HistoryCard>();
  const types = new Map<HistoryCard, Set<string>>();
  const addType = (card: HistoryCard, type: string) => {
    const typesOfCard = types.get(card) ?? new Set<string>();
    types.set(card, typesOfCard.add(type));
  };
  for (const cardsOfSymbol of groupBy(cards, ({ symbol }) => symbol).values()) {
    const byTime = cardsOfSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    for (const [i, card] of byTime.entries()) {
      for (let next = i + 1; next < byTime.length; next += 1) {
        const later = byTime[next] as HistoryCard;
        if (later.at > card.at + HOUR) break;
        if (later.type === card.type) {
          repeats.add(later);
        } else {
          addType(card, later.type);
          addType(later, card.type);
        }
      }
    }
  }
  return { repeats, types };
}

/** A type coincides with another one if at least this share of its cards has a card of the other within an hour. */
const LEAST_SHARE = 0.5;

/**
 * @param cards the cards of one type
 * @returns the types that it coincides with, the largest share first
 */
function coincidesWith(
  cards: readonly HistoryCard[],
  { types }: Coincidences,
): GroupData['coincides'] {
  const counts = new Map<string, number>();
  for (const card of cards)
    for (const type of types.get(card) ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([group, count]) => ({ group, share: count / cards.length }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share);
}
