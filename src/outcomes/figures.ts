/** From cards to figures: `figure-table.ts` says what each is, `screener help figures` how it is made. */

import type { HorizonName } from '../api/contract/horizons.ts';
import { groupBy } from '../base/collections.ts';
import { HOUR } from '../base/units.ts';
import { eachHorizon, figuresFrom } from './figure.ts';
import { GROUP_TABLE, type GroupData, type GroupFigures, HORIZON_TABLE } from './figure-table.ts';
import { type CardGroup, groupCards } from './groups.ts';
import { compareAt, type HorizonData } from './horizon.ts';
import { type Evidence, type Question, termsOf } from './question.ts';
import { type PresentRate, presentRate } from './rate.ts';
import type { Row } from './row.ts';

/** A group, with what is said of it. `horizons` and `figures` are worked out when they are first read. */
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
  /** Which cards come together; undefined if groups are not types. */
  readonly company: Company | undefined;
}

export function figuresOf(evidence: Evidence, question: Question): Comparison {
  const { until, dueUntil } = evidence;
  const { by } = termsOf(question);
  const grouped = groupCards(evidence, question);
  const historyBegins = grouped.cards[0]?.at ?? until;
  const company = by === 'type' ? companyOf(grouped.cards) : undefined;
  const horizons = eachHorizon((name) => compareAt(name, grouped, evidence, question));
  const groups = grouped.groups.map((cardGroup, i): JudgedGroup => {
    const { group, cards, cardsOfAnySettings, settingsSince, inUseSince } = cardGroup;
    const rate = presentRate(cardsOfAnySettings, until, { historyBegins, inUseSince });
    const data: GroupData = {
      cards,
      settingsSince,
      due: cards.filter(({ at }) => at <= dueUntil),
      perDay: rate.perDay,
      coincides: company === undefined ? [] : coincidesWith(cards, company),
    };
    const dataAt = eachHorizon((name) => horizons[name][i] as HorizonData);
    const figuresAt = eachHorizon((name) => figuresFrom(HORIZON_TABLE, dataAt[name]));
    const figures = { group, ...figuresFrom(GROUP_TABLE, data), horizons: figuresAt };
    return { ...cardGroup, horizons: dataAt, figures, rate };
  });
  return { question, groups, company };
}

/** Cards that come with others on the same symbol. */
export interface Company {
  /** Cards that came within an hour after another card of their type. */
  readonly repeats: ReadonlySet<Row>;
  /** The other types that had a card within an hour of a card. */
  readonly types: ReadonlyMap<Row, ReadonlySet<string>>;
}

function companyOf(cards: readonly Row[]): Company {
  const repeats = new Set<Row>();
  const types = new Map<Row, Set<string>>();
  const meet = (card: Row, other: Row) =>
    types.set(card, (types.get(card) ?? new Set()).add(other.type));
  for (const ofSymbol of groupBy(cards, ({ symbol }) => symbol).values()) {
    const byTime = ofSymbol.toSorted((a, b) => a.at - b.at || a.id - b.id);
    for (const [i, card] of byTime.entries()) {
      for (let next = i + 1; next < byTime.length; next += 1) {
        const later = byTime[next] as Row;
        if (later.at > card.at + HOUR) break;
        if (later.type === card.type) {
          repeats.add(later);
        } else {
          meet(card, later);
          meet(later, card);
        }
      }
    }
  }
  return { repeats, types };
}

/** Two types coincide if at least this share of the one's cards has a card of the other within an hour. */
const COINCIDES = 0.5;

/**
 * @param cards the cards of one type
 * @returns the types that it coincides with, the largest share first
 */
function coincidesWith(cards: readonly Row[], { types }: Company): GroupData['coincides'] {
  const counts = new Map<string, number>();
  for (const card of cards)
    for (const type of types.get(card) ?? []) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([group, count]) => ({ group, share: count / cards.length }))
    .filter(({ share }) => share >= COINCIDES)
    .sort((a, b) => b.share - a.share);
}
