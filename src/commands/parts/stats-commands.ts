/** Command lines of `stats` that its screens offer. */
import type { HorizonName } from '../../api/contract/horizons.ts';
import { LEAST } from '../../outcomes/question.ts';
import type { GroupBy } from '../../outcomes/types.ts';
import type { Invocation } from './invocation.ts';
import { cardOptions, commandWords, historyOptions, offeredLine } from './next-command.ts';
import type { OfHistory } from './where.ts';

export interface StatsLocalOptions<By = GroupBy | 'settings'> extends OfHistory {
  /** Undefined: figures of one group. */
  readonly by?: By | undefined;
  /** The dotted name of a field, with `-` before it for the smallest first. */
  readonly sort?: string | undefined;
  readonly horizon?: HorizonName | undefined;
  readonly detail?: boolean;
  /** Groups with smaller samples at every horizon are not shown. */
  readonly minSample?: number | undefined;
  /** Percentage points. */
  readonly least?: number;
}

/** The same question once more. @param more words behind it */
export function againCommand(
  invocation: Invocation,
  options: StatsLocalOptions,
  more: readonly string[] = [],
): string {
  const { by, least, horizon, sort, minSample, detail } = options;
  const words = commandWords(invocation, 'stats', {
    ...historyOptions(options),
    ...cardOptions(options),
    '--by': by,
    '--least': least === LEAST ? undefined : least,
    '--horizon': horizon,
    '--sort': sort,
    '--min-sample': minSample,
    '--detail': detail,
  });
  return offeredLine(invocation, [...words, ...more]);
}

/** What new settings of a type did. Options of rankings do not go with it. */
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
