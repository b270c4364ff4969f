import { usageError } from '../../errors.ts';
import { type Filters, type RawFilters, readFilters, readFrom } from './filters.ts';
import { GROUPS, type GroupBy } from './groups.ts';

interface RawStats extends RawFilters {
  from?: string;
  by?: string;
}

export interface StatsChoice extends Filters {
  /** Set for a local history; all filters but the type, and `by`, only go with it. */
  readonly from: string | undefined;
  readonly by: GroupBy | undefined;
}

/**
 * The options of `stats`.
 * @throws ScreenerError usage
 */
export function readStats(raw: RawStats, _words: readonly string[], now: number): StatsChoice {
  for (const name of ['since', 'until', 'by'] as const) {
    if (raw.from === undefined && raw[name] !== undefined) {
      throw usageError(
        `--${name} needs --from: the service's own statistics always cover the last 30 days.`,
        `\`screener signals export DIR\` keeps a history; then screener stats --from DIR --${name} …`,
      );
    }
  }
  const by = GROUPS.find((group) => group === raw.by);
  if (raw.by !== undefined && by === undefined) throw usageError(`--by takes ${GROUPS.join(', ')}, not '${raw.by}'.`);
  return { ...readFilters(raw, now), from: readFrom(raw), by };
}
