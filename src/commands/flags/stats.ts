import { usageError } from '../../errors.ts';
import { type Filters, type RawFilters, readFilters } from './filters.ts';
import { GROUPS, type GroupBy } from './groups.ts';
import { type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import type { Reading } from './reading.ts';

interface RawStats extends RawFilters, RawHistory {
  by?: string;
}

export interface StatsChoice extends Filters {
  /** Set for a local history; all filters but the type, and `by`, only go with it. */
  readonly history: HistoryChoice;
  readonly by: GroupBy | undefined;
}

/**
 * The options of `stats`.
 * @throws ScreenerError usage
 */
export function readStats(raw: RawStats, _words: readonly string[], { now, env }: Reading): StatsChoice {
  const history = readHistoryChoice(raw, env);
  for (const name of ['since', 'until', 'by'] as const) {
    if (history === undefined && raw[name] !== undefined) {
      throw usageError(
        `--${name} needs --local or --from: the service's own statistics always cover the last 30 days.`,
        `\`screener signals export\` keeps a history; then screener stats --local --${name} …`,
      );
    }
  }
  const by = GROUPS.find((group) => group === raw.by);
  if (raw.by !== undefined && by === undefined) throw usageError(`--by takes ${GROUPS.join(', ')}, not '${raw.by}'.`);
  return { ...readFilters(raw, now), history, by };
}
