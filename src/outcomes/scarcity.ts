/** What is left out if credits do not suffice for all outcomes. */
import { min } from 'd3-array';
import { DAY } from '../base/units.ts';
import type { HistoryCard } from './history-card.ts';
import type { Evidence } from './question.ts';
import { RATE_DAYS } from './rate.ts';
import { NEARLY_ALL, nextSitting, STATS_WINDOW } from './service-answers.ts';

export interface Scarcity {
  /** Cards a day whose outcomes have come due, in the last 28 days. */
  readonly cardsPerDay: number;
  /** How many outcomes of these cards are bought a day. */
  readonly boughtPerDay: number;
  /**
   * Types with cards in the last 28 days whose medians were not asked for in the last 60 days, and will not be. Empty if those of
   * no type were asked for: only types that lack what others have are named.
   */
  readonly withoutMedians: readonly string[];
}

/** Days. A shorter history says nothing about a month. */
const SHORTEST_HISTORY = 7;

/** Below this share of bought outcomes, pages say what is left out. A fraction. */
const SCARCE = 1 / 4;

/**
 * @returns undefined if at least a quarter of the outcomes of the last 28 days is bought, if none came due on these days, or if
 *   the history is shorter than a week
 */
export function scarcityOf(evidence: Evidence): Scarcity | undefined {
  const { cards, dueUntil } = evidence;
  const firstCardAt = min(cards, ({ at }) => at);
  if (firstCardAt === undefined || dueUntil - firstCardAt < SHORTEST_HISTORY * DAY)
    return undefined;
  const recent = recentlyDue(cards, dueUntil);
  const days = Math.min(RATE_DAYS, (dueUntil - firstCardAt) / DAY);
  const bought = recent.filter(({ isBought }) => isBought).length;
  if (recent.length === 0 || bought / recent.length >= SCARCE) return undefined;
  const types = typesOf(recent);
  return {
    cardsPerDay: recent.length / days,
    boughtPerDay: bought / days,
    withoutMedians: withoutMedians(types, evidence),
  };
}

/** Whether exports buy nearly all outcomes: at least nine in ten of those that came due in the last 28 days. */
export function isNearlyAllBought({
  cards,
  dueUntil,
}: Pick<Evidence, 'cards' | 'dueUntil'>): boolean {
  const recent = recentlyDue(cards, dueUntil);
  const bought = recent.filter(({ isBought }) => isBought);
  return recent.length > 0 && bought.length >= NEARLY_ALL * recent.length;
}

/** The cards whose outcomes came due in the last 28 days. */
function recentlyDue(cards: readonly HistoryCard[], dueUntil: number): HistoryCard[] {
  const begin = dueUntil - RATE_DAYS * DAY;
  return cards.filter(({ at }) => at > begin && at <= dueUntil);
}

function typesOf(cards: readonly HistoryCard[]): string[] {
  return [...new Set(cards.map(({ type }) => type))].sort();
}

function withoutMedians(types: readonly string[], evidence: Evidence): string[] {
  if (!types.some((type) => isAsked(type, evidence))) return [];
  return types.filter((type) => !isAsked(type, evidence) && !willBeAsked(type, evidence));
}

/** Whether the service was asked for the medians of a type in the last 60 days. */
function isAsked(type: string, { lastAsked, now }: Evidence): boolean {
  return (lastAsked.get(type) ?? 0) > now - 2 * STATS_WINDOW;
}

/**
 * Whether exports will ask for the medians of a type. A type that the last export has planned is asked about as planned. Any other
 * type is foreseen, as if the next run came when the history ends: a limit of credits may have ended the export before it planned
 * the type.
 */
function willBeAsked(type: string, { cards, lastAsked, planned, until }: Evidence): boolean {
  // A type that is planned without a time will not be asked about.
  if (planned?.has(type)) return planned.get(type) !== undefined;
  const times = { last: lastAsked.get(type), now: until, lastRunAt: until };
  return nextSitting(type, cards, times) !== undefined;
}
