import { usageError } from '../../errors.ts';
import { GROUPS, type GroupBy } from '../../outcomes/types.ts';
import type { Reading } from '../invocation.ts';
import { type Filters, type RawFilters, readFilters } from './filters.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import { textFlag, wholeNumberFlag } from './values.ts';

interface RawStats extends RawFilters, RawHistory {
  by?: string;
  sort?: string;
  minSample?: string;
  detail?: true;
}

export interface StatsChoice extends Filters {
  /** Set for a local history; all filters but the type, and `by`, only go with it. */
  readonly history: HistoryChoice;
  readonly by: GroupBy | undefined;
  /** The next three only go with `by`. A field's dotted name, the largest first; with `-` before it the smallest first. */
  readonly sort: string | undefined;
  /** Groups with fewer measured outcomes at both horizons are left out. */
  readonly minSample: number | undefined;
  /** Every figure of every group instead of a ranking. */
  readonly detail: boolean;
}

const FOR_GROUPS = [
  ['sort', '--sort'],
  ['minSample', '--min-sample'],
  ['detail', '--detail'],
] as const;

const FOR_HISTORIES = [
  ['since', '--since'],
  ['until', '--until'],
  ['symbol', '--symbol'],
  ['by', '--by'],
  ...FOR_GROUPS,
] as const;

/**
 * The options of `stats`.
 * @throws ScreenerError usage
 */
export function readStats(raw: RawStats, _words: readonly string[], { now, env }: Reading): StatsChoice {
  const history = readHistoryChoice(raw, env);
  for (const [name, option] of FOR_HISTORIES) {
    if (history === undefined && raw[name] !== undefined) {
      throw usageError(
        `${option} needs --local or --from: the service's own statistics always cover the last 30 days.`,
        `\`screener signals export\` keeps a history; then screener stats --local ${option} …`,
      );
    }
  }
  for (const [name, option] of FOR_GROUPS) {
    if (raw.by === undefined && raw[name] !== undefined) throw usageError(`${option} needs --by.`);
  }
  const by = GROUPS.find((group) => group === raw.by);
  if (raw.by !== undefined && by === undefined) throw usageError(`--by takes ${GROUPS.join(', ')}, not '${raw.by}'.`);
  return {
    ...readFilters(raw, now),
    history,
    by,
    sort: raw.sort === undefined ? undefined : textFlag('--sort', raw.sort),
    minSample: raw.minSample === undefined ? undefined : wholeNumberFlag('--min-sample', raw.minSample, 0),
    detail: raw.detail === true,
  };
}
