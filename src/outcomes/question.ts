/** What is asked of the cards of a history, and what it is answered from. */
import { type HorizonName, horizonOf, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { matches } from '../base/collections.ts';
import { DAY } from '../base/units.ts';
import type { Finding } from './findings.ts';
import type { Row } from './row.ts';
import type { ServiceAnswer, Sittings } from './service-answers.ts';
import type { GroupBy } from './types.ts';

/** Cards that the default question is of, milliseconds before now: an edge that died is then withdrawn. */
export const JUDGED_WINDOW = 180 * DAY;

/** The smallest difference that matters after `MAIN_HORIZON`, percentage points. */
export const LEAST = 1;

/** The smallest difference that matters after a horizon, percentage points. @param least that after `MAIN_HORIZON` */
export function leastOf(horizon: HorizonName, least: number): number {
  return least * horizonOf(horizon).least;
}

/** A condition on a number known at the trigger. */
export interface CardCondition {
  /** As it was typed: `funding>=0.0002`. */
  readonly text: string;
  readonly holdsOf: (card: Row) => boolean;
}

/** Which cards are meant; undefined: of any. */
export interface CardChoice {
  /** The first and the last moment of `created_at`, epoch milliseconds UTC, both inclusive. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly symbol: string | undefined;
  readonly type: string | undefined;
  /** All must hold. */
  readonly where: readonly CardCondition[];
}

/** How cards are grouped, and which move is judged. */
export interface Terms {
  /** Undefined: all cards are one group. */
  readonly by: GroupBy | undefined;
  readonly horizon: HorizonName;
  /** The smallest difference that matters after `MAIN_HORIZON`, percentage points. */
  readonly least: number;
}

/** All types, after 24 h, the cards of the last 180 days: exports answer it in the notebook, with memory and dates. */
export interface DefaultQuestion {
  readonly kind: 'default';
}

/** Anything else: one look by the same rule, without memory and without a date. */
export interface OwnQuestion extends CardChoice, Terms {
  readonly kind: 'own';
}

export type Question = DefaultQuestion | OwnQuestion;

/**
 * How the cards that the user acted on did beside those that were let pass: one look, as every question of one's own. The
 * choice is of both. No reader of the other questions takes it: it compares cards, not groups.
 */
export interface PicksQuestion extends CardChoice, Pick<Terms, 'horizon' | 'least'> {
  readonly kind: 'picks';
  /** Ids of the cards, in digits: one may be beyond 2^53. */
  readonly ids: ReadonlySet<string>;
}

export const DEFAULT_QUESTION: DefaultQuestion = { kind: 'default' };

const DEFAULT_TERMS: Terms = { by: 'type', horizon: MAIN_HORIZON, least: LEAST };

const EVERY_CARD: CardChoice = {
  since: undefined,
  until: undefined,
  symbol: undefined,
  type: undefined,
  where: [],
};

/** The default question, unless anything differs from it. What is left out is as in the default one. */
export function questionOf(different: Partial<CardChoice & Terms>): Question {
  const own = { ...EVERY_CARD, ...DEFAULT_TERMS, ...different };
  const hasDefaultTerms =
    own.by === DEFAULT_TERMS.by &&
    own.horizon === DEFAULT_TERMS.horizon &&
    own.least === DEFAULT_TERMS.least;
  return isEveryCard(own) && hasDefaultTerms ? DEFAULT_QUESTION : { kind: 'own', ...own };
}

interface Chooser<Wanted> {
  /** Whether it leaves out no card. */
  readonly isAny: (wanted: Wanted) => boolean;
  readonly takes: (card: Row, wanted: Wanted) => boolean;
}

/** What each field of a choice does: a new field does not compile until it has its line. */
const CHOOSERS: { readonly [Name in keyof CardChoice]: Chooser<CardChoice[Name]> } = {
  since: {
    isAny: (since) => since === undefined,
    takes: (card, since) => since === undefined || card.at >= since,
  },
  until: {
    isAny: (until) => until === undefined,
    takes: (card, until) => until === undefined || card.at <= until,
  },
  symbol: {
    isAny: (symbol) => symbol === undefined,
    takes: (card, symbol) => matches(card.symbol, symbol),
  },
  type: {
    isAny: (type) => type === undefined,
    takes: (card, type) => matches(card.type, type),
  },
  where: {
    isAny: (conditions) => conditions.length === 0,
    takes: (card, conditions) => conditions.every(({ holdsOf }) => holdsOf(card)),
  },
};

const CHOICE_FIELDS = Object.keys(CHOOSERS) as (keyof CardChoice)[];

/** Whether every card is meant: of any age that is judged, type and symbol. */
export function isEveryCard(choice: CardChoice): boolean {
  const isAny = <Name extends keyof CardChoice>(name: Name) => CHOOSERS[name].isAny(choice[name]);
  return CHOICE_FIELDS.every((name) => isAny(name));
}

export function isChosen(card: Row, choice: CardChoice): boolean {
  const takes = <Name extends keyof CardChoice>(name: Name) =>
    CHOOSERS[name].takes(card, choice[name]);
  return CHOICE_FIELDS.every((name) => takes(name));
}

export function termsOf(question: Question): Terms {
  return question.kind === 'default' ? DEFAULT_TERMS : question;
}

export function choiceOf(question: Question): CardChoice {
  return question.kind === 'default' ? EVERY_CARD : question;
}

/** Whether all cards of a type count: what the service says of a type is said of all of them. */
export function isOfWholeTypes(question: Question): boolean {
  const { symbol, where } = choiceOf(question);
  return symbol === undefined && where.length === 0;
}

/** What a question is answered from: cards, answers, settings and findings. */
export interface Evidence {
  /** Those that the question chooses, bought or not, in any order. */
  readonly cards: readonly Row[];
  /** Of the service, on windows within the time of the cards; none if single cards are chosen. */
  readonly answers: readonly ServiceAnswer[];
  /** When exports last asked for a type's answer, epoch milliseconds UTC; see `lastSittings`. */
  readonly lastAsked: ReadonlyMap<string, number>;
  /** When exports ask for it, as the last one planned; undefined for a type of which they ask none. */
  readonly planned?: ReadonlyMap<string, Sittings | undefined> | undefined;
  /**
   * Present settings of a type since then, epoch milliseconds UTC: older cards count as others only. A type that is not in
   * it never changed; empty if cards of all settings are meant.
   */
  readonly settingsSince: ReadonlyMap<string, number>;
  /**
   * In use without a break since then, epoch milliseconds UTC: later than `settingsSince` if it was off in between. Cards a
   * day, and silence, count from there. Undefined if that is `settingsSince` for all types.
   */
  readonly inUseSince?: ReadonlyMap<string, number> | undefined;
  /** The notebook of these cards, oldest first; undefined if no export has judged them. */
  readonly findings: readonly Finding[] | undefined;
  /** Epoch milliseconds UTC, as the following. */
  readonly now: number;
  /** The end of the history. */
  readonly until: number;
  /** Outcomes of cards until then are due, as exports count them. */
  readonly dueUntil: number;
}
