/**
 * What a change of settings did: the difference of the cards after it, minus the difference of the cards before it. Each card
 * is compared with the cards that the same other types (the controls) had on its day. A type that was 0.4 pp behind the
 * controls before, and is 1.1 pp ahead of them after the change, was helped by 1.5 pp.
 *
 * A control counts on both sides of the change or on neither: in a simulation, a control that counted on one side only made
 * a change without effect look like +1.66 pp. The rule is that of every verdict, but at 99 % instead of 99.7 %: a change is one
 * question that is asked in advance, and not the most striking of many types.
 */
import { blockLengthsOf, type HorizonName } from '../api/contract/horizons.ts';
import { DAY } from '../base/units.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { isKnown } from '../statistics/clusters.ts';
import { differenceOfEstimates, type Estimate } from '../statistics/estimate.ts';
import { medianOf } from '../statistics/quantile.ts';
import { isSide, type Verdict, verdictByRule } from '../statistics/rule.ts';
import { type Betas, betasOf } from './beta.ts';
import {
  type Difference,
  differencesOf,
  differencesToOthers,
  symbolsOfBtc,
  withoutBeta,
} from './differences.ts';
import type { Unsteadiness } from './findings.ts';
import type { HistoryCard } from './history-card.ts';
import { answersWithin, type ServiceAnswer } from './service-answers.ts';
import { type ServiceMedian, serviceEstimate, serviceMedians } from './service-medians.ts';
import type { SettingsTime, Source } from './types.ts';

/**
 * A change from one settings of a type to the next. It lies between two answers of `/screeners`, one with the old and one with the
 * new settings: cards between them belong to neither.
 */
export interface SettingsChange<Time extends SettingsTime = SettingsTime> {
  readonly type: string;
  readonly before: Time;
  readonly after: Time;
}

/** What the effect of a change is estimated from. */
export interface ChangeEvidence {
  /** The cards of all types, under any settings, in any order. */
  readonly cards: readonly HistoryCard[];
  /** The service's answers, in any order. */
  readonly answers: readonly ServiceAnswer[];
  /** The times of each type's settings, oldest first; a type that is not in it never changed, as far as is known. */
  readonly settingsOf: ReadonlyMap<string, readonly SettingsTime[]>;
  /**
   * Types that seem to do better or worse than before. Which of them did so by themselves, `#changedByThemselves` decides: they are
   * no controls, because beside a type that does less than before, a change without effect would seem to help.
   */
  readonly unsteady: ReadonlyMap<string, Unsteadiness>;
}

/** The type's cards under one of the two settings. Differences are in percentage points. */
export interface ChangeSide {
  /** The difference to the controls; to BTC if there are none. */
  readonly estimate: Estimate;
  /** The median difference to BTC of the same cards, from the same source; NaN without outcomes. */
  readonly vsBtc: number;
  /** Outcomes of days with too few of the controls: the estimate leaves them out. */
  readonly leftOut: number;
  /** When the service was last asked, epoch milliseconds UTC; undefined if the estimate is made from bought outcomes. */
  readonly askedAt: number | undefined;
}

/**
 * Why another type is no control:
 * - `settings_changed`: its own settings changed, too;
 * - `less_lately`, `verdict_withdrawn`: it changed by itself;
 * - `too_few_days`, if the bought outcomes decide: it has no card before or after the change, or all controls together have cards
 *   on the days of fewer than half of the type's cards;
 * - `too_few_days`, if the service's medians decide: it has none before or after the change.
 */
export const REASONS_NO_CONTROL = [
  'settings_changed',
  'less_lately',
  'verdict_withdrawn',
  'too_few_days',
] as const;

/** Another type that the change is not compared with. */
export interface LeftOutType {
  readonly type: string;
  readonly why: (typeof REASONS_NO_CONTROL)[number];
}

/** What a change did to the moves at one horizon. */
export interface ChangeEffect {
  /** The types that count on both sides, in the order of their names; empty if the comparison is with BTC. */
  readonly controls: readonly string[];
  /** The other types of the account, in the order of their names. */
  readonly leftOutTypes: readonly LeftOutType[];
  readonly source: Source;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  /** The cards after the change minus those before it, percentage points. */
  readonly difference: Estimate;
}

