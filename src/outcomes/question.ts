/** The questions that a history answers, and what they are answered from. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { matches } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import type { Finding } from './findings.ts';
import type { HistoryCard } from './history-card.ts';
import type { ServiceAnswer, Sittings } from './service-answers.ts';
import type { GroupBy } from './types.ts';

/**
 * Milliseconds. The default question is about the cards of the last 180 days, so that a verdict is taken back some time after
 * its type has changed.
 */
export const JUDGED_WINDOW = 180 * DAY;

/** The smallest difference that matters after `MAIN_HORIZON` if --least says nothing else, percentage points. */
export const DEFAULT_LEAST = 1;

/**
 * The smallest difference that matters after a horizon, percentage points.
 * @param least the smallest that matters after `MAIN_HORIZON`
 */
export function leastOf(horizon: HorizonName, least: number): number {
  return least * horizonOf(horizon).shareOfLeast;
}

/** A condition on a number known at the trigger. */
export interface CardCondition {
  /** As it was typed: `funding>=0.0002`. */
  readonly text: string;
  readonly isMetAtTrigger: (card: HistoryCard) => boolean;
}

/** Which cards a question is about; a field that is undefined leaves out none. */
export interface CardChoice {
  /** The first moment of `created_at` that counts, epoch milliseconds UTC. */
  readonly since: number | undefined;
  /** The last moment that counts. */
  readonly until: number | undefined;
  readonly symbol: string | undefined;
  readonly type: string | undefined;
  /** All of them must hold. */
  readonly where: readonly CardCondition[];
}

/** The fields of a choice that a user typed. */
type TypedChoice = { readonly [Name in keyof CardChoice]?: CardChoice[Name] | undefined };

/** How cards are grouped, and which move is judged. */
export interface Terms {
  /** Undefined if all cards are one group. */
  readonly by: GroupBy | undefined;
  readonly horizon: HorizonName;
  /** The smallest difference that matters after `MAIN_HORIZON`, percentage points. */
  readonly least: number;
}

/** All types, after 24 h, by the cards of the last 180 days. Exports answer it in the notebook, with memory and dates. */
export interface DefaultQuestion {
  readonly kind: 'default';
}

/** Any other question. It is answered by one look: by the same rule, without memory and without a date. */
export interface OwnQuestion extends CardChoice, Terms {
  readonly kind: 'own';
}

export type Question = DefaultQuestion | OwnQuestion;

/**
 * How the cards that the user acted on did, compared with the cards that the user let pass. `CardChoice` chooses among both.
 * The question is answered by one look, but it is no `Question`, because it compares cards and not groups.
 */
export interface PicksQuestion extends CardChoice, Pick<Terms, 'horizon' | 'least'> {
  readonly kind: 'picks';
  /** The ids of the cards that the user acted on, in digits: an id may lie beyond 2^53. */
  readonly ids: ReadonlySet<string>;
  /** How many lines of the user's file have an id of an earlier line. */
  readonly repeatedLines: number;
}

export const DEFAULT_QUESTION: DefaultQuestion = { kind: 'default' };

const DEFAULT_TERMS: Terms = { by: 'type', horizon: MAIN_HORIZON, least: DEFAULT_LEAST };

const EVERY_CARD: CardChoice = {
  since: undefined,
  until: undefined,
  symbol: undefined,
  type: undefined,
  where: [],
};

/**
 * The question with these terms; the default question if they are the default ones.
 * @param terms what is left out is as in the default question
 */
export function questionOf(terms: Partial<CardChoice & Terms>): Question {
  const wanted = { ...EVERY_CARD, ...DEFAULT_TERMS, ...terms };
  const hasDefaultTerms =
    wanted.by === DEFAULT_TERMS.by &&
    wanted.horizon === DEFAULT_TERMS.horizon &&
    wanted.least === DEFAULT_TERMS.least;
  return isEveryCard(wanted) && hasDefaultTerms ? DEFAULT_QUESTION : { kind: 'own', ...wanted };
}

/** What a field of a choice does. @typeParam Card the part of a card that it looks at */
interface Chooser<Wanted, Card> {
  /** Whether the field leaves out no card, because nothing was asked. */
  readonly isAny: (wanted: Wanted) => boolean;
  readonly takes: (card: Card, wanted: Wanted) => boolean;
}

/**
 * `leavesOut`: what the field can leave out. `times`: the cards of some times. `cards`: some cards of a type. `types`: all
 * cards of some types.
 */
type AnyChooser<Wanted> =
  | (Chooser<Wanted, HistoryCard> & { readonly leavesOut: 'times' | 'cards' })
  | (Chooser<Wanted, Pick<HistoryCard, 'type'>> & { readonly leavesOut: 'types' });

