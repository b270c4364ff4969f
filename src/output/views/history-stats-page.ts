import type { Histogram } from '../../outcomes/histogram.ts';
import type { Comparison, GroupBy, HorizonName } from '../../outcomes/types.ts';

/** What the figures are of. Times as asked for; null where not limited. */
export interface StatsHead {
  readonly scope: 'local_history';
  readonly screener_type: string | null;
  readonly symbol: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly by: GroupBy | null;
  readonly generated_at: string;
  /** Which due outcomes the export buys first: spread, newest, oldest; null where that is unknown. */
  readonly bought_order: string | null;
  /** When looks at the settings found them changed within the window, oldest first. */
  readonly settings_changes: readonly { readonly at: string; readonly types: readonly string[] }[];
  readonly comparisons: number;
  readonly groups_left_out: number;
}

/** A page for people. */
export interface StatsPage {
  readonly head: StatsHead;
  readonly comparison: Comparison;
  /** The command line that asks the same, to which `--since` can be added. */
  readonly again: string;
  /** By group, to be drawn where it is a terminal. */
  readonly histograms: ReadonlyMap<string | null, Readonly<Record<HorizonName, Histogram | undefined>>>;
}