/**
 * The changes of a type's settings, each from one time to the next.
 * @param times oldest first
 */
export function settingsChangesOf<Time extends SettingsTime>(
  type: string,
  times: readonly Time[],
): SettingsChange<Time>[] {
  const changes: SettingsChange<Time>[] = [];
  for (const [i, after] of times.entries()) {
    const before = times[i - 1];
    if (before !== undefined) changes.push({ type, before, after });
  }
  return changes;
}

export const CHANGE_VERDICTS = ['higher', 'lower', 'small', 'unclear', 'too_few_days'] as const;

export type ChangeVerdict = (typeof CHANGE_VERDICTS)[number];

/** The chance that the interval that decides misses the true value: 0.01. So it is a 99 % interval. */
export const CHANGE_LEVEL = 0.01;

/** The verdicts that say what a change did. Each is given, and withdrawn, once two UTC days have said the same. */
export type ChangeSideVerdict = Extract<ChangeVerdict, 'higher' | 'lower'>;

export function isChangeSide(verdict: ChangeVerdict): verdict is ChangeSideVerdict {
  return verdict === 'higher' || verdict === 'lower';
}

/** The name that `verdictByRule` has for each of these verdicts. */
const IN_RULE: Readonly<Record<ChangeVerdict, Verdict>> = {
  higher: 'above',
  lower: 'below',
  small: 'small',
  unclear: 'unclear',
  too_few_days: 'too_few_days',
};

/**
 * What is said of a change's effect. Once given, `higher` or `lower` is kept until the 95 % interval reaches 0. Then it is withdrawn:
 * the verdict is `unclear`, even if the rule alone would say something else.
 * @param least the smallest difference that matters, percentage points
 * @param verdictBefore the verdict until now; undefined if there was none, or if it is not to count
 */
export function changeVerdict(
  { difference }: ChangeEffect,
  least: number,
  verdictBefore?: ChangeVerdict,
): ChangeVerdict {
  const rule = { least, sureLevel: CHANGE_LEVEL };
  const before = verdictBefore === undefined ? undefined : IN_RULE[verdictBefore];
  const inRule = verdictByRule(difference, rule, before);
  if (inRule === null || inRule === 'too_few_days') return 'too_few_days';
  const isWithdrawn = isSide(before) && inRule !== before;
  if (isWithdrawn) return 'unclear';
  if (inRule === 'above') return 'higher';
  return inRule === 'below' ? 'lower' : inRule;
}

/** Milliseconds. For this time after a change, pages advise to keep the new settings until it is known what the change did. */
const WAITED_AFTER_CHANGE = 60 * DAY;

/**
 * Until when pages advise to keep the settings after a change, if it is not known yet what the change did.
 * @param changedAt when the new settings were first seen, epoch milliseconds UTC
 * @param historyEnd epoch milliseconds UTC
 * @returns epoch milliseconds UTC; undefined once that time is over
 */
export function keptUntilAfterChange(changedAt: number, historyEnd: number): number | undefined {
  const waitEnds = changedAt + WAITED_AFTER_CHANGE;
  return historyEnd < waitEnds ? waitEnds : undefined;
}

/** If a smaller share of the type's cards has controls on their day, the comparison is with BTC. A fraction. */
const LEAST_COVERED = 1 / 2;

/** Of a type with fewer outcomes on a side of a change it is not known whether it moved. */
const LEAST_TO_SEE_A_MOVE = 12;

/** A side of a change. */
type Side = 'before' | 'after';

/** What a change did, by one source. */
type EffectFromSource = Omit<ChangeEffect, 'leftOutTypes'>;

/** All types except the changed one. */
interface OtherTypes {
  /** Types that can be controls: on both sides they have the same settings, and do the same. */
  readonly steady: ReadonlySet<string>;
  /** Types that are no controls for another reason than `too_few_days`. */
  readonly leftOut: readonly LeftOutType[];
}

/** Estimates the effects of changes on the moves at one horizon. What they share is worked out once. */
export class ChangeComparison {
  readonly #evidence: ChangeEvidence;
  readonly #horizon: HorizonName;
  /** Oldest first. */
  readonly #cards: readonly HistoryCard[];
  readonly #btcSymbols: ReadonlySet<string>;
  readonly #betas: Betas;
  /** The differences to BTC, minus what slopes explain (`Betas`), oldest first. */
  readonly #differences: readonly Difference[];