/** One line for each field of a choice: a new field does not compile until it has its own. */
const CHOOSERS: { readonly [Name in keyof CardChoice]: AnyChooser<CardChoice[Name]> } = {
  since: {
    leavesOut: 'times',
    isAny: (since) => since === undefined,
    takes: (card, since) => since === undefined || card.at >= since,
  },
  until: {
    leavesOut: 'times',
    isAny: (until) => until === undefined,
    takes: (card, until) => until === undefined || card.at <= until,
  },
  symbol: {
    leavesOut: 'cards',
    isAny: (symbol) => symbol === undefined,
    takes: (card, symbol) => matches(card.symbol, symbol),
  },
  type: {
    leavesOut: 'types',
    isAny: (type) => type === undefined,
    takes: (card, type) => matches(card.type, type),
  },
  where: {
    leavesOut: 'cards',
    isAny: (conditions) => conditions.length === 0,
    takes: (card, conditions) => conditions.every(({ isMetAtTrigger }) => isMetAtTrigger(card)),
  },
};

const CHOICE_FIELDS = Object.keys(CHOOSERS) as (keyof CardChoice)[];

function isAny<Name extends keyof CardChoice>(name: Name, choice: CardChoice): boolean {
  return CHOOSERS[name].isAny(choice[name]);
}

/** Whether a choice leaves out no card. */
export function isEveryCard(choice: CardChoice): boolean {
  return CHOICE_FIELDS.every((name) => isAny(name, choice));
}

export function isChosen(card: HistoryCard, choice: CardChoice): boolean {
  const takes = <Name extends keyof CardChoice>(name: Name) =>
    CHOOSERS[name].takes(card, choice[name]);
  return CHOICE_FIELDS.every((name) => takes(name));
}

/** Whether a choice takes cards of a type. @param choice a field that it lacks leaves out no card */
export function isTypeChosen(type: string, choice: TypedChoice): boolean {
  const takes = <Name extends keyof CardChoice>(name: Name) => {
    const chooser: AnyChooser<CardChoice[Name]> = CHOOSERS[name];
    const wanted: CardChoice[Name] = choice[name] ?? EVERY_CARD[name];
    return chooser.leavesOut !== 'types' || chooser.takes({ type }, wanted);
  };
  return CHOICE_FIELDS.every((name) => takes(name));
}

export function termsOf(question: Question): Terms {
  return question.kind === 'default' ? DEFAULT_TERMS : question;
}

export function choiceOf(question: Question): CardChoice {
  return question.kind === 'default' ? EVERY_CARD : question;
}

/** Whether all cards of a type count. Only then the service's medians can answer, because they are of all cards of a type. */
export function isOfWholeTypes(question: Question): boolean {
  const choice = choiceOf(question);
  return CHOICE_FIELDS.every((name) => CHOOSERS[name].leavesOut !== 'cards' || isAny(name, choice));
}

/** Whether all cards of all types count that came in the time of the question. */
export function isOfAllTypes(question: Question): boolean {
  const choice = choiceOf(question);
  return CHOICE_FIELDS.every((name) => CHOOSERS[name].leavesOut === 'times' || isAny(name, choice));
}

/** What a question is answered from. Times are epoch milliseconds UTC. */
export interface Evidence {
  /** The cards that the question chooses, bought or not, in any order. */
  readonly cards: readonly HistoryCard[];
  /** The service's answers on windows within the time of the cards; none if only some cards of a type are chosen. */
  readonly answers: readonly ServiceAnswer[];
  /** When the service was last asked about each type at a sitting, and not by the user in between (`lastSittings`). */
  readonly lastAsked: ReadonlyMap<string, number>;
  /** When exports will ask about each type, as the last export planned; undefined for a type about which they do not ask. */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  /**
   * When each type's present settings began: its older cards serve only as other types' comparison. A type that is not in it
   * never changed; it is empty if the question is about cards under any settings.
   */
  readonly settingsSince: ReadonlyMap<string, number>;
  /**
   * Since when each type has been in use without a break: later than `settingsSince` if it was off in between. Cards a day,
   * and silence, count from there. Undefined if that is `settingsSince` for all types.
   */
  readonly inUseSince?: ReadonlyMap<string, number> | undefined;
  /** The notebook, oldest first; undefined if the question is not about every card, or if no export has judged them. */
  readonly findings: readonly Finding[] | undefined;
  /** The types whose outcomes exports buy before all others; undefined if there are none. */
  readonly inFocus?: ReadonlySet<string> | undefined;
  /**
   * When the credits will have covered all due outcomes, as exports foresee it; undefined if they will not, or if it is not
   * known.
   */
  readonly allBoughtBy?: number | undefined;
  /**
   * Outcomes that exports buy a day: as they foresee it for a whole month, otherwise as they have done; undefined if neither is
   * known.
   */
  readonly boughtPerDay?: number | undefined;
  readonly now: number;
  /** The end of the history. */
  readonly until: number;
  /** The outcomes of the cards that were created up to this time are due, as exports count them. */
  readonly dueUntil: number;
}
