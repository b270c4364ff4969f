/** Cards before and after a change, each beside other screeners' cards of its day, so that the market cancels. */
import { blocksOf, type HorizonName } from '../api/contract/horizons.ts';
import { clusteredMedian } from '../statistics/clustered-median.ts';
import { differenceOfEstimates, LEVEL } from '../statistics/estimate.ts';
import { judged, leastOf, verdictOf } from '../statistics/verdict.ts';
import { betasOf } from './beta.ts';
import {
  type Difference,
  differencesOf,
  differencesToOthers,
  symbolsOfBtc,
} from './differences.ts';
import type { Row } from './row.ts';
import { answersWithin, type ServiceAnswer } from './service-answers.ts';
import { serviceEstimate, serviceMedians } from './service-medians.ts';

/** Epoch milliseconds UTC, both inclusive; infinite if nothing bounds it. */
interface Period {
  readonly since: number;
  readonly until: number;
}

interface ComparedPeriods {
  readonly before: Period;
  readonly after: Period;
  /** Types whose settings stayed the same in both. */
  readonly control: ReadonlySet<string>;
}

export const CHANGE_VERDICTS = ['higher', 'lower', 'none', 'unclear', 'too_few_days'] as const;

/** The difference after less before, percentage points. */
export type SettingsDifference = ReturnType<typeof settingsDifferences>[number];

/**
 * One family of all changes of a type.
 * @param least percentage points after 24 h @param answers of the service: used within a period, if they say more
 * @returns in the order of `changes`
 */
export function settingsDifferences(
  rows: readonly Row[],
  type: string,
  changes: readonly ComparedPeriods[],
  horizon: HorizonName,
  least: number,
  answers: readonly ServiceAnswer[] = [],
) {
  const ofBtc = symbolsOfBtc(rows);
  const estimates = changes.map(({ before, after, control }) => {
    const isMeant = (one: { readonly type: string }) => one.type === type || control.has(one.type);
    const meant = rows.filter(isMeant).toSorted((one, other) => one.at - other.at);
    const differences = differencesOf(meant, horizon, ofBtc);
    const compared = differencesToOthers(differences, (card) => Number(card.type === type));
    const within = (period: Period) => {
      const isWithin = ({ card: { at } }: Difference) => at >= period.since && at <= period.until;
      const own = compared.filter((one) => one.card.type === type && isWithin(one));
      const bought = clusteredMedian(own, blocksOf(horizon));
      const said = answersWithin(answers.filter(isMeant), period);
      if (said.length === 0) return bought;
      const known = differences.filter(isWithin);
      const median = serviceMedians({
        answers: said,
        cards: meant,
        differences: known,
        betas: betasOf([], horizon, ofBtc),
        horizon,
        ofBtc,
        settingsSince: new Map(),
      }).get(type);
      return median === undefined ? bought : serviceEstimate(median);
    };
    return differenceOfEstimates(within(after), within(before));
  });
  return judged(estimates, leastOf(horizon, least)).map((one) => {
    const word = verdictOf(one) ?? 'too_few_days';
    const verdict: (typeof CHANGE_VERDICTS)[number] =
      word === 'above' ? 'higher' : word === 'below' ? 'lower' : word;
    return {
      difference_percentage_points: Number.isNaN(one.value) ? null : one.value,
      difference_interval_95: one.interval(LEVEL),
      p_holm: one.adjusted?.p ?? null,
      verdict,
    };
  });
}
