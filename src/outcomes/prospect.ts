/**
 * What an account in which nothing stands out can hope to learn: how small a difference would show with more days of outcomes,
 * and how all its cards stand against BTC.
 */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { dayNumber } from '../base/units.ts';
import { isKnown } from '../statistics/clusters.ts';
import { deviationByQuartiles, sortedOf } from '../statistics/quantile.ts';
import { isSide, MARGIN } from '../statistics/rule.ts';
import {
  type Difference,
  differencesOf,
  differencesToOthers,
  symbolsOfBtc,
} from './differences.ts';
import { figuresOf } from './figures.ts';
import { lastDueDay } from './history-card.ts';
import { type Evidence, questionOf } from './question.ts';
import {
  isClear,
  type KnownScreeners,
  PROSPECT_DAYS,
  type Standing,
  standingsOf,
} from './standing.ts';

export interface Prospect {
  /** The days of outcomes that `wouldShow` assumes. */
  readonly days: number;
  /** The types whose verdict says nothing yet, and that have outcomes of fewer days than `days`. Silent types are left out. */
  readonly types: readonly TypeProspect[];
  /** How all cards together stand against BTC, by one look. */
  readonly all: Standing | undefined;
}

export interface TypeProspect {
  readonly type: string;
  /** The smallest difference that would show with `Prospect.days` of outcomes, percentage points. */
  readonly wouldShow: number;
  /** The smallest difference that would show now, percentage points; undefined if nothing bounds it. */
  readonly wouldShowNow: number | undefined;
}

/** Whether a group is above or below: the others, or BTC. */
function hasSide({ verdict, verdictVsBtc }: Standing): boolean {
  return isSide(verdict) || isSide(verdictVsBtc);
}

/**
 * @param standings one for each type
 * @returns undefined if a type is above or below the others, or above or below BTC; or if no type has an interval yet
 */
export function prospectOf(
  standings: readonly Standing[],
  evidence: Evidence,
  screeners: KnownScreeners,
): Prospect | undefined {
  if (standings.some(hasSide)) return undefined;
  if (standings.every(({ base }) => base.interval === null)) return undefined;
  const sizes = new LaterSizes(evidence);
  const types: TypeProspect[] = [];
  for (const standing of standings) {
    const { group: type, wouldShow: wouldShowNow, silentDays } = standing;
    const isSilent = silentDays !== undefined;
    if (isSilent || isClear(standing)) continue;
    const size = sizes.of(standing);
    if (size !== undefined) types.push({ type, wouldShow: size, wouldShowNow });
  }
  const question = questionOf({ by: undefined });
  const [all] = standingsOf(figuresOf(evidence, question), evidence, screeners);
  return { days: PROSPECT_DAYS, types, all };
}

/**
 * Sizes are first worked out from 45 days of outcomes, and then again every 45 days. On the days between they stay. From fewer
 * days a size would change by half. Worked out each day, it would change each day.
 */
const STEP_DAYS = 45;

/**
 * Half of a 99.7 % interval is so many standard deviations of the outcomes, divided by the root of their number: 3.1 standard
 * errors of a median, each 1.25 standard deviations, and 1.15 times as much because cards of one day move alike.
 */
const DEVIATIONS = 3.1 * 1.25 * 1.15;

/**
 * The smallest difference of a type that would show with `PROSPECT_DAYS` of outcomes. If the service's estimate decides, the
 * size follows from it: it changes only when the service is asked. Otherwise the size follows from the spread of the bought
 * outcomes of all types together: from the interval of one type with some 40 outcomes, it came out twice as large as it had to
 * be, or half as large.
 */
class LaterSizes {
  readonly #evidence: Evidence;
  readonly #firstDay: number;
  /** The first UTC day that does not count. */
  readonly #endDay: number;
  readonly #toBtc: readonly Difference[];
  readonly #toOthers: readonly Difference[];

  constructor(evidence: Evidence) {
    const { cards, now } = evidence;
    const toBtc = differencesOf(cards, MAIN_HORIZON, symbolsOfBtc(cards));
    this.#evidence = evidence;
    this.#firstDay = Math.min(...toBtc.map(({ day }) => day));
    const dueDays = lastDueDay(now) + 1 - this.#firstDay;
    this.#endDay = this.#firstDay + Math.floor(dueDays / STEP_DAYS) * STEP_DAYS;
    this.#toBtc = toBtc.filter(({ day }) => day < this.#endDay);
    this.#toOthers = differencesToOthers(this.#toBtc, ({ type }) => type).filter(isKnown);
  }

  /** @returns percentage points; undefined if its days are too few to tell, or as many as `PROSPECT_DAYS` already */
  of({ group: type, base, comparedWith, wouldShowLater }: Standing): number | undefined {
    if (wouldShowLater === undefined || base.source === 'service') return wouldShowLater;
    const ofAll = comparedWith === 'others' ? this.#toOthers : this.#toBtc;
    const since = this.#evidence.settingsSince.get(type) ?? Number.NEGATIVE_INFINITY;
    const days = this.#endDay - Math.max(this.#firstDay, dayNumber(since));
    if (!(days >= STEP_DAYS)) return undefined;
    const ofType = ofAll.filter(({ card }) => card.type === type && card.at >= since);
    const outcomesLater = (ofType.length / days) * PROSPECT_DAYS;
    const deviation = deviationByQuartiles(sortedOf(ofAll.map(({ value }) => value)));
    return MARGIN + (DEVIATIONS * deviation) / Math.sqrt(outcomesLater);
  }
}
