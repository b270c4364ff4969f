/**
 * From cards to figures. Pure; `figure-table.ts` says what each figure is, `screener help figures` how it is made.
 */
import { byHorizon, HORIZON_NAMES, type HorizonName } from '../api/contract/horizons.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import { clusteredMedian } from './clustered-median.ts';
import { differencesToOthers, symbolsOfBtc } from './differences.ts';
import { figuresFrom } from './figure.ts';
import { type Comparison, GROUP_TABLE, HORIZON_TABLE, type HorizonData } from './figure-table.ts';
import { groupBy, groupRows, HAS_OTHERS, KEYS } from './group.ts';
import type { Row } from './row.ts';
import { gathered, sampleOf, type Whole, wholeOf } from './sample.ts';
import { estimatesOfService, ifNarrower, type ServiceAnswer } from './service-medians.ts';
import type { GroupBy } from './types.ts';
import { estimateOf, type Judged, judged, LEAST, leastOf } from './verdict.ts';

interface FiguresQuestion {
  /** Undefined for one group of all cards. */
  readonly by?: GroupBy | undefined;
  /** When the figures are of: says which cards are due. Epoch milliseconds UTC. */
  readonly now: number;
  /** Groups whose samples are both smaller are left out, and are not among the comparisons. */
  readonly minSample?: number | undefined;
  /** The smallest difference that matters after 24 h, percentage points. */
  readonly least?: number | undefined;
  /** What the service said of screener types, of windows that lie within these cards' time. Only used by type. */
  readonly answers?: readonly ServiceAnswer[] | undefined;
}

/** Groups in the order of `groupRows`. @param cards in any order */
export function figuresOf(
  cards: readonly Row[],
  { by, now, minSample = 0, least = LEAST, answers = [] }: FiguresQuestion,
): Comparison {
  // All that follows goes through them by day.
  const rows = cards.toSorted((one, other) => one.at - other.at);
  const ofBtc = symbolsOfBtc(rows);
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const all = grouped.map(([group, ofGroup]) => ({
    group,
    rows: ofGroup,
    gathered: byHorizon((name) => gathered(ofGroup, name, ofBtc)),
  }));
  const shown = all.filter((one) => HORIZON_NAMES.some((name) => one.gathered[name].moves.length >= minSample));
  const horizons = byHorizon(horizon);
  return {
    groups: shown.map(({ group, rows: ofGroup }, i) => ({
      group,
      ...figuresFrom(GROUP_TABLE, countsOf(ofGroup, now)),
      horizons: byHorizon((name) => figuresFrom(HORIZON_TABLE, horizons[name][i] as HorizonData)),
    })),
    comparisons: Math.max(0, ...HORIZON_NAMES.flatMap((name) => familySizes(horizons[name]))),
    least_percentage_points: least,
    groups_left_out: all.length - shown.length,
  };

  /** Of the groups that are shown. */
  function horizon(name: HorizonName): HorizonData[] {
    const ofAll = all.map((one) => one.gathered[name]);
    const whole = by === undefined ? undefined : wholeOf(ofAll, name);
    const ofGroups = shown.map((one) => sampleOf(one.gathered[name], name, whole));
    const matters = leastOf(name, least);
    const estimates = ofGroups.map(({ differences }) => estimateOf(differences));
    const vsBtc = judged(estimates, matters);
    const others = withOthers(name, whole);
    const estimatesOfOthers = others.map(({ estimate }) => estimate);
    const vsOthers = judged(estimatesOfOthers, matters);
    return ofGroups.map((sample, i) => {
      const [inFamily, ofOthers, compared] = [vsBtc[i] as Judged, vsOthers[i], others[i]];
      const isCompared = ofOthers !== undefined && compared !== undefined;
      return { sample, vsBtc: inFamily, vsOthers: isCompared ? { ...compared, judged: ofOthers } : undefined };
    });
  }

  /** Of the groups that are shown; empty where groups are not compared with the other cards of each day. */
  function withOthers(name: HorizonName, whole: Whole | undefined) {
    if (by === undefined || !HAS_OTHERS.has(by)) return [];
    const keyOf = KEYS[by];
    const differences = all.flatMap((one) => one.gathered[name].differences);
    const byGroup = groupBy(differencesToOthers(differences, keyOf), ({ card }) => keyOf(card));
    const ofService =
      by === 'type' && answers.length > 0
        ? estimatesOfService(answers, rows, differences, name, whole?.differences ?? 1, ofBtc)
        : undefined;
    return shown.map(({ group }) => {
      const sample = clusteredMedian(byGroup.get(String(group)) ?? [], name);
      const bought = estimateOf(sample);
      const service = ifNarrower(ofService?.get(String(group)), bought);
      return { sample, service, estimate: service ?? bought };
    });
  }
}

function familySizes(horizon: readonly HorizonData[]): number[] {
  const tested = (all: readonly (Judged | undefined)[]) => all.filter((one) => one?.adjusted !== undefined).length;
  return [tested(horizon.map(({ vsBtc }) => vsBtc)), tested(horizon.map(({ vsOthers }) => vsOthers?.judged))];
}

/** Both horizons are settled a day after the card; the service is given an hour more. */
const DUE_AFTER = DAY + HOUR;

function countsOf(rows: readonly Row[], now: number) {
  const isDue = ({ at }: Row) => at + DUE_AFTER <= now;
  const bought = rows.filter(({ isBought }) => isBought);
  return {
    rows: rows.length,
    bought: bought.length,
    due: rows.filter(isDue).length,
    boughtOfDue: bought.filter(isDue).length,
  };
}
