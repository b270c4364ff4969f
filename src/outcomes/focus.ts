/**
 * The one type that exports should buy first: to learn whether to drop it, or so that its numbers at the trigger can be tested.
 * It stays the same type until its question is answered, or cannot be answered any more. So users who buy each morning what they
 * are told get an answer. Every screen that names a type to buy first names this type.
 */
import { ascending } from 'd3-array';
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { groupBy, once } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import { MARGIN } from '../statistics/rule.ts';
import type { GroupFigures } from './figure-table.ts';
import { isVsBtcAwaited } from './horizon.ts';
import { NEARLY_ALL } from './service-answers.ts';
import { type Standing, sendsCards } from './standing.ts';
import { hasBetterSide, type NumberQuestion } from './tune-types.ts';
import type { ComparedWith } from './types.ts';
import { LONGEST_WAIT } from './wait.ts';

/** The type that exports should buy first, and what that is to show. */
export type Focus = FocusVsBtc | FocusProspect;

interface FocusOnType {
  readonly type: string;
  /** Whether exports buy it first already: the user need do nothing more. */
  readonly isUnderWay: boolean;
}

/** A type below the other cards. More of its outcomes may show that it is below BTC, too: then it is worth dropping. */
export interface FocusVsBtc extends FocusOnType {
  readonly why: 'vs_btc';
  /** Its outcomes that are due under its present settings. */
  readonly due: number;
  /** How many of the due outcomes are bought and have a figure: N of `stats`. Only these decide about BTC. */
  readonly bought: number;
  /**
   * When a verdict is likely if exports buy this type alone, epoch milliseconds UTC; undefined if none is within 90 days. Then the
   * type is proposed only if exports buy it first already.
   */
  readonly by: number | undefined;
}

/** How many outcomes exports buy. */
export interface PurchasePace {
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** Outcomes of all types together. */
  readonly outcomesPerDay: number;
}

/** A type whose numbers can be tested sooner if exports buy its outcomes first. */
export interface FocusProspect extends FocusOnType {
  readonly why: 'tune';
  /** How many of its outcomes a test can use. The test is that of one number, the closest to a test (`closestToTest`). */
  readonly outcomes: number;
  /** About how many outcomes that test needs; undefined if there are enough, but of too few days. */
  readonly needed: number | undefined;
  /**
   * When the test can be made if exports buy the type first, epoch milliseconds UTC. A type that would take longer than two
   * months is not proposed.
   */
  readonly by: number;
}

/**
 * The type to buy first:
 * 1. among the types that exports buy first already, a type that may have to be dropped (`FocusVsBtc`);
 * 2. among the same types, a type whose settings may have to change (`FocusProspect`);
 * 3. among all types, a type that may have to be dropped;
 * 4. among all types, a type whose settings may have to change.
 *
 * The types that exports buy first already come first, because an advice that changed each morning would leave all questions
 * half answered.
 * @param standings one for each type
 * @param questions makes the questions about all numbers of all types, after 24 h; called only for 2 and 4, and once
 * @param pace how many outcomes exports buy: a type that is bought first gets all of them
 * @param inFocus the types that exports buy first already
 * @param isAllBought whether the credits soon cover all outcomes: then 3 and 4 are left out
 * @returns undefined if no type is proposed
 */
export function focusOf(
  standings: readonly Standing[],
  questions: () => readonly NumberQuestion[],
  pace: PurchasePace,
  inFocus: ReadonlySet<string> = new Set(),
  isAllBought = false,
): Focus | undefined {
  const standingsInFocus = standings.filter(({ group }) => inFocus.has(group));
  const questionsOnce = once(questions);
  const underWay = focusAmong(standingsInFocus, questionsOnce, { ...pace, isUnderWay: true });
  if (underWay !== undefined || isAllBought) return underWay;
  return focusAmong(standings, questionsOnce, { ...pace, isUnderWay: false });
}

interface FocusTerms extends PurchasePace {
  /** Whether exports buy these types first already. */
  readonly isUnderWay: boolean;
}

function focusAmong(
  standings: readonly Standing[],
  questions: () => readonly NumberQuestion[],
  terms: FocusTerms,
): Focus | undefined {
  if (standings.length === 0) return undefined;
  const vsBtc = focusVsBtc(standings, terms);
  // A type that is too young for a date may be the advice after some days. Until then there is no other advice: it would have to
  // give way. Nor is there other advice where a verdict is foreseen: it would come later.
  const isVerdictToCome = standings.some(isTooYoungForDate) || standings.some(isVsBtcForeseen);
  if (vsBtc !== undefined || isVerdictToCome) return vsBtc;
  return focusForNumbers(questions(), standings, terms.isUnderWay);
}

/** Whether a type is below the others, and its verdict against BTC is likely by a known day, whatever exports buy first. */
function isVsBtcForeseen({ waitVsBtc }: Standing): boolean {
  return waitVsBtc?.wordExpected !== undefined;
}

