/** What is left out where credits do not suffice for all outcomes: types, and the credits that the list itself takes. */
import { min } from 'd3-array';
import { LIMITS } from '../api/limits.ts';
import { DAY } from '../base/units.ts';
import { LEAST } from '../statistics/rank-test.ts';
import { focusHasEnoughAt, purchasesByType } from './focus.ts';
import type { Evidence } from './question.ts';
import type { Row } from './row.ts';
import { STATS_WINDOW } from './service-answers.ts';

export interface Scarcity {
  readonly cardsPerDay: number;
  readonly boughtPerDay: number;
  /** Credits a month that it takes at least to read the list of cards once a day. */
  readonly listPerMonth: number;
  /** Types with cards of late whose medians the service was not asked for, where it was asked for any. */
  readonly withoutMedians: readonly string[];
  /** Types with due outcomes, none of which is bought. */
  readonly withoutOutcomes: readonly string[];
  /** The type that buying first brings soonest to what a test of its numbers needs; undefined if there is none. */
  readonly focus: FocusProspect | undefined;
}

export interface FocusProspect {
  readonly type: string;
  /** Outcomes that are bought, and that a test needs. */
  readonly bought: number;
  readonly needed: number;
  /** Epoch milliseconds UTC. */
  readonly by: number;
}

/** Days of which rates are told. */
const RECENT = 28;

/** Fewer days say nothing of a month. */
const LEAST_DAYS = 7;

/** From a smaller share of outcomes on it is said what is left out. */
const SCARCE = 1 / 4;

/** A month, days. */
const MONTH = 30;

/** Pages for new cards, and a look at the settings on each day. */
function listCredits(cardsPerDay: number): number {
  return Math.round(MONTH * (Math.ceil(cardsPerDay / LIMITS.cardsPerPage) + 1));
}

/** @returns undefined where a quarter of the outcomes or more is bought, and in the first week */
export function scarcityOf(evidence: Evidence): Scarcity | undefined {
  const { cards, dueUntil } = evidence;
  const first = min(cards, ({ at }) => at);
  if (first === undefined || dueUntil - first < LEAST_DAYS * DAY) return undefined;
  const begin = Math.max(first, dueUntil - RECENT * DAY);
  const recent = cards.filter(({ at }) => at > begin && at <= dueUntil);
  const days = (dueUntil - begin) / DAY;
  const bought = recent.filter(({ isBought }) => isBought).length;
  if (recent.length === 0 || bought / recent.length >= SCARCE) return undefined;
  const cardsPerDay = recent.length / days;
  const types = typesOf(recent);
  return {
    cardsPerDay,
    boughtPerDay: bought / days,
    listPerMonth: listCredits(cardsPerDay),
    withoutMedians: withoutMedians(types, evidence),
    withoutOutcomes: withoutOutcomes(types, cards),
    focus: soonestFocus(evidence),
  };
}

/** From this share of outcomes on exports buy what is due. */
const NEARLY_ALL = 0.9;

/** Whether exports buy nearly all outcomes: nine in ten of those that came due lately are bought. */
export function isNearlyAllBought({
  cards,
  dueUntil,
}: Pick<Evidence, 'cards' | 'dueUntil'>): boolean {
  const begin = dueUntil - RECENT * DAY;
  const recent = cards.filter(({ at }) => at > begin && at <= dueUntil);
  const bought = recent.filter(({ isBought }) => isBought);
  return recent.length > 0 && bought.length >= NEARLY_ALL * recent.length;
}

function typesOf(cards: readonly Row[]): string[] {
  return [...new Set(cards.map(({ type }) => type))].sort();
}

function withoutMedians(types: readonly string[], { lastAsked, now }: Evidence): string[] {
  const isAsked = (type: string) => (lastAsked.get(type) ?? 0) > now - 2 * STATS_WINDOW;
  return types.some(isAsked) ? types.filter((type) => !isAsked(type)) : [];
}

function withoutOutcomes(types: readonly string[], cards: readonly Row[]): string[] {
  const boughtTypes = new Set(cards.filter(({ isBought }) => isBought).map(({ type }) => type));
  return types.filter((type) => !boughtTypes.has(type));
}

function soonestFocus(evidence: Evidence): FocusProspect | undefined {
  let soonest: FocusProspect | undefined;
  for (const [type, purchases] of purchasesByType(evidence)) {
    const { bought } = purchases;
    if (bought >= LEAST.cards) continue;
    const by = focusHasEnoughAt(bought, purchases, evidence.now);
    if (by === undefined || (soonest !== undefined && soonest.by <= by)) continue;
    soonest = { type, bought, needed: LEAST.cards, by };
  }
  return soonest;
}