  constructor(evidence: ChangeEvidence, horizon: HorizonName) {
    this.#evidence = evidence;
    this.#horizon = horizon;
    this.#cards = evidence.cards.toSorted((a, b) => a.at - b.at);
    this.#btcSymbols = symbolsOfBtc(this.#cards);
    this.#betas = betasOf(this.#cards, horizon, this.#btcSymbols);
    const toBtc = differencesOf(this.#cards, horizon, this.#btcSymbols);
    this.#differences = withoutBeta(toBtc, this.#betas);
  }

  effectOf(change: SettingsChange): ChangeEffect {
    const { steady, leftOut } = this.#otherTypes(change);
    const bought = this.#effectOfBought(change, steady);
    const service = this.#effectOfService(change, steady);
    const effect = service !== undefined && isSurer(service, bought) ? service : bought;
    const controls = new Set(effect.controls);
    const onTooFewDays: LeftOutType[] = [...steady]
      .filter((type) => !controls.has(type))
      .map((type) => ({ type, why: 'too_few_days' }));
    const leftOutTypes = [...leftOut, ...onTooFewDays].toSorted((a, b) =>
      a.type.localeCompare(b.type, 'en'),
    );
    return { ...effect, leftOutTypes };
  }

  #otherTypes(change: SettingsChange): OtherTypes {
    const { type, before, after } = change;
    const begins = before.since ?? Number.NEGATIVE_INFINITY;
    const types = new Set(this.#cards.map((card) => card.type));
    types.delete(type);
    const changedWithin = ({ since }: SettingsTime) =>
      since !== undefined && since > begins && since <= (after.until ?? Number.POSITIVE_INFINITY);
    const leftOut: LeftOutType[] = [];
    const typesWithUnchangedSettings = new Set<string>();
    for (const other of types) {
      const times = this.#evidence.settingsOf.get(other) ?? [];
      if (times.some(changedWithin)) leftOut.push({ type: other, why: 'settings_changed' });
      else typesWithUnchangedSettings.add(other);
    }
    const changedByThemselves = this.#changedByThemselves(change, typesWithUnchangedSettings);
    const steady = new Set<string>();
    for (const other of typesWithUnchangedSettings) {
      const unsteadiness = this.#evidence.unsteady.get(other);
      if (unsteadiness !== undefined && changedByThemselves.has(other)) {
        leftOut.push({ type: other, why: unsteadiness.why });
      } else {
        steady.add(other);
      }
    }
    return { steady, leftOut };
  }

  /**
   * The unsteady types that are taken to have changed by themselves. If no unsteady type moved against BTC, these are all of them.
   * Otherwise they are all but those that did not move: these may look different only beside the one that did.
   *
   * In a simulation, types that stopped working are left out nearly as often as if all unsteady types were left out. Types that
   * did not change are left out less than half as often.
   * @param typesWithUnchangedSettings the other types whose settings stayed the same
   */
  #changedByThemselves(
    change: SettingsChange,
    typesWithUnchangedSettings: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const begins = change.before.since ?? Number.NEGATIVE_INFINITY;
    const unsteadyTypes = new Set<string>();
    const unmovedTypes = new Set<string>();
    let hasAnyMoved = false;
    for (const type of typesWithUnchangedSettings) {
      const unsteadiness = this.#evidence.unsteady.get(type);
      const becameUnsteady = unsteadiness !== undefined && unsteadiness.at > begins;
      if (!becameUnsteady) continue;
      unsteadyTypes.add(type);
      const move = this.#moveVsBtc(type, change, typesWithUnchangedSettings);
      if (move === 'moved') hasAnyMoved = true;
      if (move === 'unmoved') unmovedTypes.add(type);
    }
    if (!hasAnyMoved) return unsteadyTypes;
    return new Set([...unsteadyTypes].filter((type) => !unmovedTypes.has(type)));
  }

