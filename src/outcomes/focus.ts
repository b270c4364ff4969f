/**
 * The one type that exports should buy first: to learn whether to drop it, or so that its numbers at the trigger can be tested.
 * It stays the same type until its question is answered, or cannot be answered any more. So a user who follows the advice each
 * morning gets an answer. Every screen that names a type to buy first names this type.
 */
import { ascending, greatest, least } from 'd3-array';
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { at } from '../api/time.ts';
import { groupBy, once } from '../base/collections.ts';
import { beginOfMonth, DAY } from '../base/units.ts';
import { mayHaveStopped } from './doubt.ts';
import type { GroupFigures } from './figure-table.ts';
import type { HistoryCard } from './history-card.ts';
import { NEARLY_ALL } from './service-answers.ts';
import { type Standing, sendsCards } from './standing.ts';
import { hasBetterSide, type NumberQuestion } from './tune-types.ts';

/** The type that exports should buy first, and what its outcomes are to show. */
export type Focus = FocusVsBtc | FocusProspect;

interface FocusOnType {
  readonly type: string;
  /** Whether exports buy it first already: the user need do nothing more. */
  readonly isUnderWay: boolean;
}

/** A type below the other cards. More of its outcomes may show that it is below BTC, too: then it is worth dropping. */
export interface FocusVsBtc extends FocusOnType {
  readonly why: 'vs_btc';
  /** Since when it has been below the others, epoch milliseconds UTC; undefined if the notebook does not say. */
  readonly belowSince: number | undefined;
  /** Its outcomes that are due under its present settings. */
  readonly due: number;
  /** How many of the due outcomes are bought and have a figure: N of `stats`. Only these decide about BTC. */
  readonly measured: number;
}

/** How many cards each type had until the month of `now` began, UTC. The counts stay the same for that month. */
export function cardsBeforeMonth(
  cards: readonly Pick<HistoryCard, 'type' | 'at'>[],
  now: number,
): CardsByType {
  const begins = beginOfMonth(now);
  const before = cards.filter(({ at: createdAt }) => createdAt < begins);
  return new Map(
    [...groupBy(before, ({ type }) => type)].map(([type, { length }]) => [type, length]),
  );
}

/** How many cards each type has; a type without cards need not be in it. */
type CardsByType = ReadonlyMap<string, number>;

