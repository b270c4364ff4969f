import { type Filters, type RawFilters, readFilters } from './filters.ts';
import { directoryFlag, type HistoryChoice, type RawHistory, readHistoryChoice } from './history.ts';
import type { Reading } from './reading.ts';

interface RawReport extends RawFilters, RawHistory {
  open?: true;
}

export interface ReportChoice extends Filters {
  /** `-` for standard output. */
  readonly file: string;
  readonly history: Exclude<HistoryChoice, undefined>;
  readonly open: boolean;
}

/**
 * The options of `report`.
 * @throws ScreenerError usage
 */
export function readReport(raw: RawReport, [file = '']: readonly string[], { now, env }: Reading): ReportChoice {
  return {
    ...readFilters(raw, now),
    file: file === '-' ? file : directoryFlag('FILE', file, env),
    history: readHistoryChoice(raw, env) ?? 'default',
    open: raw.open === true,
  };
}
