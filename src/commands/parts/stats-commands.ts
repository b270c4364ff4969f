/** Command lines of `stats` that its screens offer. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import { DEFAULT_LEAST } from '../../outcomes/question.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import type { Invocation } from './invocation.ts';
import { cardOptions, commandLineWords, historyOptions, offeredLine } from './next-command.ts';
import type { OfHistory } from './where.ts';

/**
 * The options of `stats --local`. `--by settings` is a page of its own: functions of the other pages take a `By` without it.
 */
export interface StatsLocalOptions<By = GroupBy | 'settings'> extends OfHistory {
  /** Undefined if all cards are one group. */
  readonly by?: By | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first. */
  readonly sort?: string | undefined;
  /** The horizon that is judged; undefined for the horizon of the field in `sort`, or for 24 h if it has none. */
  readonly horizon?: HorizonName | undefined;
  /** Whether all figures of each group are printed. */
  readonly detail?: boolean;
  /** Smaller groups are hidden: those with fewer outcomes than this at every horizon. */
  readonly minSample?: number | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least?: number;
}

/** The command line that asks the same question once more. @param more words to add at its end */
export function againCommand(
  invocation: Invocation,
  options: StatsLocalOptions,
  more: readonly string[] = [],
): string {
  const { by, least, horizon, sort, minSample, detail } = options;
  const words = commandLineWords(invocation, 'stats', {
    ...historyOptions(options),
    ...cardOptions(options),
    '--by': by,
    // The default is not written.
    '--least': least === DEFAULT_LEAST ? undefined : least,
    '--horizon': horizon,
    '--sort': sort,
    '--min-sample': minSample,
    '--detail': detail,
  });
  return offeredLine(invocation, [...words, ...more]);
}

/** The command line that shows what new settings of a type did. It leaves out options of rankings, such as --sort. */
export function settingsCommand(
  invocation: Invocation,
  options: StatsLocalOptions,
  type: string,
): string {
  return againCommand(invocation, {
    ...options,
    symbol: undefined,
    type,
    by: 'settings',
    horizon: undefined,
    sort: undefined,
    minSample: undefined,
    detail: false,
  });
}