/** Whether a type is below the others, and has too few days of outcomes for an interval against BTC. */
function isTooYoungForDate(standing: Standing): boolean {
  const { groupFigures, figures } = standing;
  if (groupFigures === null || !canBuyVerdictVsBtc(standing, groupFigures)) return false;
  return (figures?.median_vs_btc_interval_95 ?? null) === null;
}

/**
 * The type that may have to be dropped. Each candidate is below the others, may be below BTC, too, and has fewer than nine in
 * ten due outcomes bought. A type that exports do not buy first yet needs three things more:
 * - a verdict against BTC is likely within 90 days, if it is bought first;
 * - no such verdict is foreseen anyway: to buy the type first would cost the other types their outcomes for nothing;
 * - its last 30 days do not deny that it is below.
 *
 * For a type that exports buy first already these three do not count, because they change from day to day.
 *
 * The candidate that was found below the others first is chosen; of several that were found at once, the candidate with the
 * most due outcomes. How far below they are does not decide, because that, too, changes from day to day.
 * @returns undefined if there is no candidate
 */
function focusVsBtc(standings: readonly Standing[], terms: FocusTerms): FocusVsBtc | undefined {
  const { isUnderWay } = terms;
  const candidates: FocusCandidate[] = [];
  for (const standing of standings) {
    const { group: type, groupFigures, wordSince } = standing;
    if (groupFigures === null || !canBuyVerdictVsBtc(standing, groupFigures)) continue;
    const by = verdictVsBtcWithFocus(standing, terms);
    const isOfUse = by !== undefined && !isVsBtcForeseen(standing);
    const mayStart = isOfUse && isBelowInLastDays(standing);
    if (!isUnderWay && !mayStart) continue;
    const { due } = groupFigures;
    const bought = groupFigures.horizons[MAIN_HORIZON]?.btc_sample ?? 0;
    candidates.push({
      wordSince,
      focus: { why: 'vs_btc', type, isUnderWay, due, bought, by },
    });
  }
  // If the notebook does not say since when a type has been below, the type comes last.
  const timeFound = ({ wordSince }: FocusCandidate) => wordSince ?? Number.POSITIVE_INFINITY;
  const [first] = candidates.toSorted(
    (a, b) => ascending(timeFound(a), timeFound(b)) || b.focus.due - a.focus.due,
  );
  return first?.focus;
}

interface FocusCandidate {
  /** Since when the type has been below the others, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly wordSince: number | undefined;
  readonly focus: FocusVsBtc;
}

/**
 * When a verdict is likely that a type is below BTC, if exports buy only its outcomes.
 * @returns epoch milliseconds UTC; undefined if none is likely within 90 days
 */
function verdictVsBtcWithFocus(
  standing: Standing,
  { now, outcomesPerDay }: PurchasePace,
): number | undefined {
  const { groupFigures, figures } = standing;
  const needed = outcomesForVerdictVsBtc(standing);
  if (needed === undefined || groupFigures === null || figures === null) return undefined;
  const toBuy = Math.max(0, needed - figures.btc_sample);
  const toCome = Math.max(0, needed - groupFigures.due);
  const daysToBuy = toBuy / outcomesPerDay;
  const daysToCome = toCome === 0 ? 0 : toCome / (groupFigures.cards_per_day ?? 0);
  const days = Math.ceil(Math.max(daysToBuy, daysToCome));
  return days * DAY <= LONGEST_WAIT ? now + days * DAY : undefined;
}

/**
 * A verdict needs a 99.7 % interval that lies wholly beyond the band around 0. Half of that interval is 3 standard errors. If the
 * difference lies 3.7 standard errors beyond the band, the verdict comes in three of four cases. Half of the 95 % interval is
 * about 2 standard errors. So 3.7 standard errors are 3.7 / 2 = 1.85 such halves.
 */
const HALF_WIDTHS = 1.85;

/** About how many bought outcomes show that a type is below BTC. Undefined if it is not below, or if nothing bounds it yet. */
function outcomesForVerdictVsBtc({ base, figures }: Standing): number | undefined {
  const interval = figures?.median_vs_btc_interval_95 ?? null;
  if (figures === null || interval === null || base.vsBtc === null) return undefined;
  const beyondBand = -base.vsBtc - MARGIN;
  if (beyondBand <= 0) return undefined;
  const halfWidth = (interval.high - interval.low) / 2;
  // An interval becomes narrower with the root of the outcomes.
  return figures.btc_sample * ((HALF_WIDTHS * halfWidth) / beyondBand) ** 2;
}

/** Whether the verdict of a type against BTC decides if it is dropped, and purchases may bring that verdict. */
function canBuyVerdictVsBtc(standing: Standing, { bought, due }: GroupFigures): boolean {
  return isVsBtcAwaited(standing) && sendsCards(standing) && bought < NEARLY_ALL * due;
}

/**
 * Whether the last 30 days alone show that a type is below; also true while these days have no interval. A type that has been
 * better lately is no candidate: its outcomes would be bought for what it did long ago.
 */
function isBelowInLastDays({ figures }: Standing): boolean {
  const interval = figures?.last_30_days?.interval_95 ?? null;
  return interval === null || interval.high < 0;
}

/** Why a stricter setting of a type is of no use. Such a type gets no advice, and its numbers need no test. */
export type Hindrance =
  | { readonly why: 'switched_off' | 'removed' }
  /** `days` are whole days without a card. */
  | { readonly why: 'silent'; readonly days: number }
  | { readonly why: 'behind'; readonly comparedWith: ComparedWith };

/** @returns undefined if a stricter setting of the type would be of use */
export function hindranceOf({
  word,
  comparedWith,
  off,
  silentDays,
}: Standing): Hindrance | undefined {
  if (off !== undefined) return { why: off.isRemoved ? 'removed' : 'switched_off' };
  if (silentDays !== undefined) return { why: 'silent', days: silentDays };
  // The cards that a stricter setting keeps of such a type are mostly behind, too.
  return word === 'below' ? { why: 'behind', comparedWith } : undefined;
}

/**
 * What buying a type first would bring, by type. Left out are the types of which a stricter setting is of no use, the types that
 * have advice on a setting already, and the types that `focusProspectOf` does not propose.
 */
function focusProspects(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
  isUnderWay: boolean,
): ReadonlyMap<string, FocusProspect> {
  const unhindered = standings.filter((standing) => hindranceOf(standing) === undefined);
  const types = new Set(unhindered.map(({ group }) => group));
  const prospects = new Map<string, FocusProspect>();
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    if (!types.has(type) || questionsOfType.some(hasBetterSide)) continue;
    const prospect = focusProspectOf(closestToTest(questionsOfType), isUnderWay);
    if (prospect !== undefined) prospects.set(type, prospect);
  }
  return prospects;
}

