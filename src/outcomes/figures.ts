/**
 * From cards to figures. Pure; `figure-table.ts` says what each figure is, `screener help figures` how it is made.
 */
import { DAY, HOUR } from '../runtime/units.ts';
import { figuresFrom } from './figure.ts';
import { type Comparison, GROUP_TABLE, HORIZON_TABLE } from './figure-table.ts';
import { groupRows } from './group.ts';
import { type Adjusted, holm } from './holm.ts';
import type { Row } from './row.ts';
import { type Sample, sampleOf } from './sample.ts';
import { type GroupBy, HORIZON_NAMES } from './types.ts';

interface FiguresQuestion {
  /** Undefined for one group of all cards. */
  readonly by?: GroupBy | undefined;
  /** When the figures are of: says which cards are due. Epoch milliseconds UTC. */
  readonly now: number;
  /** Groups whose samples are both smaller are left out, and are not among the comparisons. */
  readonly minSample?: number | undefined;
}

/** Groups in the order of `groupRows`. */
export function figuresOf(rows: readonly Row[], { by, now, minSample = 0 }: FiguresQuestion): Comparison {
  const grouped: readonly [string | null, readonly Row[]][] = by === undefined ? [[null, rows]] : groupRows(rows, by);
  const all = grouped.map(([group, ofGroup]) => ({
    group,
    rows: ofGroup,
    samples: { '1h': sampleOf(ofGroup, '1h'), '24h': sampleOf(ofGroup, '24h') },
  }));
  const shown = all.filter(({ samples }) => HORIZON_NAMES.some((name) => samples[name].size >= minSample));
  const tested = shown
    .flatMap(({ samples }) => HORIZON_NAMES.map((name) => samples[name]))
    .filter((sample): sample is typeof sample & { p: number } => sample.p !== null);
  const adjusted = holm(tested.map(({ p }) => p));
  const verdicts = new Map<Sample, Adjusted | undefined>(tested.map((sample, i) => [sample, adjusted[i]]));
  const horizon = (sample: Sample) => figuresFrom(HORIZON_TABLE, { sample, adjusted: verdicts.get(sample) });
  return {
    groups: shown.map(({ group, rows: ofGroup, samples }) => ({
      group,
      ...figuresFrom(GROUP_TABLE, countsOf(ofGroup, now)),
      horizons: { '1h': horizon(samples['1h']), '24h': horizon(samples['24h']) },
    })),
    comparisons: tested.length,
    groups_left_out: all.length - shown.length,
  };
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