  /**
   * Whether a type moved against BTC as it did against the others: whether its shift against BTC is more than half of its shift
   * against the others, in the same direction. With −2.0 against the others: `moved` for −1.4 against BTC, `unmoved` for −0.6.
   * @returns `unknown` if there are too few outcomes before or after the change
   */
  #moveVsBtc(
    type: string,
    change: SettingsChange,
    typesWithUnchangedSettings: ReadonlySet<string>,
  ): 'moved' | 'unmoved' | 'unknown' {
    const isOfType = ({ card }: Difference) => card.type === type;
    const vsBtc = this.#differences.filter(isOfType);
    const compared = this.#differences.filter(({ card }) =>
      typesWithUnchangedSettings.has(card.type),
    );
    // Two groups: the type, and all others together.
    const groupOf = (card: HistoryCard) => (card.type === type ? 'type' : 'others');
    const vsOthers = differencesToOthers(compared, groupOf).filter(isOfType);
    const shiftVsBtc = shiftOf(vsBtc, change);
    const shiftVsOthers = shiftOf(vsOthers, change);
    if (shiftVsBtc === undefined || shiftVsOthers === undefined) return 'unknown';
    const isSameDirection = shiftVsBtc * shiftVsOthers > 0;
    const isLarge = Math.abs(shiftVsBtc) > Math.abs(shiftVsOthers) / 2;
    return isSameDirection && isLarge ? 'moved' : 'unmoved';
  }

  #effectOfBought(change: SettingsChange, steady: ReadonlySet<string>): EffectFromSource {
    const { type } = change;
    const typesOn = (side: Side) =>
      new Set(differencesWithin(change[side], this.#differences).map(({ card }) => card.type));
    const typesBefore = typesOn('before');
    const typesAfter = typesOn('after');
    const controls = new Set(
      [...steady].filter((name) => typesBefore.has(name) && typesAfter.has(name)),
    );
    const ofType = this.#differences.filter(({ card }) => card.type === type);
    const ofTypeAndControls = this.#differences.filter(
      ({ card }) => card.type === type || controls.has(card.type),
    );
    // Two groups: the type, and all controls together.
    const groupOf = (card: HistoryCard) => (card.type === type ? 'type' : 'controls');
    const toControls = differencesToOthers(ofTypeAndControls, groupOf).filter(
      ({ card }) => card.type === type,
    );
    const countOn = (side: Side, differences: readonly Difference[]) =>
      differencesWithin(change[side], differences).length;
    // Whether enough of the type's cards have controls on their day.
    const isCovered = (side: Side) =>
      countOn(side, toControls) >= LEAST_COVERED * countOn(side, ofType);
    const hasControls = controls.size > 0 && isCovered('before') && isCovered('after');
    const compared = hasControls ? toControls : ofType;
    const comparedCards = new Set(compared.map(({ card }) => card));
    // Worked out again, because pages show the plain difference to BTC: `#differences` lack what slopes explain.
    const toBtc = this.#toBtcOf(type).filter(({ card }) => comparedCards.has(card));
    const lengths = blockLengthsOf(this.#horizon);
    const sideOf = (side: Side): ChangeSide => ({
      estimate: clusteredMedian(differencesWithin(change[side], compared), lengths),
      vsBtc: clusteredMedian(differencesWithin(change[side], toBtc), lengths).value,
      leftOut: countOn(side, ofType) - countOn(side, compared),
      askedAt: undefined,
    });
    return effectFrom('bought', hasControls ? controls : new Set(), {
      before: sideOf('before'),
      after: sideOf('after'),
    });
  }

  #toBtcOf(type: string): Difference[] {
    const cards = this.#cards.filter((card) => card.type === type);
    return differencesOf(cards, this.#horizon, this.#btcSymbols);
  }

  /**
   * The effect by the service's medians.
   * @returns undefined unless the service answered about the type, and about a control, both before and after the change:
   *   without a control the type has nothing to be compared with
   */
  #effectOfService(
    change: SettingsChange,
    steady: ReadonlySet<string>,
  ): EffectFromSource | undefined {
    const { type } = change;
    const timeBefore = windowsBefore(change);
    const mediansBefore = this.#mediansOn(timeBefore, new Set([type, ...steady]));
    const mediansAfter = this.#mediansOn(change.after, new Set([type, ...steady]));
    const controls = new Set(
      [...steady].filter((name) => mediansBefore.has(name) && mediansAfter.has(name)),
    );
    // The medians once more, of those types only that have some before and after the change.
    const typeAndControls = new Set([type, ...controls]);
    const before = this.#mediansOn(timeBefore, typeAndControls).get(type);
    const after = this.#mediansOn(change.after, typeAndControls).get(type);
    if (before === undefined || after === undefined) return undefined;
    return effectFrom('service', controls, { before: sideFrom(before), after: sideFrom(after) });
  }

  /** How these types compare with each other by the service's medians of windows within a time. */
  #mediansOn(time: SettingsTime, types: ReadonlySet<string>): ReadonlyMap<string, ServiceMedian> {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = time;
    const answers = answersWithin(this.#evidence.answers, { since, until });
    const answersOfTypes = answers.filter(({ type }) => types.has(type));
    if (answersOfTypes.length === 0) return new Map();
    return serviceMedians({
      answers: answersOfTypes,
      cards: this.#cards.filter(({ type }) => types.has(type)),
      // The differences of both sides, because the spread of outcomes is estimated better from more of them.
      differences: this.#differences.filter(({ card }) => types.has(card.type)),
      betas: this.#betas,
      horizon: this.#horizon,
      btcSymbols: this.#btcSymbols,
      // Empty, because each of these types has the same settings for the whole time.
      settingsSince: new Map(),
    });
  }
}