/** A type whose numbers can be tested sooner if exports buy its outcomes first. */
export interface FocusProspect extends FocusOnType {
  readonly why: 'tune';
  /** How many of its outcomes a test can use. It is the test of the number that can be tested soonest (`closestToTest`). */
  readonly outcomes: number;
  /** About how many outcomes that test needs; undefined if there are enough, but of too few days. */
  readonly needed: number | undefined;
  /**
   * When the test can be made if exports buy the type first, epoch milliseconds UTC. A type that would take longer than two
   * months is not proposed.
   */
  readonly by: number;
  /** Whether the test can be made within two months also if exports go on buying as now. */
  readonly comesAnyway: boolean;
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
 * @param questions makes the questions about all numbers of all types, on the moves of 24 h; called only for 2 and 4, at most once
 * @param cardsBefore how many cards each type had before this month (`cardsBeforeMonth`). If two types are in the same case,
 *   the type with more cards comes first. (If all cards counted, two types with nearly the same count would change places each
 *   day.)
 * @param inFocus the types that exports buy first already
 * @param isAllBought whether the credits soon cover all outcomes. Then 3 and 4 are left out
 * @returns undefined if no type is proposed
 */
export function focusOf(
  standings: readonly Standing[],
  questions: () => readonly NumberQuestion[],
  cardsBefore: CardsByType,
  inFocus: ReadonlySet<string> = new Set(),
  isAllBought = false,
): Focus | undefined {
  const standingsInFocus = standings.filter(({ group }) => inFocus.has(group));
  const questionsOnce = once(questions);
  const underWay = focusAmong(standingsInFocus, questionsOnce, { cardsBefore, isUnderWay: true });
  if (underWay !== undefined || isAllBought) return underWay;
  return focusAmong(standings, questionsOnce, { cardsBefore, isUnderWay: false });
}

/** Milliseconds. For so long `today` tells of a focus: advice that is not taken in a week would only be in the way. */
const TOLD_FOR = 7 * DAY;

/**
 * Whether `today` tells of a focus: for a week after its type was found below the others, and for the first week of each month, at
 * whose begin types are chosen anew (`cardsBeforeMonth`). `stats` and `tune` tell of it each day.
 * @param now epoch milliseconds UTC
 */
export function isFocusNew(focus: Focus, now: number): boolean {
  const isFoundLately =
    focus.why === 'vs_btc' && focus.belowSince !== undefined && now - focus.belowSince < TOLD_FOR;
  return isFoundLately || now - beginOfMonth(now) < TOLD_FOR;
}

interface FocusTerms {
  /** Before this month. */
  readonly cardsBefore: CardsByType;
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
  if (vsBtc !== undefined) return vsBtc;
  return focusForNumbers(questions(), standings, terms);
}

/**
 * The type that may have to be dropped. Each candidate is below the others, may be below BTC, too, and has fewer than nine in
 * ten due outcomes bought. A type that exports do not buy first yet is left out if the notebook says that it has been better
 * lately: its outcomes would be bought for what it did long ago.
 *
 * The candidate that was first found below the others is chosen. If several were found at the same time, the candidate with the
 * most cards before this month is chosen. How far below they are does not decide, because that changes from day to day.
 * @returns undefined if there is no candidate
 */
function focusVsBtc(standings: readonly Standing[], terms: FocusTerms): FocusVsBtc | undefined {
  const { isUnderWay } = terms;
  const candidates: FocusVsBtc[] = [];
  for (const standing of standings) {
    const { group: type, groupFigures, verdictSince: belowSince, lessLately } = standing;
    if (groupFigures === null || !canBuyVerdictVsBtc(standing, groupFigures)) continue;
    // A type below the others that "does less" than before is better than before.
    const isBetterLately = lessLately !== undefined;
    if (isBetterLately && !isUnderWay) continue;
    const { due } = groupFigures;
    const measured = groupFigures.horizons[MAIN_HORIZON]?.btc_sample ?? 0;
    candidates.push({ why: 'vs_btc', type, isUnderWay, belowSince, due, measured });
  }
  // If the notebook does not say since when a type has been below, the type comes last.
  const timeFound = ({ belowSince }: FocusVsBtc) => belowSince ?? Number.POSITIVE_INFINITY;
  const [first] = candidates.toSorted(
    (a, b) => ascending(timeFound(a), timeFound(b)) || byCards(terms)(a, b),
  );
  return first;
}

/** Whether the verdict against BTC decides whether to drop the type, and purchases may bring that verdict. */
function canBuyVerdictVsBtc(standing: Standing, { bought, due }: GroupFigures): boolean {
  if (timeOfChangeToUndo(standing) !== undefined) return false;
  return mayBeBelowBtc(standing) && sendsCards(standing) && bought < NEARLY_ALL * due;
}

/** Whether a type is below the others, and it is not known how it stands to BTC. */
export function mayBeBelowBtc({
  verdict,
  comparedWith,
  verdictVsBtc,
}: Pick<Standing, 'verdict' | 'comparedWith' | 'verdictVsBtc'>): boolean {
  const isBelow = verdict === 'below' && comparedWith === 'others';
  return isBelow && (verdictVsBtc === 'unclear' || verdictVsBtc === 'too_few_days');
}

/**
 * Whether a type is to be dropped: it is below the others and below BTC, or below BTC if there are no others. A type that is below
 * the others, but not below BTC, is kept.
 */
function isSurelyBehind({ verdict, comparedWith, toDo }: Standing): boolean {
  return toDo === 'drop' || (verdict === 'below' && comparedWith === 'btc');
}

/**
 * When the last change of a type's settings was, epoch milliseconds UTC, if it is to be undone because it hurt. The cards since
 * then do not count any more once it is undone, so their outcomes are not worth buying. Otherwise undefined.
 */
function timeOfChangeToUndo(standing: Standing): number | undefined {
  const { change } = standing;
  return change?.verdict === 'lower' && sendsCards(standing) ? change.changedAt : undefined;
}

/** Why a stricter setting of a type would be of no use. Such a type gets no advice, and its numbers need no test. */
export type Hindrance =
  | { readonly why: 'switched_off' | 'removed' }
  /** `days` are whole days without a card. */
  | { readonly why: 'silent'; readonly days: number }
  | { readonly why: 'to_drop' | 'may_be_below_btc' | 'may_have_stopped' }
  /** `changedAt` is when the change was that is to be undone, epoch milliseconds UTC. */
  | { readonly why: 'change_hurt'; readonly changedAt: number };

/** @returns undefined if a stricter setting of the type would be of use */
export function hindranceOf(standing: Standing): Hindrance | undefined {
  const { off, silentDays } = standing;
  if (off !== undefined) return { why: off.isRemoved ? 'removed' : 'switched_off' };
  if (silentDays !== undefined) return { why: 'silent', days: silentDays };
  if (mayHaveStopped(standing)) return { why: 'may_have_stopped' };
  // The cards that a stricter setting keeps of such types are mostly behind, too.
  if (isSurelyBehind(standing)) return { why: 'to_drop' };
  if (mayBeBelowBtc(standing)) return { why: 'may_be_below_btc' };
  const changedAt = timeOfChangeToUndo(standing);
  return changedAt === undefined ? undefined : { why: 'change_hurt', changedAt };
}

/**
 * What buying a type first would bring, by type. Left out are the types of which a stricter setting is of no use, the types
 * that have advice on a setting already, and the types that `focusProspectOf` does not propose.
 */
function focusProspects(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
  isUnderWay: boolean,
): ReadonlyMap<string, FocusProspect> {
  const unhindered = standings.filter((standing) => hindranceOf(standing) === undefined);
  const unhinderedTypes = new Set(unhindered.map(({ group }) => group));
  const prospects = new Map<string, FocusProspect>();
  for (const [type, questionsOfType] of groupBy(questions, (question) => question.type)) {
    const hasAdvice = questionsOfType.some(hasBetterSide);
    if (hasAdvice || !unhinderedTypes.has(type)) continue;
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
  const { type, cards: outcomes, needs: lacks, needed, enough_by, focus_brings_by } = closest;
  // `enough_by` is the date if exports go on as now. If the type is under way, that already is the date with --focus.
  const by = isUnderWay ? (enough_by ?? focus_brings_by) : focus_brings_by;
  // A number that lacks only days gains nothing from --focus. But a type that is under way stays: if exports turned to another
  // type, no outcomes of the further days would come.
  const staysForDays = isUnderWay && lacks === 'days';
  const canFocusHelp = lacks === 'outcomes' || staysForDays;
  // Without a date the test would not come within two months, or --focus would hardly bring it sooner.
  if (!canFocusHelp || needed === null || by === null) return undefined;
  const outcomesNeeded = lacks === 'outcomes' ? needed : undefined;
  const comesAnyway = enough_by !== null;
  return {
    why: 'tune',
    type,
    isUnderWay,
    outcomes,
    needed: outcomesNeeded,
    by: at(by),
    comesAnyway,
  };
}

/** The type with more cards before this month comes first; of equally many, the first by name. */
function byCards({ cardsBefore }: Pick<FocusTerms, 'cardsBefore'>) {
  const cardsOf = ({ type }: FocusOnType) => cardsBefore.get(type) ?? 0;
  return (a: FocusOnType, b: FocusOnType) => cardsOf(b) - cardsOf(a) || ascending(a.type, b.type);
}

/**
 * The type to buy first for its numbers. Among the types whose numbers can be tested sooner if they are bought first, it is the
 * type with the most cards before this month. Exports that buy at random have bought the most outcomes of that type, so that
 * hardly any test can be made sooner. It stays the same type until its test can be made: the dates of tests do not decide,
 * because they change from day to day.
 * @returns undefined if no type is proposed
 */
function focusForNumbers(
  questions: readonly NumberQuestion[],
  standings: readonly Standing[],
  terms: FocusTerms,
): FocusProspect | undefined {
  const prospects = [...focusProspects(questions, standings, terms.isUnderWay).values()];
  const [first] = prospects.toSorted(byCards(terms));
  return first;
}

/** Whether a number can be tested once there are more outcomes, or outcomes of more days. */
export function canComeToTest({ needs }: NumberQuestion): boolean {
  return needs === 'outcomes' || needs === 'days';
}

/**
 * The number that lacks the fewest outcomes for a test. (A number that lacks only days has enough outcomes, and comes before
 * the others.) If no number can come to a test, it is the number with the most cards.
 * @returns undefined if there is no number
 */
export function closestToTest(questions: readonly NumberQuestion[]): NumberQuestion | undefined {
  const testable = questions.filter(canComeToTest);
  if (testable.length === 0) return greatest(questions, ({ cards }) => cards);
  return least(testable, ({ needed, cards }) => (needed ?? Number.POSITIVE_INFINITY) - cards);
}