/**
 * @param closest the question that is closest to a test, of one type
 * @param isUnderWay whether exports buy the type first already
 * @returns undefined if buying the type first would not bring the test much sooner, or if it does not come within two months
 */
function focusProspectOf(
  closest: NumberQuestion | undefined,
  isUnderWay: boolean,
): FocusProspect | undefined {
  if (closest === undefined) return undefined;
  const { type, cards: outcomes, needs, needed, enough_by, focus_brings_by } = closest;
  // `enough_by` foresees what exports buy now. If they buy the type first already, it is the date with --focus.
  const by = isUnderWay ? (enough_by ?? focus_brings_by) : focus_brings_by;
  // A number that needs further days has outcomes enough, and --focus brings no days. But if exports bought another type first
  // from now on, the outcomes of the further days would no longer come: so the type stays.
  const needsDaysUnderWay = isUnderWay && needs === 'days';
  const canFocusHelp = needs === 'outcomes' || needsDaysUnderWay;
  if (!canFocusHelp || needed === null || by === null) return undefined;
  const neededOutcomes = needs === 'outcomes' ? needed : undefined;
  return { why: 'tune', type, isUnderWay, outcomes, needed: neededOutcomes, by: at(by) };
}

/**
 * The type to buy first for its numbers: of the types whose numbers can be tested sooner then, the type with the most due
 * outcomes. Exports that buy at random have bought most outcomes of that type, so its test can be made about as soon as any. The
 * dates of the tests decide only between types with equally many due outcomes. If the dates decided first, two types with about
 * as many outcomes would change places from day to day.
 * @returns undefined if no type is proposed
 */
function focusForNumbers(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
  isUnderWay: boolean,
): FocusProspect | undefined {
  const dueByType = new Map<string, number>();
  for (const { group, groupFigures } of standings) dueByType.set(group, groupFigures?.due ?? 0);
  const dueOf = ({ type }: FocusProspect) => dueByType.get(type) ?? 0;
  const prospects = [...focusProspects(questions, standings, isUnderWay).values()];
  const [first] = prospects.toSorted(
    (a, b) => dueOf(b) - dueOf(a) || a.by - b.by || b.outcomes - a.outcomes,
  );
  return first;
}

/** Whether a number can be tested once there are more outcomes, or outcomes of more days. */
export function canComeToTest({ needs }: NumberQuestion): boolean {
  return needs === 'outcomes' || needs === 'days';
}

/**
 * The number that lacks the fewest outcomes for a test. If no number can come to a test, the number with the most cards.
 * @returns undefined if there is no number
 */
export function closestToTest(questions: readonly NumberQuestion[]): NumberQuestion | undefined {
  const lackOf = ({ needed, cards }: NumberQuestion) =>
    (needed ?? Number.POSITIVE_INFINITY) - cards;
  const [closest] = questions.toSorted((a, b) => {
    if (canComeToTest(a) !== canComeToTest(b)) return canComeToTest(a) ? -1 : 1;
    return canComeToTest(a) ? lackOf(a) - lackOf(b) : b.cards - a.cards;
  });
  return closest;
}
