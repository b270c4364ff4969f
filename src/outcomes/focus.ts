/**
 * The one type that exports should buy first: to learn whether to drop it, or so that its numbers at the trigger can be tested.
 * Whoever follows it from morning to morning must get on, so it stays the same type until its question is answered, or can no
 * longer be. Every screen that names a type to buy first names this one.
 */
import { ascending } from 'd3-array';
import { at } from '../api/time.ts';
import { groupBy } from '../base/collections.ts';
import type { GroupFigures } from './figure-table.ts';
import { NEARLY_ALL } from './service-answers.ts';
import { type Standing, sendsCards } from './standing.ts';
import { hasBetterSide, type NumberQuestion } from './tune-types.ts';
import type { ComparedWith } from './types.ts';

/** The type that exports should buy first, for which question, and what is bought. */
export type Focus = FocusVsBtc | FocusProspect;

/** A type below the other cards, of which more outcomes may show that it is below BTC, too: then it is worth dropping. */
export interface FocusVsBtc {
  readonly why: 'vs_btc';
  readonly type: string;
  /** Its outcomes that are due under its present settings. */
  readonly due: number;
  /** How many of these are bought. Only they decide about BTC. */
  readonly bought: number;
}

/** A type whose numbers can be tested sooner if exports buy its outcomes first. */
export interface FocusProspect {
  readonly why: 'tune';
  readonly type: string;
  /** Its outcomes that have the number which lacks the fewest, and a move beside BTC's. */
  readonly outcomes: number;
  /** About how many of these a test needs. */
  readonly needed: number;
  /** When there are so many if exports buy the type first, epoch milliseconds UTC. Otherwise not within two months. */
  readonly by: number;
}

/**
 * The type to buy first. Whether to drop a type comes before what to change in one.
 * @param standings one for each type
 * @param questions makes those of all types, after 24 h; called only if no type may be dropped
 * @returns undefined if buying no type first is proposed
 */
export function focusOf(
  standings: readonly Standing[],
  questions: () => readonly NumberQuestion[],
): Focus | undefined {
  return focusVsBtc(standings) ?? focusForNumbers(questions(), standings);
}

/**
 * The type to learn of whether to drop it: the first that was found below the others, of those of which it is not sure whether
 * they are below BTC, too, and of which fewer than nine in ten due outcomes are bought. Of several found at once the one with
 * the most cards. How far below they are does not decide: that changes from look to look.
 * @returns undefined if there is none
 */
function focusVsBtc(standings: readonly Standing[]): FocusVsBtc | undefined {
  const candidates: FocusCandidate[] = [];
  for (const standing of standings) {
    const { group: type, groupFigures: figures, wordSince } = standing;
    if (figures === null || !isOpenVsBtc(standing, figures)) continue;
    const { due, bought } = figures;
    candidates.push({ wordSince, focus: { why: 'vs_btc', type, due, bought } });
  }
  const timeOf = ({ wordSince }: FocusCandidate) => wordSince ?? Number.POSITIVE_INFINITY;
  const [first] = candidates.toSorted(
    (a, b) => ascending(timeOf(a), timeOf(b)) || b.focus.due - a.focus.due,
  );
  return first?.focus;
}

interface FocusCandidate {
  /** Since when it has been below, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly wordSince: number | undefined;
  readonly focus: FocusVsBtc;
}

/** Whether more purchases may show that a type that is below the others is below BTC, too. */
function isOpenVsBtc(standing: Standing, { bought, due }: GroupFigures): boolean {
  const { word, comparedWith, wordVsBtc } = standing;
  const isBelowOthers = word === 'below' && comparedWith === 'others';
  const isUnsure = wordVsBtc === 'unclear' || wordVsBtc === 'too_few_days';
  if (!isBelowOthers || !isUnsure || !sendsCards(standing)) return false;
  return isBelowInLastDays(standing) && bought < NEARLY_ALL * due;
}

/**
 * Whether the last 30 days alone show that a type is below, as far as is known: whoever buys its outcomes then does so for
 * what it does now.
 */
function isBelowInLastDays({ figures }: Standing): boolean {
  const interval = figures?.last_30_days?.interval_95 ?? null;
  return interval === null || interval.high < 0;
}

/** Why no stricter setting of a type is of use: it gets no tip, and nobody need buy its outcomes to test its numbers. */
export type Hindrance =
  | { readonly why: 'switched_off' | 'removed' }
  /** `days`: whole days without a card. */
  | { readonly why: 'silent'; readonly days: number }
  | { readonly why: 'behind'; readonly comparedWith: ComparedWith };

/** @returns undefined if a stricter setting of the type would be of use */
export function hindranceOf({
  word,
  comparedWith,
  off,
  silentDays: days,
}: Standing): Hindrance | undefined {
  if (off !== undefined) return { why: off.isRemoved ? 'removed' : 'switched_off' };
  if (days !== undefined) return { why: 'silent', days };
  // What a stricter setting keeps of a type that is behind is mostly behind, too.
  return word === 'below' ? { why: 'behind', comparedWith } : undefined;
}

/** By type, what buying it first would bring: for types that have no advice yet, and for which one would be of use. */
function focusProspects(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
): ReadonlyMap<string, FocusProspect> {
  const unhindered = standings.filter((standing) => hindranceOf(standing) === undefined);
  const types = new Set(unhindered.map(({ group }) => group));
  const prospects = new Map<string, FocusProspect>();
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (!types.has(type) || questionsOfType.some(hasBetterSide)) continue;
    const prospect = prospectOf(closestToTest(questionsOfType));
    if (prospect !== undefined) prospects.set(type, prospect);
  }
  return prospects;
}

/** @returns undefined if buying the type first is not proposed for the number */
function prospectOf(closest: NumberQuestion | undefined): FocusProspect | undefined {
  if (closest === undefined) return undefined;
  const { type, cards: outcomes, needs, needed, focus_brings_by: by } = closest;
  if (needs !== 'outcomes' || needed === null || by === null) return undefined;
  return { why: 'tune', type, outcomes, needed, by: at(by) };
}

/**
 * Of the types whose numbers can be tested sooner if exports buy them first, the one with the most cards. Exports that buy at
 * random have bought most of it, so its date is about the soonest. The dates do not decide: two types that have about as many
 * outcomes would change places from day to day.
 * @returns undefined if that is proposed for no type
 */
function focusForNumbers(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
): FocusProspect | undefined {
  const cards = new Map<string, number>();
  for (const { group, groupFigures } of standings) cards.set(group, groupFigures?.due ?? 0);
  const cardsOf = ({ type }: FocusProspect) => cards.get(type) ?? 0;
  const prospects = [...focusProspects(questions, standings).values()];
  const [first] = prospects.toSorted(
    (a, b) => cardsOf(b) - cardsOf(a) || a.by - b.by || b.outcomes - a.outcomes,
  );
  return first;
}

/** Whether a number is tested well enough once there are more outcomes. */
export function canComeToTest({ needs }: NumberQuestion): boolean {
  return needs === 'outcomes' || needs === 'days';
}

/** The number that needs the fewest outcomes more; of those without such a number the one with the most cards. */
export function closestToTest(questions: readonly NumberQuestion[]): NumberQuestion | undefined {
  const lacking = ({ needed, cards }: NumberQuestion) =>
    (needed ?? Number.POSITIVE_INFINITY) - cards;
  const [closest] = questions.toSorted((a, b) => {
    if (canComeToTest(a) !== canComeToTest(b)) return canComeToTest(a) ? -1 : 1;
    return canComeToTest(a) ? lacking(a) - lacking(b) : b.cards - a.cards;
  });
  return closest;
}