/**
 * Whether the service's comparison decides, and not that of the bought outcomes. The service knows all outcomes, but only in
 * windows of 30 days that lie on one side of the change (see `windowsBefore`): these may leave out half of the days that the bought
 * outcomes cover.
 *
 * The service's comparison always has controls, so that it decides if that of the bought outcomes has none. Otherwise the one
 * with the narrower interval decides: the width says nothing of the direction, so that the choice favours no result.
 */
function isSurer(service: EffectFromSource, bought: EffectFromSource): boolean {
  if (bought.controls.length === 0) return true;
  return widthOf(service) < widthOf(bought);
}

/** The width of the interval that decides, percentage points. */
function widthOf({ difference }: EffectFromSource): number {
  const interval = difference.interval(CHANGE_LEVEL);
  return interval === null ? Number.POSITIVE_INFINITY : interval.high - interval.low;
}

/**
 * The time in which the service's windows before the change must lie. It goes on for a day after the old settings were last seen, so
 * that the medians count that are asked for by the export that sees the change. One of their 30 days may then be of the new settings:
 * that is accepted.
 */
function windowsBefore({ before, after }: SettingsChange): SettingsTime {
  if (before.until === undefined || after.since === undefined) return before;
  return { ...before, until: Math.min(after.since, before.until + DAY) };
}

function sideFrom(median: ServiceMedian): ChangeSide {
  const estimate = serviceEstimate(median);
  return { estimate, vsBtc: estimate.vsBtc, leftOut: 0, askedAt: estimate.askedAt };
}

function effectFrom(
  source: Source,
  controls: ReadonlySet<string>,
  { before, after }: Readonly<Record<Side, ChangeSide>>,
): EffectFromSource {
  const difference = differenceOfEstimates(after.estimate, before.estimate);
  return { controls: [...controls].toSorted(), source, before, after, difference };
}

function isWithin(at: number, { since, until }: SettingsTime): boolean {
  const isBefore = since !== undefined && at < since;
  const isAfter = until !== undefined && at > until;
  return !isBefore && !isAfter;
}

/**
 * The median of the cards after a change minus the median of the cards before it, percentage points.
 * @returns undefined if either time has too few outcomes
 */
function shiftOf(differences: readonly Difference[], change: SettingsChange): number | undefined {
  const before = differencesWithin(change.before, differences).filter(isKnown);
  const after = differencesWithin(change.after, differences).filter(isKnown);
  if (Math.min(before.length, after.length) < LEAST_TO_SEE_A_MOVE) return undefined;
  return medianDifference(after) - medianDifference(before);
}

function medianDifference(differences: readonly Difference[]): number {
  return medianOf(differences.map(({ value }) => value));
}

/** The differences of the cards in a time. */
function differencesWithin(time: SettingsTime, differences: readonly Difference[]): Difference[] {
  return differences.filter(({ card }) => isWithin(card.at, time));
}
